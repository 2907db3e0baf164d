// Erasing: what is staged is looked through for one identity, and numbers that it used up stay used.
#include "node/async.h"
#include "node/bulk_header.h"
#include "node/core_handle.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kErasedEdges = 1u << 16;  // numbers of one erased item: a block has 1,024 at most

std::vector<std::string> names_arg(const Napi::Value& value) {
  const Napi::Array list = array_arg(value);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < list.Length() && i <= 4; ++i) names.push_back(text_arg(list.Get(i)));
  if (names.size() != 1 && names.size() != 4) {
    throw error_of(value.Env(), Status(Code::kInternal, "a uid, or src, type, dst and key are expected"));
  }
  return names;
}

Napi::Array uid_list(Napi::Env env, const std::vector<std::string>& uids) {
  Napi::Array list = Napi::Array::New(env, uids.size());
  for (uint32_t i = 0; i < uids.size(); ++i) {
    list.Set(i, uids[i].empty() ? env.Null() : Napi::Value(Napi::String::New(env, uids[i])));
  }
  return list;
}

}  // namespace

Napi::Value CoreHandle::stage_erasure(const Napi::CallbackInfo& info) {
  Stage& stage = staging(info.Env()).stage();
  const Tx first_tx = number_arg(info[0], kNeverTx - 1);
  const Napi::Array list = array_arg(info[1]);
  std::vector<uint32_t> keys;
  for (uint32_t i = 0; i < list.Length(); ++i) keys.push_back(number_arg(list.Get(i), kNone));
  if (first_tx == 0) throw error_of(info.Env(), Status(Code::kInternal, "an erasure reaches back to commit 1 at most"));
  stage.note_erasure(first_tx, std::move(keys));
  return info.Env().Undefined();
}

Napi::Value CoreHandle::adopt(const Napi::CallbackInfo& info) {
  CoreStore& store = staging(info.Env());
  const bool is_core = info[0].IsObject() && info[0].As<Napi::Object>().CheckTypeTag(&kTypeTag);
  CoreHandle* other = is_core ? Unwrap(info[0].As<Napi::Object>()) : nullptr;
  if (other == nullptr || other == this || &other->staging(info.Env()) == &store || store.has_sealed() ||
      other->core_->has_sealed() || other->core_->staged_tx() < store.staged_tx()) {
    throw error_of(info.Env(), Status(Code::kInternal, "another core of the store is expected, as far as this one"));
  }
  store.adopt(*other->core_);
  return info.Env().Undefined();
}

EraseFilter& CoreHandle::filter(Napi::Env env) const {
  staging(env);
  if (filter_ == nullptr) throw error_of(env, Status(Code::kInternal, "nothing is being erased"));
  return *filter_;
}

Napi::Value CoreHandle::filter_out(const Napi::CallbackInfo& info) {
  Tables& tables = staging(info.Env()).tables();
  filter_ = std::make_shared<EraseFilter>(tables, names_arg(info[0]));
  return info.Env().Undefined();
}

Napi::Value CoreHandle::number_erased(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EraseFilter::Numbers taken = filter(env).number_assertion(names_arg(info[0]));
  Napi::Object out = Napi::Object::New(env);
  out.Set("edgeNumbers", taken.edges);
  out.Set("uids", uid_list(env, taken.uids));
  return out;
}

Napi::Value CoreHandle::name_uid(const Napi::CallbackInfo& info) {
  filter(info.Env()).name_uid(text_arg(info[0]));
  return info.Env().Undefined();
}

Napi::Value CoreHandle::is_named_uid(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), filter(info.Env()).is_named_uid(text_arg(info[0])));
}

Napi::Value CoreHandle::stage_filtered(const Napi::CallbackInfo& info) {
  auto header = std::make_shared<BulkHeader>(BulkHeader::from(info[0]));
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

Napi::Value CoreHandle::without_unnamed(const Napi::CallbackInfo& info) {
  const auto bytes = filter(info.Env()).without_unnamed(bytes_arg(info[0]), number_arg(info[1], kNone));
  if (bytes.empty()) return info.Env().Null();
  return Napi::Buffer<uint8_t>::Copy(info.Env(), bytes.data(), bytes.size());
}

Napi::Value CoreHandle::spent_keys(const Napi::CallbackInfo& info) {
  return number_list(info.Env(), filter(info.Env()).spent_keys());
}

Napi::Value CoreHandle::stage_erased(const Napi::CallbackInfo& info) {
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

}  // namespace palimpsest::node
