// Runs a kernel at once when it turns out to be small, on the pool otherwise: nobody has to guess its cost before.
#pragma once

#include "node/async.h"

namespace palimpsest::node {

/// Runs `work` on this thread within a small budget of steps; past it, starts over on the pool and gives a promise.
/// A hop to the pool and back costs about as much as the budget. `work` begins anew each time it is called.
Napi::Value run_within_budget(Napi::Env env, std::shared_ptr<StopToken> stop, std::function<Status(StopToken&)> work,
                              std::function<Napi::Value(Napi::Env)> finish, Napi::Value keep);

}  // namespace palimpsest::node
