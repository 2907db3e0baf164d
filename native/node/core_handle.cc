#include "node/core_handle.h"

#include "node/async.h"
#include "node/store_registry.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

Napi::Function CoreHandle::define(Napi::Env env) {
  return DefineClass(env, "Core",
                     {
                         InstanceMethod<&CoreHandle::close>("close"),
                         InstanceMethod<&CoreHandle::acquire_writer>("acquireWriter"),
                         InstanceMethod<&CoreHandle::announce_writer>("announceWriter"),
                         InstanceMethod<&CoreHandle::release_writer>("releaseWriter"),
                         InstanceAccessor<&CoreHandle::has_writer_handle>("hasWriterHandle"),
                         InstanceMethod<&CoreHandle::stage_ops>("stageOps"),
                         InstanceMethod<&CoreHandle::replay_ops>("replayOps"),
                         InstanceMethod<&CoreHandle::stage_erasure>("stageErasure"),
                         InstanceMethod<&CoreHandle::adopt>("adopt"),
                         InstanceMethod<&CoreHandle::filter_out>("filterOut"),
                         InstanceMethod<&CoreHandle::number_erased>("numberErased"),
                         InstanceMethod<&CoreHandle::name_uid>("nameUid"),
                         InstanceMethod<&CoreHandle::is_named_uid>("isNamedUid"),
                         InstanceMethod<&CoreHandle::stage_filtered>("stageFiltered"),
                         InstanceMethod<&CoreHandle::without_unnamed>("withoutUnnamed"),
                         InstanceMethod<&CoreHandle::spent_keys>("spentKeys"),
                         InstanceMethod<&CoreHandle::check_events>("checkEvents"),
                         InstanceMethod<&CoreHandle::stage_events>("stageEvents"),
                         InstanceMethod<&CoreHandle::stage_blocks>("stageBlocks"),
                         InstanceMethod<&CoreHandle::stage_erased>("stageErased"),
                         InstanceMethod<&CoreHandle::seal>("seal"),
                         InstanceMethod<&CoreHandle::abort>("abort"),
                         InstanceMethod<&CoreHandle::publish>("publish"),
                         InstanceMethod<&CoreHandle::raise_clock_floor>("raiseClockFloor"),
                         InstanceMethod<&CoreHandle::announce_commit>("announceCommit"),
                         InstanceMethod<&CoreHandle::poison>("poison"),
                         InstanceMethod<&CoreHandle::maintain>("maintain"),
                         InstanceMethod<&CoreHandle::view>("view"),
                         InstanceMethod<&CoreHandle::staged_view>("stagedView"),
                         InstanceMethod<&CoreHandle::subscribe>("subscribe"),
                         InstanceAccessor<&CoreHandle::needs_maintenance>("needsMaintenance"),
                         InstanceAccessor<&CoreHandle::staged_tx>("stagedTx"),
                         InstanceAccessor<&CoreHandle::published_tx>("publishedTx"),
                         InstanceAccessor<&CoreHandle::clock_floor>("clockFloor"),
                         InstanceAccessor<&CoreHandle::announced_tx>("announcedTx"),
                         InstanceAccessor<&CoreHandle::announced_time>("announcedTime"),
                         InstanceAccessor<&CoreHandle::bytes>("bytes"),
                         InstanceAccessor<&CoreHandle::is_poisoned>("isPoisoned"),
                     });
}

CoreHandle::CoreHandle(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  info.This().As<Napi::Object>().TypeTag(&kTypeTag);
  const bool is_private = info[0].IsNull() || info[0].IsUndefined();
  core_ = is_private ? std::make_shared<CoreStore>() : StoreRegistry::instance().attach(text_arg(info[0]));
}

CoreHandle::~CoreHandle() { detach(); }

CoreStore& CoreHandle::core(Napi::Env env) const {
  if (core_ == nullptr) throw error_of(env, Status(Code::kInternal, "the core store was closed"));
  return *core_;
}

CoreStore& CoreHandle::staging(Napi::Env env) const {
  core(env);
  if (lease_ == nullptr) throw error_of(env, Status(Code::kInternal, "this handle has no right to write"));
  if (lease_.use_count() > 1) throw error_of(env, Status(Code::kInternal, "this handle's last work is still running"));
  return *core_;
}

void CoreHandle::drop_listener() {
  if (listener_ != 0) core_->remove_listener(std::exchange(listener_, 0));
  callback_.reset();
}

