// Entry of the file layer's glue; called once per env by the addon.
#pragma once

#include <napi.h>

namespace palimpsest::node {

/// Sets `exports.files`.
void register_files(Napi::Env env, Napi::Object exports);

}  // namespace palimpsest::node
