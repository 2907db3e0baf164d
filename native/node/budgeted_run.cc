#include "node/budgeted_run.h"

#include <algorithm>
#include <new>

namespace palimpsest::node {

Napi::Value run_within_budget(Napi::Env env, std::shared_ptr<StopToken> stop, std::function<Status(StopToken&)> work,
                              std::function<Napi::Value(Napi::Env)> finish, Napi::Value keep, uint64_t inline_steps) {
  StopToken budget;
  budget.set_memory_ceiling(stop->memory_ceiling());
  budget.set_step_ceiling(std::min(inline_steps, stop->step_ceiling()));
  Status status;
  try {
    status = work(budget);
  } catch (const std::bad_alloc&) {
    status = Status(Code::kLimit, "the process is out of memory");
  } catch (const std::exception& error) {
    status = Status(Code::kInternal, error.what());
  }
  if (status.code() == Code::kCost && stop->step_ceiling() > inline_steps) {
    return run_kernel(env, RunMode::kPool, std::move(stop), std::move(work), std::move(finish), keep);
  }
  stop->count(budget.counted_steps());
  check(env, status);
  return finish(env);
}

}  // namespace palimpsest::node
