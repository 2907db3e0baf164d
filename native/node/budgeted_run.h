// Runs a kernel at once when it turns out to be small, on the pool otherwise: nobody has to guess its cost before.
#pragma once

#include "node/async.h"

namespace palimpsest::node {

constexpr uint64_t kInlineSteps = 50'000;  // a slot or a row of a block takes 1 to 4 ns

/// Runs `work` on this thread within a small budget of steps; past it, starts over on the pool and gives a promise.
/// A hop to the pool and back costs about as much as the budget. `work` begins anew each time it is called.
/// `inline_steps` is for kernels whose steps take longer.
Napi::Value run_within_budget(Napi::Env env, std::shared_ptr<StopToken> stop, std::function<Status(StopToken&)> work,
                              std::function<Napi::Value(Napi::Env)> finish, Napi::Value keep,
                              uint64_t inline_steps = kInlineSteps);

}  // namespace palimpsest::node
