// The core store for JavaScript. One per (device, inode) in the process, found through a registry; handles of any env
// attach to it. Thin: TypeScript validates, queues and logs; here sizes and types are checked again.
#include "node/store_glue.h"

#include <map>
#include <string>

#include "core/base/pool.h"
#include "core/store/core_store.h"
#include "core/store/erase_filter.h"
#include "node/async.h"
#include "node/values.h"
#include "node/view_handle.h"
#include "node/writer_lease.h"

namespace palimpsest::node {

namespace {

// Batches up to these sizes are staged or sealed in well under a millisecond; larger ones go to the pool.
constexpr size_t kInlineBufferBytes = 64 * 1024;
constexpr uint64_t kInlineRows = 2'000;
constexpr size_t kInlineCopyBytes = 1u << 20;
constexpr uint32_t kErasedEdges = 1u << 16;  // numbers of one erased item: a block has 1,024 at most

class Registry {
 public:
  static Registry& instance() {
    static auto* registry = new Registry();
    return *registry;
  }
  std::shared_ptr<CoreStore> attach(const std::string& key) {
    std::lock_guard lock(mutex_);
    std::shared_ptr<CoreStore> core = stores_[key].lock();
    if (core == nullptr || core->is_poisoned()) {
      core = std::make_shared<CoreStore>();
      stores_[key] = core;
    }
    std::erase_if(stores_, [](const auto& entry) { return entry.second.expired(); });
    return core;
  }
  /// Drops a handle's share of a store. With the last one the store can no longer be found, at once; what it held may
  /// be gigabytes and is freed on the pool.
  void let_go(std::shared_ptr<CoreStore> core) {
    {
      std::lock_guard lock(mutex_);
      if (core.use_count() > 1) return;
      std::erase_if(stores_, [&](const auto& entry) { return entry.second.lock() == core; });
    }
    try {
      Pool::shared().submit([held = std::move(core)]() mutable { held.reset(); });
    } catch (const std::exception&) {
      // No thread, or no memory for the task: then it went here.
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<CoreStore>> stores_;
};

std::string_view text_view(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

/// The header of a bulk operation, owning its texts.
struct OwnedHeader {
  std::vector<std::string> labels;
  std::optional<std::string> source, provenance_ref, reason;

  static OwnedHeader from(const Napi::Value& value) {
    OwnedHeader header;
    const Napi::Object object = object_arg(value);
    const Napi::Array labels = array_arg(object.Get("nodeLabels"));
    for (uint32_t i = 0; i < labels.Length(); ++i) header.labels.push_back(text_arg(labels.Get(i)));
    const auto text = [&](const char* name) -> std::optional<std::string> {
      const Napi::Value given = object.Get(name);
      return given.IsString() ? std::optional(given.As<Napi::String>().Utf8Value()) : std::nullopt;
    };
    header.source = text("source");
    header.provenance_ref = text("provenanceRef");
    header.reason = text("reason");
    return header;
  }
  EventsHeader view() const {
    return {{labels.begin(), labels.end()}, text_view(source), text_view(provenance_ref), text_view(reason)};
  }
};

constexpr napi_type_tag kCoreTag = {0x5e0f4a1cb7d23986, 0x83c6d94e1f70a52b};

class CoreHandle : public Napi::ObjectWrap<CoreHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
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
  explicit CoreHandle(const Napi::CallbackInfo& info) : ObjectWrap(info) {
    info.This().As<Napi::Object>().TypeTag(&kCoreTag);
    const bool is_private = info[0].IsNull() || info[0].IsUndefined();
    core_ = is_private ? std::make_shared<CoreStore>() : Registry::instance().attach(text_arg(info[0]));
  }
  ~CoreHandle() override { detach(); }

 private:
  CoreStore& core(Napi::Env env) const {
    if (core_ == nullptr) throw error_of(env, Status(Code::kInternal, "the core store was closed"));
    return *core_;
  }
  /// The store for staging: by the handle that has the right to, and only while none of its work runs on the pool.
  CoreStore& staging(Napi::Env env) const {
    core(env);
    if (lease_ == nullptr) throw error_of(env, Status(Code::kInternal, "this handle has no right to write"));
    if (lease_.use_count() > 1)
      throw error_of(env, Status(Code::kInternal, "this handle's last work is still running"));
    return *core_;
  }
  /// What was posted for it and not yet called finds it gone.
  void drop_listener() {
    if (listener_ != 0) core_->remove_listener(std::exchange(listener_, 0));
    callback_.reset();
  }
  void detach() {
    if (core_ == nullptr) return;
    drop_listener();
    filter_.reset();
    lease_.reset();
    Registry::instance().let_go(std::move(core_));
  }

  Napi::Value close(const Napi::CallbackInfo& info) {
    detach();
    return info.Env().Undefined();
  }
  /// acquireWriter(): true when this handle may stage from now on.
  Napi::Value acquire_writer(const Napi::CallbackInfo& info) {
    core(info.Env());
    if (lease_ == nullptr) lease_ = WriterLease::acquire(core_);
    return Napi::Boolean::New(info.Env(), lease_ != nullptr);
  }
  /// announceWriter(): this handle, which may stage, is a writer and no follower.
  Napi::Value announce_writer(const Napi::CallbackInfo& info) {
    staging(info.Env()).set_writer_handle(true);
    return info.Env().Undefined();
  }
  Napi::Value has_writer_handle(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), core(info.Env()).has_writer_handle());
  }
  Napi::Value release_writer(const Napi::CallbackInfo& info) {
    core(info.Env());
    lease_.reset();
    return info.Env().Undefined();
  }

