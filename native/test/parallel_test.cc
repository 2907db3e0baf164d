// run_tasks: every task once, one outcome for any number of threads, and an orderly end whatever a task does.
#include "core/base/parallel.h"

#include <future>
#include <stdexcept>
#include <vector>

#include "core/base/pool.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

constexpr uint32_t kTasks = 300;
constexpr uint64_t kStepsOfTask = 100;

Status run_some(StopToken& stop, std::vector<std::atomic<int>>& runs, uint64_t& total) {
  StepCounter steps(stop);
  const Status status = run_tasks(kTasks, steps, [&](unsigned worker, uint32_t task, WorkerSteps& own) {
    CHECK(worker < most_workers());
    ++runs[task];
    return own.add(kStepsOfTask);
  });
  total = steps.total();
  return status;
}

void each_task_runs_once() {
  std::vector<std::atomic<int>> runs(kTasks);
  StopToken stop;
  uint64_t total = 0;
  CHECK(run_some(stop, runs, total).is_ok());
  for (const auto& count : runs) CHECK(count == 1);
  CHECK(total == kTasks * kStepsOfTask);
}

void the_ceiling_is_exact() {
  for (const uint64_t below : {0u, 1u}) {
    std::vector<std::atomic<int>> runs(kTasks);
    StopToken stop;
    stop.set_step_ceiling(kTasks * kStepsOfTask - below);
    uint64_t total = 0;
    CHECK(run_some(stop, runs, total).code() == (below == 0 ? Code::kOk : Code::kCost));
  }
}

void a_cancelled_run_ends() {
  std::vector<std::atomic<int>> runs(kTasks);
  StopToken stop;
  stop.cancel();
  uint64_t total = 0;
  CHECK(run_some(stop, runs, total).code() == Code::kCancelled);
}

void what_a_task_throws_is_thrown() {
  StopToken stop;
  StepCounter steps(stop);
  bool is_caught = false;
  try {
    const Status status = run_tasks(kTasks, steps, [](unsigned, uint32_t task, WorkerSteps&) -> bool {
      if (task == 7) throw std::runtime_error("seven");
      return true;
    });
    CHECK(status.is_ok());
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  CHECK(is_caught);
}

/// More callers than threads, all of them tasks of the pool themselves.
void tasks_of_the_pool_may_call_it() {
  std::vector<std::future<bool>> done;
  for (unsigned i = 0; i < 4 * most_workers(); ++i) {
    auto promise = std::make_shared<std::promise<bool>>();
    done.push_back(promise->get_future());
    Pool::shared().submit([promise] {
      std::vector<std::atomic<int>> runs(kTasks);
      StopToken stop;
      uint64_t total = 0;
      promise->set_value(run_some(stop, runs, total).is_ok() && total == kTasks * kStepsOfTask);
    });
  }
  for (auto& each : done) CHECK(each.get());
}

void no_tasks_are_no_work() {
  StopToken stop;
  StepCounter steps(stop);
  CHECK(run_tasks(0, steps, [](unsigned, uint32_t, WorkerSteps&) { return false; }).is_ok());
}

}  // namespace

int main() {
  each_task_runs_once();
  the_ceiling_is_exact();
  a_cancelled_run_ends();
  what_a_task_throws_is_thrown();
  tasks_of_the_pool_may_call_it();
  no_tasks_are_no_work();
}