void CoreHandle::detach() {
  if (core_ == nullptr) return;
  drop_listener();
  filter_.reset();
  lease_.reset();
  StoreRegistry::instance().let_go(std::move(core_));
}

Napi::Value CoreHandle::close(const Napi::CallbackInfo& info) {
  detach();
  return info.Env().Undefined();
}

Napi::Value CoreHandle::acquire_writer(const Napi::CallbackInfo& info) {
  core(info.Env());
  if (lease_ == nullptr) lease_ = WriterLease::acquire(core_);
  return Napi::Boolean::New(info.Env(), lease_ != nullptr);
}

Napi::Value CoreHandle::announce_writer(const Napi::CallbackInfo& info) {
  staging(info.Env()).set_writer_handle(true);
  return info.Env().Undefined();
}

Napi::Value CoreHandle::has_writer_handle(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), core(info.Env()).has_writer_handle());
}

Napi::Value CoreHandle::release_writer(const Napi::CallbackInfo& info) {
  core(info.Env());
  lease_.reset();
  return info.Env().Undefined();
}

Napi::Value CoreHandle::publish(const Napi::CallbackInfo& info) {
  const auto chain = bytes_arg(info[0]);
  CoreStore& store = core(info.Env());
  if (lease_ == nullptr || chain.size() != 32 || !store.has_sealed()) {
    throw error_of(info.Env(), Status(Code::kInternal, "there is nothing to publish"));
  }
  store.publish(chain.first<32>());
  return info.Env().Undefined();
}

Napi::Value CoreHandle::raise_clock_floor(const Napi::CallbackInfo& info) {
  core(info.Env()).raise_clock_floor(micros_arg(info[0]));
  return info.Env().Undefined();
}

Napi::Value CoreHandle::announce_commit(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), core(info.Env()).announce_commit(micros_arg(info[0])));
}

Napi::Value CoreHandle::poison(const Napi::CallbackInfo& info) {
  core(info.Env()).poison();
  return info.Env().Undefined();
}

Napi::Value CoreHandle::maintain(const Napi::CallbackInfo& info) {
  staging(info.Env());
  return run_kernel(
      info.Env(), RunMode::kPool, std::make_shared<StopToken>(),
      [lease = lease_](StopToken&) {
        lease->core().maintain();
        return Status::ok();
      },
      [](Napi::Env env) { return env.Undefined(); });
}

Napi::Value CoreHandle::view(const Napi::CallbackInfo& info) { return view_of(info, core(info.Env()).view()); }

Napi::Value CoreHandle::staged_view(const Napi::CallbackInfo& info) {
  return view_of(info, core(info.Env()).staged_view());
}

Napi::Value CoreHandle::view_of(const Napi::CallbackInfo& info, std::shared_ptr<const StoreView> newest) {
  const bool is_newest = info[0].IsNull() || info[0].IsUndefined();
  const Tx tx = is_newest ? newest->tx : number_arg(info[0], newest->tx);
  return make_view_handle(info.Env(), std::move(newest), tx);
}

Napi::Value CoreHandle::subscribe(const Napi::CallbackInfo& info) {
  CoreStore& store = core(info.Env());
  drop_listener();
  if (!info[0].IsFunction()) return info.Env().Undefined();
  auto callback = std::make_shared<Napi::FunctionReference>(Napi::Persistent(info[0].As<Napi::Function>()));
  Runtime& runtime = Runtime::of(info.Env());
  listener_ = store.add_listener([&runtime, callback = std::weak_ptr(callback)](Tx tx) {
    runtime.post([callback, tx](Napi::Env env) {
      if (const auto function = callback.lock()) function->Call({Napi::Number::New(env, tx)});
    });
  });
  callback_ = std::move(callback);
  return info.Env().Undefined();
}

Napi::Value CoreHandle::needs_maintenance(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), staging(info.Env()).needs_maintenance());
}

Napi::Value CoreHandle::staged_tx(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), core(info.Env()).staged_tx());
}

Napi::Value CoreHandle::published_tx(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), core(info.Env()).view()->tx);
}

Napi::Value CoreHandle::clock_floor(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), core(info.Env()).clock_floor());
}

Napi::Value CoreHandle::announced_tx(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), core(info.Env()).announced_tx());
}

Napi::Value CoreHandle::announced_time(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), core(info.Env()).announced_time());
}

Napi::Value CoreHandle::bytes(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(core(info.Env()).bytes()));
}

Napi::Value CoreHandle::is_poisoned(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), core(info.Env()).is_poisoned());
}

}  // namespace palimpsest::node