  /// stageOps(buffer, firstOperation): nothing, or a promise when the buffer is large. Throws E_NOT_FOUND and E_LIMIT
  /// with the operation's position; the caller then aborts.
  Napi::Value stage_ops(const Napi::CallbackInfo& info) {
    const auto bytes = bytes_arg(info[0]);
    const uint32_t first = number_arg(info[1], kNone);
    const RunMode mode = bytes.size() > kInlineBufferBytes ? RunMode::kPool : RunMode::kInline;
    staging(info.Env());
    return run_kernel(
        info.Env(), mode, std::make_shared<StopToken>(),
        [lease = lease_, bytes, first](StopToken&) { return lease->core().stage().apply(bytes, first); },
        [](Napi::Env env) { return env.Undefined(); }, info[0]);
  }

  /// replayOps(buffer, firstOperation): positions of operations that found nothing to correct or retract, which is no
  /// error here; or a promise of them.
  Napi::Value replay_ops(const Napi::CallbackInfo& info) {
    const auto bytes = bytes_arg(info[0]);
    const uint32_t first = number_arg(info[1], kNone);
    const RunMode mode = bytes.size() > kInlineBufferBytes ? RunMode::kPool : RunMode::kInline;
    staging(info.Env());
    auto missed = std::make_shared<std::vector<uint32_t>>();
    return run_kernel(
        info.Env(), mode, std::make_shared<StopToken>(),
        [lease = lease_, bytes, first, missed](StopToken&) {
          return lease->core().stage().apply(bytes, first, missed.get());
        },
        [missed](Napi::Env env) -> Napi::Value { return numbers(env, *missed); }, info[0]);
  }

  /// stageErasure(firstTx, spentKeys): the operation that erased an identity, on replay.
  Napi::Value stage_erasure(const Napi::CallbackInfo& info) {
    Stage& stage = staging(info.Env()).stage();
    const Tx first_tx = number_arg(info[0], kNeverTx - 1);
    const Napi::Array list = array_arg(info[1]);
    std::vector<uint32_t> keys;
    for (uint32_t i = 0; i < list.Length(); ++i) keys.push_back(number_arg(list.Get(i), kNone));
    if (first_tx == 0)
      throw error_of(info.Env(), Status(Code::kInternal, "an erasure reaches back to commit 1 at most"));
    stage.note_erasure(first_tx, std::move(keys));
    return info.Env().Undefined();
  }
  /// adopt(core): goes on with what another core of the same store holds, which may be closed then.
  Napi::Value adopt(const Napi::CallbackInfo& info) {
    CoreStore& store = staging(info.Env());
    const bool is_core = info[0].IsObject() && info[0].As<Napi::Object>().CheckTypeTag(&kCoreTag);
    CoreHandle* other = is_core ? Unwrap(info[0].As<Napi::Object>()) : nullptr;
    if (other == nullptr || other == this || &other->staging(info.Env()) == &store || store.has_sealed() ||
        other->core_->has_sealed() || other->core_->staged_tx() < store.staged_tx()) {
      throw error_of(info.Env(), Status(Code::kInternal, "another core of the store is expected, as far as this one"));
    }
    store.adopt(*other->core_);
    return info.Env().Undefined();
  }

