// Logical counts of a view for JavaScript.
#pragma once

#include <napi.h>

namespace palimpsest::node {

/// Sets `exports.statistics`.
void register_statistics(Napi::Env env, Napi::Object exports);

}  // namespace palimpsest::node
