// Runs the tasks of one question on the caller's thread and on what the pool can spare, and counts their steps
// together. Work is cut by data and results are kept by task, so answers and refusals are the same for any number of
// threads.
#pragma once

#include <functional>

#include "core/base/stop.h"

namespace palimpsest {

/// Steps that several threads take for one question.
class SharedSteps {
 public:
  explicit SharedSteps(const StepCounter& before) : stop_(before.token()), before_(before.total()) {}

  /// False when everybody must give up.
  bool add(uint64_t steps) {
    const uint64_t total = taken_.fetch_add(steps, std::memory_order_relaxed) + steps + before_;
    if (total > stop_.step_ceiling() || stop_.is_stopped()) give_up();
    return !has_given_up();
  }
  void give_up() { has_given_up_.store(true, std::memory_order_relaxed); }
  bool has_given_up() const { return has_given_up_.load(std::memory_order_relaxed); }
  uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const StopToken& stop_;
  const uint64_t before_;
  std::atomic<uint64_t> taken_{0};
  std::atomic<bool> has_given_up_{false};
};

/// One thread's share of them.
class WorkerSteps {
 public:
  explicit WorkerSteps(SharedSteps& shared) : shared_(shared) {}
  WorkerSteps(const WorkerSteps&) = delete;
  WorkerSteps& operator=(const WorkerSteps&) = delete;
  ~WorkerSteps() { flush(); }

  /// False when the task must give up.
  bool add(uint64_t steps) {
    pending_ += steps;
    return pending_ < 4096 || flush();
  }

 private:
  bool flush() {
    const uint64_t steps = pending_;
    pending_ = 0;
    return shared_.add(steps);
  }

  SharedSteps& shared_;
  uint64_t pending_ = 0;
};

/// Threads that `run_tasks` uses at most; workers are numbered from 0.
unsigned most_workers();

/// A task gives false when its steps said stop, and may throw: the caller then does.
using Task = std::function<bool(unsigned worker, uint32_t task, WorkerSteps& steps)>;

/// Runs tasks 0 … task_count - 1, each once, on this thread and at most most_workers() - 1 others; returns when nobody
/// works on them any more. Never waits for a thread to become free, so a task of the pool may call it.
///
/// @return kCost when all steps together passed the ceiling, whatever the threads; kCancelled when `steps` is stopped
Status run_tasks(uint32_t task_count, StepCounter& steps, const Task& run);

}  // namespace palimpsest
