// The functions of each family of operators, set on the addon by the glue file of the same name.
#pragma once

#include <napi.h>

namespace palimpsest::node {

void register_tables(Napi::Env env, Napi::Object exports);
void register_snapshot(Napi::Env env, Napi::Object exports);
void register_diff(Napi::Env env, Napi::Object exports);
void register_reachability(Napi::Env env, Napi::Object exports);
void register_paths(Napi::Env env, Napi::Object exports);
void register_chain(Napi::Env env, Napi::Object exports);
void register_motifs(Napi::Env env, Napi::Object exports);
void register_series(Napi::Env env, Napi::Object exports);
void register_neighborhood(Napi::Env env, Napi::Object exports);
void register_co_active(Napi::Env env, Napi::Object exports);
void register_freshness(Napi::Env env, Napi::Object exports);
void register_entities(Napi::Env env, Napi::Object exports);
void register_aggregate(Napi::Env env, Napi::Object exports);

}  // namespace palimpsest::node
