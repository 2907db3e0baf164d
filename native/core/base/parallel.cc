#include "core/base/parallel.h"

#include <algorithm>
#include <exception>
#include <system_error>

#include "core/base/pool.h"

namespace palimpsest {

namespace {

/// What the caller and its helpers share. A helper that comes when all is done finds the door closed and touches
/// nothing else: the caller may be gone by then.
struct Gathering {
  std::mutex mutex;
  std::condition_variable left;
  unsigned helper_count = 0;
  unsigned working = 0;
  bool is_closed = false;
  std::exception_ptr error;
  std::function<void(unsigned worker)> work;

  void help() {
    unsigned worker;
    {
      std::lock_guard lock(mutex);
      if (is_closed) return;
      worker = ++helper_count;
      ++working;
    }
    work(worker);
    std::lock_guard lock(mutex);
    if (--working == 0) left.notify_all();
  }
  void close() {
    std::unique_lock lock(mutex);
    is_closed = true;
    left.wait(lock, [this] { return working == 0; });
  }
};

void call_helpers(const std::shared_ptr<Gathering>& gathering, unsigned count) {
  try {
    for (unsigned i = 0; i < count; ++i) {
      Pool::shared().submit([gathering] { gathering->help(); });
    }
  } catch (const std::system_error&) {
    // The system gives no thread: the caller works alone.
  }
}

}  // namespace

unsigned most_workers() { return Pool::shared().thread_count(); }

Status run_tasks(uint32_t task_count, StepCounter& steps, const Task& run) {
  if (task_count == 0) return steps.status();
  SharedSteps shared(steps);
  std::atomic<uint32_t> next_task{0};
  const auto gathering = std::make_shared<Gathering>();
  gathering->work = [&, state = gathering.get()](unsigned worker) {
    try {
      WorkerSteps own(shared);
      while (!shared.has_given_up()) {
        const uint32_t task = next_task.fetch_add(1, std::memory_order_relaxed);
        if (task >= task_count) return;
        if (!run(worker, task, own)) shared.give_up();
      }
    } catch (...) {
      shared.give_up();
      std::lock_guard lock(state->mutex);
      if (!state->error) state->error = std::current_exception();
    }
  };
  call_helpers(gathering, std::min(most_workers(), task_count) - 1);
  gathering->work(0);
  gathering->close();
  if (gathering->error) std::rethrow_exception(gathering->error);
  const StopToken& stop = steps.token();
  const bool goes_on = steps.add(shared.taken());
  if (steps.total() > stop.step_ceiling()) {
    return Status(Code::kCost, "the call passed its ceiling of steps while running");
  }
  if (shared.has_given_up()) return Status(Code::kCancelled, "the call was cancelled");
  return goes_on ? Status::ok() : steps.status();
}

}  // namespace palimpsest
