#include "node/store_glue.h"

#include "node/async.h"
#include "node/core_handle.h"

namespace palimpsest::node {

void register_store(Napi::Env env, Napi::Object exports) {
  Runtime::of(env).core_class = Napi::Persistent(CoreHandle::define(env));
  exports.Set("openCore", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                return Runtime::of(info.Env()).core_class.New({info[0]});
              }));
}

}  // namespace palimpsest::node