  // --- erasing: a core of its own takes in the log without one identity ---

  EraseFilter& filter(Napi::Env env) const {
    staging(env);
    if (filter_ == nullptr) throw error_of(env, Status(Code::kInternal, "nothing is being erased"));
    return *filter_;
  }
  static std::vector<std::string> names_arg(const Napi::Value& value) {
    const Napi::Array list = array_arg(value);
    std::vector<std::string> names;
    for (uint32_t i = 0; i < list.Length() && i <= 4; ++i) names.push_back(text_arg(list.Get(i)));
    if (names.size() != 1 && names.size() != 4) {
      throw error_of(value.Env(), Status(Code::kInternal, "a uid, or src, type, dst and key are expected"));
    }
    return names;
  }
  static Napi::Array numbers(Napi::Env env, const std::vector<uint32_t>& values) {
    Napi::Array list = Napi::Array::New(env, values.size());
    for (uint32_t i = 0; i < values.size(); ++i) list.Set(i, values[i]);
    return list;
  }
  static Napi::Array uid_list(Napi::Env env, const std::vector<std::string>& uids) {
    Napi::Array list = Napi::Array::New(env, uids.size());
    for (uint32_t i = 0; i < uids.size(); ++i) {
      list.Set(i, uids[i].empty() ? env.Null() : Napi::Value(Napi::String::New(env, uids[i])));
    }
    return list;
  }
  /// filterOut(names): what is staged from now on is looked through for this identity.
  Napi::Value filter_out(const Napi::CallbackInfo& info) {
    Tables& tables = staging(info.Env()).tables();
    filter_ = std::make_shared<EraseFilter>(tables, names_arg(info[0]));
    return info.Env().Undefined();
  }
  /// numberErased(names): {edgeNumbers, uids} that an assertion of the identity used up; a null uid is the identity's.
  Napi::Value number_erased(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const EraseFilter::Numbers taken = filter(env).number_assertion(names_arg(info[0]));
    Napi::Object out = Napi::Object::New(env);
    out.Set("edgeNumbers", taken.edges);
    out.Set("uids", uid_list(env, taken.uids));
    return out;
  }
  /// nameUid(uid): something that stays names it.
  Napi::Value name_uid(const Napi::CallbackInfo& info) {
    filter(info.Env()).name_uid(text_arg(info[0]));
    return info.Env().Undefined();
  }
  Napi::Value is_named_uid(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), filter(info.Env()).is_named_uid(text_arg(info[0])));
  }
  /// stageFiltered(header, blocks): a bulk operation without the rows of the identity. What became of each block.
  Napi::Value stage_filtered(const Napi::CallbackInfo& info) {
    auto header = std::make_shared<OwnedHeader>(OwnedHeader::from(info[0]));
    auto blocks = std::make_shared<std::vector<std::span<const uint8_t>>>();
    const Napi::Array list = array_arg(info[1]);
    for (uint32_t i = 0; i < list.Length(); ++i) blocks->push_back(bytes_arg(list.Get(i)));
    filter(info.Env());
    auto filtered = std::make_shared<std::vector<EraseFilter::Filtered>>();
    return run_kernel(
        info.Env(), blocks->size() > 2 ? RunMode::kPool : RunMode::kInline, std::make_shared<StopToken>(),
        [lease = lease_, filter = filter_, header, blocks, filtered](StopToken&) -> Status {
          Stage& stage = lease->core().stage();
          if (Status status = stage.begin_events(header->view()); !status.is_ok()) return status;
          for (const auto bytes : *blocks) {
            auto block = decode_block(bytes, kBlockRowLimit);
            if (!block.is_ok()) return Status(block.status().code(), block.status().message());
            filtered->push_back(filter->filter(block.value()));
            if (Status status = stage.add_block(block.value()); !status.is_ok()) return status;
          }
          return stage.end_events();
        },
        [filtered](Napi::Env env) -> Napi::Value {
          Napi::Array out = Napi::Array::New(env, filtered->size());
          for (uint32_t i = 0; i < filtered->size(); ++i) {
            const EraseFilter::Filtered& block = (*filtered)[i];
            Napi::Object entry = Napi::Object::New(env);
            entry.Set("bytes", block.bytes.empty() ? env.Null()
                                                   : Napi::Value(Napi::Buffer<uint8_t>::Copy(env, block.bytes.data(),
                                                                                             block.bytes.size())));
            entry.Set("rowsLeft", block.rows_left);
            entry.Set("edgeNumbers", block.edge_numbers);
            entry.Set("firstNode", block.first_node);
            entry.Set("newUids", block.has_holes ? Napi::Value(uid_list(env, block.new_uids)) : env.Null());
            out.Set(i, entry);
          }
          return out;
        },
        info[1]);
  }
  /// withoutUnnamed(block, firstNode): the block without the new uids that nothing names; null when it has none.
  Napi::Value without_unnamed(const Napi::CallbackInfo& info) {
    const auto bytes = filter(info.Env()).without_unnamed(bytes_arg(info[0]), number_arg(info[1], kNone));
    if (bytes.empty()) return info.Env().Null();
    return Napi::Buffer<uint8_t>::Copy(info.Env(), bytes.data(), bytes.size());
  }
  /// spentKeys(): see EraseFilter.
  Napi::Value spent_keys(const Napi::CallbackInfo& info) {
    return numbers(info.Env(), filter(info.Env()).spent_keys());
  }

