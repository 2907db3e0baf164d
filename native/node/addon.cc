// The addon's entry: one runtime per env, then every family of functions.
#include <napi.h>

#include "node/async.h"
#include "node/file_glue.h"
#include "node/operator_glue.h"
#include "node/statistics_glue.h"
#include "node/store_glue.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Runtime(env));
  register_async(env, exports);
  register_files(env, exports);
  register_views(env, exports);
  register_store(env, exports);
  register_statistics(env, exports);
  register_tables(env, exports);
  register_snapshot(env, exports);
  register_diff(env, exports);
  register_reachability(env, exports);
  register_paths(env, exports);
  register_chain(env, exports);
  register_motifs(env, exports);
  register_series(env, exports);
  register_neighborhood(env, exports);
  register_co_active(env, exports);
  register_freshness(env, exports);
  register_entities(env, exports);
  register_aggregate(env, exports);
  return exports;
}

}  // namespace

}  // namespace palimpsest::node

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) { return palimpsest::node::init(env, exports); }
NODE_API_MODULE(palimpsest, init_addon)
