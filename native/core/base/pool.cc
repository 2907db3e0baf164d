#include "core/base/pool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace palimpsest {

namespace {
constexpr long kMostThreads = 64;
std::atomic<unsigned> preferred_thread_count{0};

unsigned configured_thread_count() {
  if (const unsigned count = preferred_thread_count.load()) return count;
  if (const char* text = std::getenv("PALIMPSEST_THREADS")) {
    const long count = std::strtol(text, nullptr, 10);
    if (count >= 1 && count <= kMostThreads) return static_cast<unsigned>(count);
  }
  return std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
}
}  // namespace

Pool& Pool::shared() {
  // Never destroyed: at exit threads may still hold tasks, and joining from a static destructor can deadlock.
  static Pool* pool = new Pool(configured_thread_count());
  return *pool;
}

void Pool::prefer_threads(unsigned count) {
  unsigned none = 0;
  preferred_thread_count.compare_exchange_strong(none, std::min<unsigned>(count, kMostThreads));
}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Pool::submit(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (idle_count_ < tasks_.size() && threads_.size() < thread_count_) start_thread();
  }
  wake_.notify_one();
}

void Pool::start_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (...) {
    // With fewer threads than wanted the tasks wait longer; with none nobody would ever run this one.
    if (!threads_.empty()) return;
    tasks_.pop_back();
    throw;
  }
}

void Pool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_count_;
    wake_.wait(lock, [this] { return is_stopping_ || !tasks_.empty(); });
    --idle_count_;
    if (tasks_.empty()) return;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace palimpsest