  /// checkEvents(columns): a promise; E_SCHEMA, E_INVALID_ARG and E_PERIOD_ORDER carry the row.
  Napi::Value check_events(const Napi::CallbackInfo& info) {
    auto columns = std::make_shared<EventColumns>(event_columns_arg(info[0]));
    const RunMode mode = columns->row_count > kInlineRows ? RunMode::kPool : RunMode::kInline;
    return run_kernel(
        info.Env(), mode, std::make_shared<StopToken>(),
        [columns](StopToken&) { return palimpsest::check_events(*columns); },
        [](Napi::Env env) { return env.Undefined(); }, info[0]);
  }

  /// stageEvents(header, columns): applies checked columns and gives their blocks for the log as {bytes, ends}.
  Napi::Value stage_events(const Napi::CallbackInfo& info) {
    auto header = std::make_shared<OwnedHeader>(OwnedHeader::from(info[0]));
    auto columns = std::make_shared<EventColumns>(event_columns_arg(info[1]));
    struct Blocks {
      std::vector<uint8_t> bytes;
      std::vector<double> ends;
    };
    auto blocks = std::make_shared<Blocks>();
    const RunMode mode = columns->row_count > kInlineRows ? RunMode::kPool : RunMode::kInline;
    staging(info.Env());
    return run_kernel(
        info.Env(), mode, std::make_shared<StopToken>(),
        [lease = lease_, header, columns, blocks](StopToken&) -> Status {
          Stage& stage = lease->core().stage();
          if (Status status = check_layout(*columns); !status.is_ok()) return status;
          if (Status status = stage.begin_events(header->view()); !status.is_ok()) return status;
          EventCutter cutter(*columns, lease->core().tables().uids);
          uint32_t first_row = 0;
          while (const EventBlock* block = cutter.next()) {
            Status status = stage.add_block(*block);
            if (!status.is_ok())
              return Status(status.code(), status.message(), first_row + std::max<int64_t>(0, status.position()));
            encode_block(*block, blocks->bytes);
            blocks->ends.push_back(static_cast<double>(blocks->bytes.size()));
            first_row += block->row_count;
          }
          return stage.end_events();
        },
        [blocks](Napi::Env env) -> Napi::Value {
          Napi::Object out = Napi::Object::New(env);
          Napi::Uint8Array bytes = Napi::Uint8Array::New(env, blocks->bytes.size());
          Napi::Float64Array ends = Napi::Float64Array::New(env, blocks->ends.size());
          std::copy(blocks->ends.begin(), blocks->ends.end(), ends.Data());
          out.Set("bytes", bytes);
          out.Set("ends", ends);
          // Much memory is filled on the pool: touching new pages for the first time takes longer than copying.
          auto result = std::make_shared<Napi::ObjectReference>(Napi::Persistent(out));
          return run_kernel(
              env, blocks->bytes.size() > kInlineCopyBytes ? RunMode::kPool : RunMode::kInline,
              std::make_shared<StopToken>(),
              [blocks, target = bytes.Data()](StopToken&) {
                std::copy(blocks->bytes.begin(), blocks->bytes.end(), target);
                return Status::ok();
              },
              [result](Napi::Env) -> Napi::Value { return result->Value(); }, out);
        },
        info[1]);
  }

