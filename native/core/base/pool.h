// The engine's own worker threads, started on first use; never the four of libuv, which serve the user's files.
// Tasks are independent; whoever submits one waits through a completion of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace palimpsest {

class Pool {
 public:
  /// The process-wide pool, made on first use: with as many threads as were preferred first, else PALIMPSEST_THREADS,
  /// else the number of cores, at most 8.
  static Pool& shared();
  /// Without effect once a number was preferred or the pool is there.
  static void prefer_threads(unsigned count);

  explicit Pool(unsigned thread_count) : thread_count_(thread_count) {}
  ~Pool();

  /// Throws std::system_error, and forgets the task, when the system gives not even one thread.
  void submit(std::function<void()> task);
  unsigned thread_count() const { return thread_count_; }

 private:
  void start_thread();
  void work();

  const unsigned thread_count_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  unsigned idle_count_ = 0;
  bool is_stopping_ = false;
};

}  // namespace palimpsest
