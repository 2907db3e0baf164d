// One thread that reads, writes and syncs for a JavaScript thread, in order, so that neither it nor libuv's pool waits.
// Knows nothing of Node: whoever submits a job is told by the job's own function that it is done.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/files/os_file.h"

namespace palimpsest::files {

/// One piece of a write: these bytes to that place. The bytes must stay until the job is done.
struct WritePiece {
  const void* from;
  size_t byte_count;
};

class IoThread {
 public:
  IoThread() = default;
  ~IoThread() { stop(); }

  /// Runs after all earlier jobs. The thread starts with the first one.
  void submit(std::function<void()> job);
  /// Finishes what was submitted and joins. Later jobs start it again.
  void stop();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::thread thread_;
  bool is_stopping_ = false;
};

/// All pieces one after the other from `offset`, then fdatasync if asked for. What frames of a group need, in one hop.
OsResult write_pieces(int descriptor, const std::vector<WritePiece>& pieces, uint64_t offset, bool with_sync);

}  // namespace palimpsest::files