  /// stageBlocks(header, blocks): the same operation from the log, on replay. E_LOG_CORRUPT when a block is not one.
  Napi::Value stage_blocks(const Napi::CallbackInfo& info) {
    auto header = std::make_shared<OwnedHeader>(OwnedHeader::from(info[0]));
    auto blocks = std::make_shared<std::vector<std::span<const uint8_t>>>();
    const Napi::Array list = array_arg(info[1]);
    for (uint32_t i = 0; i < list.Length(); ++i) blocks->push_back(bytes_arg(list.Get(i)));
    staging(info.Env());
    return run_kernel(
        info.Env(), blocks->size() > 2 ? RunMode::kPool : RunMode::kInline, std::make_shared<StopToken>(),
        [lease = lease_, header, blocks](StopToken&) -> Status {
          Stage& stage = lease->core().stage();
          TextTable& uids = lease->core().tables().uids;
          if (Status status = stage.begin_events(header->view()); !status.is_ok()) return status;
          for (size_t i = 0; i < blocks->size(); ++i) {
            auto block = decode_block((*blocks)[i], kBlockRowLimit);
            if (!block.is_ok()) return Status(block.status().code(), block.status().message(), static_cast<int64_t>(i));
            for (const std::string_view uid : block.value().new_uids) {
              const uint32_t before = uids.count();
              if (uid.empty()) {
                uids.add_unnamed();
                continue;
              }
              if (uids.intern(uid) != before) {
                return Status(Code::kLogCorrupt, "a block names a uid as new that has a number",
                              static_cast<int64_t>(i));
              }
            }
            if (Status status = stage.add_block(block.value()); !status.is_ok()) return status;
          }
          return stage.end_events();
        },
        [](Napi::Env env) { return env.Undefined(); }, info[1]);
  }

  /// stageErased(edgeNumbers, nodeUids): the numbers that an erased operation used up; a uid that others still name
  /// keeps its number, null stands for one that is gone.
  Napi::Value stage_erased(const Napi::CallbackInfo& info) {
    Tables& tables = staging(info.Env()).tables();
    const uint32_t edge_count = number_arg(info[0], kErasedEdges);
    const Napi::Array uids = array_arg(info[1]);
    for (uint32_t i = 0; i < edge_count; ++i) tables.edges.add_erased();
    for (uint32_t i = 0; i < uids.Length(); ++i) {
      const Napi::Value uid = uids.Get(i);
      if (filter_ != nullptr) {
        filter_->number_uid(uid.IsString() ? uid.As<Napi::String>().Utf8Value() : std::string());
        continue;
      }
      uid.IsString() ? tables.uids.intern(uid.As<Napi::String>().Utf8Value()) : tables.uids.add_unnamed();
    }
    return info.Env().Undefined();
  }

