#include "node/view_handle.h"

#include "node/async.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {

Napi::Value instant_or_null(Napi::Env env, bool has_value, Micros value) {
  return has_value ? Napi::Value(Napi::BigInt::New(env, value)) : env.Null();
}

// Only what bears the tag is unwrapped: a wrapped object of another class is no view, whatever its prototype says.
constexpr napi_type_tag kViewTag = {0x0b3a7c51d2e94f68, 0x9d5e1f20c47ba836};

class ViewHandle : public Napi::ObjectWrap<ViewHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "View",
                       {
                           InstanceAccessor<&ViewHandle::tx>("tx"),
                           InstanceMethod<&ViewHandle::release>("release"),
                           InstanceMethod<&ViewHandle::commit>("commit"),
                           InstanceMethod<&ViewHandle::tx_at>("txAt"),
                           InstanceMethod<&ViewHandle::at>("at"),
                           InstanceMethod<&ViewHandle::head_tx>("headTx"),
                           InstanceMethod<&ViewHandle::erasures>("erasures"),
                       });
  }
  explicit ViewHandle(const Napi::CallbackInfo& info) : ObjectWrap(info) {
    info.This().As<Napi::Object>().TypeTag(&kViewTag);
  }

  void set(Pin pin) { pin_ = std::move(pin); }
  const Pin& pin(Napi::Env env) const {
    if (!pin_) throw error_of(env, Status(Code::kInternal, "the view was released"));
    return *pin_;
  }

 private:
  Napi::Value tx(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), pin(info.Env()).tx()); }
  Napi::Value head_tx(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), pin(info.Env()).view().tx);
  }
  Napi::Value release(const Napi::CallbackInfo& info) {
    pin_.reset();
    return info.Env().Undefined();
  }
  /// at(tx): another handle on the same view, read as of another commit.
  Napi::Value at(const Napi::CallbackInfo& info) {
    const Pin& pinned = pin(info.Env());
    const Tx tx = number_arg(info[0], pinned.view().tx);
    return make_view_handle(info.Env(), pinned.shared_view(), tx);
  }
  /// commit(n): the record of a commit up to the view's, counts of the state after it included.
  Napi::Value commit(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const Pin& pinned = pin(env);
    const Tx number = number_arg(info[0], pinned.view().tx);
    const Commit record = pinned.commit(number);
    const bool is_last = number == pinned.view().tx;
    const Commit next = is_last ? Commit{} : pinned.commit(number + 1);
    Napi::Object out = Napi::Object::New(env);
    out.Set("txTime", instant_or_null(env, number > 0, record.tx_time));
    out.Set("nodes", record.known_nodes);
    out.Set("edges", record.known_edges);
    out.Set("believedNodes", record.believed_nodes);
    out.Set("believedEdges", record.believed_edges);
    out.Set("nodeRows", is_last ? pinned.view().node_rows : next.first_node_row);
    out.Set("edgeRows", is_last ? pinned.view().edge_rows : next.first_edge_row);
    out.Set("operations", record.operations);
    out.Set("asserted", record.asserted);
    out.Set("retracted", record.retracted);
    out.Set("corrected", record.corrected);
    const std::array<uint8_t, 32> chain = pinned.chain(number);
    out.Set("chain", Napi::Buffer<uint8_t>::Copy(env, chain.data(), chain.size()));
    out.Set("ingested", static_cast<double>(record.ingested));
    return out;
  }
  /// txAt(us): the greatest commit of the view that is not later; 0 when there is none.
  Napi::Value tx_at(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), pin(info.Env()).tx_at(micros_arg(info[0])));
  }
  /// erasures(): tx of each erasure up to the view's commit, with the commit that first wrote something it removed, end
  /// to end.
  Napi::Value erasures(const Napi::CallbackInfo& info) {
    const StoreView& view = pin(info.Env()).view();
    Napi::Array list = Napi::Array::New(info.Env(), size_t{2} * view.erasure_count);
    for (uint32_t i = 0; i < view.erasure_count; ++i) {
      const Erasure erasure = view.tables->erasures.get(i);
      list.Set(2 * i, erasure.tx);
      list.Set(2 * i + 1, erasure.first_tx);
    }
    return list;
  }
  std::optional<Pin> pin_;
};

}  // namespace

Pin pin_of(const Napi::Value& view_handle) {
  if (!view_handle.IsObject() || !view_handle.As<Napi::Object>().CheckTypeTag(&kViewTag)) {
    throw error_of(view_handle.Env(), Status(Code::kInternal, "a view is expected"));
  }
  return ViewHandle::Unwrap(view_handle.As<Napi::Object>())->pin(view_handle.Env());
}

Napi::Value make_view_handle(Napi::Env env, std::shared_ptr<const StoreView> view, Tx tx) {
  Napi::Object handle = Runtime::of(env).view_class.New({});
  ViewHandle::Unwrap(handle)->set(Pin(std::move(view), tx));
  return handle;
}

void register_views(Napi::Env env, Napi::Object) {
  Runtime::of(env).view_class = Napi::Persistent(ViewHandle::define(env));
}

}  // namespace palimpsest::node
