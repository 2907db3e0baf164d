// The loop of the I/O thread, and gathered writes.
#include "core/files/io_thread.h"

#include <limits.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

namespace palimpsest::files {

void IoThread::submit(std::function<void()> job) {
  const std::lock_guard guard(mutex_);
  jobs_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  wake_.notify_one();
}

void IoThread::stop() {
  {
    const std::lock_guard guard(mutex_);
    if (!thread_.joinable()) return;
    is_stopping_ = true;
    wake_.notify_one();
  }
  thread_.join();
  const std::lock_guard guard(mutex_);
  thread_ = std::thread();
  is_stopping_ = false;
}

void IoThread::work() {
  std::unique_lock guard(mutex_);
  while (true) {
    wake_.wait(guard, [this] { return !jobs_.empty() || is_stopping_; });
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    guard.unlock();
    job();
    guard.lock();
  }
}

OsResult write_pieces(int descriptor, const std::vector<WritePiece>& pieces, uint64_t offset, bool with_sync) {
  size_t next = 0;
  while (next < pieces.size()) {
    iovec vectors[64];
    const size_t count = std::min<size_t>(pieces.size() - next, std::size(vectors));
    size_t byte_count = 0;
    for (size_t i = 0; i < count; ++i) {
      vectors[i] = {const_cast<void*>(pieces[next + i].from), pieces[next + i].byte_count};
      byte_count += pieces[next + i].byte_count;
    }
    ssize_t done;
    do {
      done = ::pwritev(descriptor, vectors, static_cast<int>(count), static_cast<off_t>(offset));
    } while (done < 0 && errno == EINTR);
    if (done < 0) return {errno, "pwrite"};
    // A short write (a signal, 2 GiB at once) goes on piece by piece.
    auto skip = static_cast<size_t>(done);
    for (size_t i = 0; i < count && skip < byte_count; ++i) {
      const WritePiece& piece = pieces[next + i];
      const size_t written = std::min(skip, piece.byte_count);
      skip -= written;
      byte_count -= written;
      offset += written;
      if (written == piece.byte_count) continue;
      const OsResult rest =
          write_at(descriptor, static_cast<const char*>(piece.from) + written, piece.byte_count - written, offset);
      if (!rest.is_ok()) return rest;
      offset += piece.byte_count - written;
      byte_count -= piece.byte_count - written;
    }
    offset += byte_count;
    next += count;
  }
  return with_sync ? sync_data(descriptor) : OsResult{};
}

}  // namespace palimpsest::files