  /// seal(txTime): the commit's number, or a promise of it when the batch is large.
  Napi::Value seal(const Napi::CallbackInfo& info) {
    const Micros tx_time = micros_arg(info[0]);
    const RunMode mode = staging(info.Env()).stage().pending_rows() > kInlineRows ? RunMode::kPool : RunMode::kInline;
    if (filter_ != nullptr) filter_->keep();
    auto tx = std::make_shared<Tx>(0);
    return run_kernel(
        info.Env(), mode, std::make_shared<StopToken>(),
        [lease = lease_, tx, tx_time](StopToken&) {
          *tx = lease->core().seal(tx_time);
          return Status::ok();
        },
        [tx](Napi::Env env) { return Napi::Number::New(env, *tx); });
  }
  Napi::Value abort(const Napi::CallbackInfo& info) {
    staging(info.Env()).abort();
    if (filter_ != nullptr) filter_->rewind();
    return info.Env().Undefined();
  }
  /// publish(chain): makes the oldest sealed commit visible and tells every subscriber.
  Napi::Value publish(const Napi::CallbackInfo& info) {
    const auto chain = bytes_arg(info[0]);
    CoreStore& store = core(info.Env());
    if (lease_ == nullptr || chain.size() != 32 || !store.has_sealed()) {
      throw error_of(info.Env(), Status(Code::kInternal, "there is nothing to publish"));
    }
    store.publish(chain.first<32>());
    return info.Env().Undefined();
  }
  /// raiseClockFloor(us): later commits take later times.
  Napi::Value raise_clock_floor(const Napi::CallbackInfo& info) {
    core(info.Env()).raise_clock_floor(micros_arg(info[0]));
    return info.Env().Undefined();
  }
  /// announceCommit(us): settles the time of the next commit; false when it is not above the floor.
  Napi::Value announce_commit(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), core(info.Env()).announce_commit(micros_arg(info[0])));
  }
  Napi::Value poison(const Napi::CallbackInfo& info) {
    core(info.Env()).poison();
    return info.Env().Undefined();
  }
  Napi::Value maintain(const Napi::CallbackInfo& info) {
    staging(info.Env());
    return run_kernel(
        info.Env(), RunMode::kPool, std::make_shared<StopToken>(),
        [lease = lease_](StopToken&) {
          lease->core().maintain();
          return Status::ok();
        },
        [](Napi::Env env) { return env.Undefined(); });
  }
  /// view(tx | null): the newest published view, read as of commit `tx`.
  Napi::Value view(const Napi::CallbackInfo& info) { return view_of(info, core(info.Env()).view()); }
  /// stagedView(tx | null): the newest sealed view, of commits that may not be published yet.
  Napi::Value staged_view(const Napi::CallbackInfo& info) { return view_of(info, core(info.Env()).staged_view()); }
  static Napi::Value view_of(const Napi::CallbackInfo& info, std::shared_ptr<const StoreView> newest) {
    const bool is_newest = info[0].IsNull() || info[0].IsUndefined();
    const Tx tx = is_newest ? newest->tx : number_arg(info[0], newest->tx);
    return make_view_handle(info.Env(), std::move(newest), tx);
  }
  /// subscribe(callback | null): called with the newest published tx after each publication, by whichever env.
  Napi::Value subscribe(const Napi::CallbackInfo& info) {
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

  Napi::Value needs_maintenance(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), staging(info.Env()).needs_maintenance());
  }
  Napi::Value staged_tx(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), core(info.Env()).staged_tx());
  }
  Napi::Value published_tx(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), core(info.Env()).view()->tx);
  }
  Napi::Value clock_floor(const Napi::CallbackInfo& info) {
    return Napi::BigInt::New(info.Env(), core(info.Env()).clock_floor());
  }
  Napi::Value announced_tx(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), core(info.Env()).announced_tx());
  }
  Napi::Value announced_time(const Napi::CallbackInfo& info) {
    return Napi::BigInt::New(info.Env(), core(info.Env()).announced_time());
  }
  Napi::Value bytes(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), static_cast<double>(core(info.Env()).bytes()));
  }
  Napi::Value is_poisoned(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), core(info.Env()).is_poisoned());
  }

  std::shared_ptr<CoreStore> core_;
  std::shared_ptr<EraseFilter> filter_;
  std::shared_ptr<WriterLease> lease_;  // counts this handle and its work on the pool; touched on this thread only
  uint64_t listener_ = 0;
  std::shared_ptr<Napi::FunctionReference> callback_;
};

}  // namespace

void register_store(Napi::Env env, Napi::Object exports) {
  Runtime::of(env).core_class = Napi::Persistent(CoreHandle::define(env));
  exports.Set("openCore", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                return Runtime::of(info.Env()).core_class.New({info[0]});
              }));
}

}  // namespace palimpsest::node
