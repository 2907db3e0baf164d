// A pinned view as a JavaScript object. It holds the view until `release()` or the collector; kernels take its pin.
#pragma once

#include <napi.h>

#include <optional>

#include "core/store/store_view.h"

namespace palimpsest::node {

/// The pin behind a view handle, which may be released while the caller reads its other arguments. Throws E_INTERNAL
/// for anything else and for a released one.
Pin pin_of(const Napi::Value& view_handle);

/// A new handle on a view as of commit `tx`.
Napi::Value make_view_handle(Napi::Env env, std::shared_ptr<const StoreView> view, Tx tx);

void register_views(Napi::Env env, Napi::Object exports);

}  // namespace palimpsest::node
