// The addon's entry: one runtime per env, then every family of functions.
#include <napi.h>

#include "node/async.h"
#include "node/file_glue.h"
#include "node/statistics_glue.h"
#include "node/store_glue.h"
#include "node/view_handle.h"

namespace palimpsest::node {

void register_tables(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_snapshot(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_diff(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_reachability(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_paths(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_chain(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_motifs(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_series(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_neighborhood(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_co_active(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_freshness(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_entities(Napi::Env env, Napi::Object exports) __attribute__((weak));
void register_aggregate(Napi::Env env, Napi::Object exports) __attribute__((weak));

namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Runtime(env));
  register_async(env, exports);
  register_files(env, exports);
  register_views(env, exports);
  register_store(env, exports);
  register_statistics(env, exports);
  if (register_tables) register_tables(env, exports);
  if (register_snapshot) register_snapshot(env, exports);
  if (register_diff) register_diff(env, exports);
  if (register_reachability) register_reachability(env, exports);
  if (register_paths) register_paths(env, exports);
  if (register_chain) register_chain(env, exports);
  if (register_motifs) register_motifs(env, exports);
  if (register_series) register_series(env, exports);
  if (register_neighborhood) register_neighborhood(env, exports);
  if (register_co_active) register_co_active(env, exports);
  if (register_freshness) register_freshness(env, exports);
  if (register_entities) register_entities(env, exports);
  if (register_aggregate) register_aggregate(env, exports);
  return exports;
}

}  // namespace

}  // namespace palimpsest::node

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) { return palimpsest::node::init(env, exports); }
NODE_API_MODULE(palimpsest, init_addon)
