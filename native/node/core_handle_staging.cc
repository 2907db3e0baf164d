// Staging: operations, columns of events and blocks of the log, taken in at once or on the pool, and sealed.
#include "core/store/event_columns.h"
#include "node/async.h"
#include "node/bulk_header.h"
#include "node/core_handle.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {

// Batches up to these sizes are staged or sealed in well under a millisecond; larger ones go to the pool.
constexpr size_t kInlineBufferBytes = 64 * 1024;
constexpr uint64_t kInlineRows = 2'000;
constexpr size_t kInlineCopyBytes = 1u << 20;

}  // namespace

Napi::Value CoreHandle::stage_ops(const Napi::CallbackInfo& info) {
  const auto bytes = bytes_arg(info[0]);
  const uint32_t first = number_arg(info[1], kNone);
  const RunMode mode = bytes.size() > kInlineBufferBytes ? RunMode::kPool : RunMode::kInline;
  staging(info.Env());
  return run_kernel(
      info.Env(), mode, std::make_shared<StopToken>(),
      [lease = lease_, bytes, first](StopToken&) { return lease->core().stage().apply(bytes, first); },
      [](Napi::Env env) { return env.Undefined(); }, info[0]);
}

Napi::Value CoreHandle::replay_ops(const Napi::CallbackInfo& info) {
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
      [missed](Napi::Env env) -> Napi::Value { return number_list(env, *missed); }, info[0]);
}

Napi::Value CoreHandle::check_events(const Napi::CallbackInfo& info) {
  auto columns = std::make_shared<EventColumns>(event_columns_arg(info[0]));
  const RunMode mode = columns->row_count > kInlineRows ? RunMode::kPool : RunMode::kInline;
  return run_kernel(
      info.Env(), mode, std::make_shared<StopToken>(),
      [columns](StopToken&) { return palimpsest::check_events(*columns); },
      [](Napi::Env env) { return env.Undefined(); }, info[0]);
}

Napi::Value CoreHandle::stage_events(const Napi::CallbackInfo& info) {
  auto header = std::make_shared<BulkHeader>(BulkHeader::from(info[0]));
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

Napi::Value CoreHandle::stage_blocks(const Napi::CallbackInfo& info) {
  auto header = std::make_shared<BulkHeader>(BulkHeader::from(info[0]));
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
              return Status(Code::kLogCorrupt, "a block names a uid as new that has a number", static_cast<int64_t>(i));
            }
          }
          if (Status status = stage.add_block(block.value()); !status.is_ok()) return status;
        }
        return stage.end_events();
      },
      [](Napi::Env env) { return env.Undefined(); }, info[1]);
}

Napi::Value CoreHandle::seal(const Napi::CallbackInfo& info) {
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

Napi::Value CoreHandle::abort(const Napi::CallbackInfo& info) {
  staging(info.Env()).abort();
  if (filter_ != nullptr) filter_->rewind();
  return info.Env().Undefined();
}

}  // namespace palimpsest::node
