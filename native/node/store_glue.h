// Core stores for JavaScript: opening, staging, sealing, publishing.
#pragma once

#include <napi.h>

namespace palimpsest::node {

/// Sets `exports.openCore`.
void register_store(Napi::Env env, Napi::Object exports);

}  // namespace palimpsest::node
