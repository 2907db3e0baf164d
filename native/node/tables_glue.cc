// Rows of the base tables for JavaScript: fetching, history and the lines of the store digest; scans are in
// scan_glue.cc. Thin: arguments become numbers, rows become packs.
#include <napi.h>

#include "core/kernels/digest_lines.h"
#include "core/kernels/history.h"
#include "node/async.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/scan_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

constexpr size_t kDigestChunkBytes = 1u << 20;

/// fetchRows(view, kind, rows, columns): pack.
Napi::Value fetch_rows(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Kind kind = kind_arg(info[1]);
  const auto rows = numbers_arg(info[2], pin.row_cut(kind));
  const auto columns = columns_arg(info[3], pin);
  RowPack pack;
  RowFetcher fetcher(pin, columns, pack);
  for (const Row row : rows) fetcher.add({row, kind});
  check(info.Env(), fetcher.status());
  return row_pack_value(info.Env(), pack);
}

/// fetchUids(view, nodes): pack of one text each.
Napi::Value fetch_uids(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  RowPack pack;
  for (const NodeNumber node : numbers_arg(info[1], pin.view().node_count)) {
    pack.add_text(pin.tables().uids.get(node));
  }
  return row_pack_value(info.Env(), pack);
}

/// fetchEdgeIds(view, edges): pack of src, type, dst, key.
Napi::Value fetch_edge_ids(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Tables& tables = pin.tables();
  RowPack pack;
  for (const EdgeNumber edge : numbers_arg(info[1], uint64_t{pin.view().edge_count} + 1)) {
    // No edge has the number 0, or one that an erased event used up.
    if (tables.edges.src(edge) == kNone) {
      throw error_of(info.Env(), Status(Code::kInternal, "a number is no edge's"));
    }
    pack.add_text(tables.uids.get(tables.edges.src(edge)));
    pack.add_text(tables.types.get(tables.edges.type(edge)));
    pack.add_text(tables.uids.get(tables.edges.dst(edge)));
    pack.add_text(tables.edges.key(edge));
  }
  return row_pack_value(info.Env(), pack);
}

/// formatInstants(times): pack of one text each, null for an open end.
Napi::Value format_instants(const Napi::CallbackInfo& info) {
  if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_bigint64_array) {
    throw error_of(info.Env(), Status(Code::kInternal, "a BigInt64Array is expected"));
  }
  const auto times = info[0].As<Napi::BigInt64Array>();
  RowPack pack;
  for (size_t i = 0; i < times.ElementLength(); ++i) pack.add_end(times.Data()[i]);
  return row_pack_value(info.Env(), pack);
}

/// entityHistory(view, ref, from, to, columns, ordinal, limit): [pack, total, spells].
Napi::Value entity_history(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Identity identity = identity_arg(info[1], pin);
  const auto columns = columns_arg(info[4], pin);
  const PageSpan page = page_arg(info[5], info[6]);
  EntityVersions found;
  if (identity.number) found = entity_versions(pin, identity.kind, *identity.number, window_arg(info[2], info[3]));
  RowPack pack;
  RowFetcher fetcher(pin, columns, pack);
  const uint64_t end = std::min<uint64_t>(found.rows.size(), page.ordinal + page.limit);
  for (uint64_t i = page.ordinal; i < end; ++i) fetcher.add({found.rows[i], identity.kind});
  check(info.Env(), fetcher.status());
  Napi::Array out = Napi::Array::New(info.Env(), 3);
  out.Set(0u, row_pack_value(info.Env(), pack));
  out.Set(1u, Napi::Number::New(info.Env(), static_cast<double>(found.rows.size())));
  out.Set(2u, Napi::Number::New(info.Env(), found.spells));
  return out;
}

/// incidentEdges(view, uid, from, to, filter, columns, ordinal, limit, stop): [pack, total] or a promise of it.
Napi::Value incident_edges(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const NodeNumber node = pin.known_node(text_arg(info[1]));
  const ValidWindow window = window_arg(info[2], info[3]);
  const auto filter = shared_filter_arg(info[4], pin);
  auto columns = columns_arg(info[5], pin);
  const PageSpan page = page_arg(info[6], info[7]);
  auto result = std::make_shared<PageResult>();
  const uint64_t slots = node == kNone ? 0 : pin.tables().incidence.slot_count(node);
  return run_kernel(
      info.Env(), mode_for(slots), stop_of(info[8]),
      [pin, node, window, filter, columns = std::move(columns), page, result](StopToken& stop) -> Status {
        if (node == kNone) return Status::ok();
        RowPage found;
        if (Status status = palimpsest::incident_edges(pin, node, window, *filter, page, stop, found);
            !status.is_ok()) {
          return status;
        }
        RowFetcher fetcher(pin, columns, result->pack);
        for (const Row row : found.rows) fetcher.add({row, Kind::kEdge});
        result->total = found.total;
        return fetcher.status();
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// digestLines(view): a function that gives a promise of the next lines, and of null behind the last.
Napi::Value digest_lines(const Napi::CallbackInfo& info) {
  auto lines = std::make_shared<DigestLines>(pin_of(info[0]));
  return Napi::Function::New(info.Env(), [lines](const Napi::CallbackInfo& call) -> Napi::Value {
    // Held twice: by this function, and by a call of it that has not settled.
    if (lines.use_count() > 1) throw error_of(call.Env(), Status(Code::kInternal, "the last lines were not awaited"));
    auto text = std::make_shared<std::string>();
    return run_kernel(
        call.Env(), RunMode::kPool, std::make_shared<StopToken>(),
        [lines, text](StopToken& stop) { return lines->next(kDigestChunkBytes, stop, *text); },
        [text](Napi::Env env) -> Napi::Value {
          if (text->empty()) return env.Null();
          Napi::Uint8Array bytes = Napi::Uint8Array::New(env, text->size());
          std::copy(text->begin(), text->end(), bytes.Data());
          return bytes;
        });
  });
}

}  // namespace

void register_tables(Napi::Env env, Napi::Object exports) {
  Napi::Object tables = Napi::Object::New(env);
  const auto add = [&](const char* name, Napi::Value (*call)(const Napi::CallbackInfo&)) {
    tables.Set(name, Napi::Function::New(env, call, name));
  };
  add("fetchRows", fetch_rows);
  add("fetchUids", fetch_uids);
  add("fetchEdgeIds", fetch_edge_ids);
  add("formatInstants", format_instants);
  add("entityHistory", entity_history);
  add("incidentEdges", incident_edges);
  add("digestLines", digest_lines);
  add_scans(env, tables);
  add_column_scans(env, tables);
  add_version_streams(env, tables);
  add_column_sorts(env, tables);
  exports.Set("tables", tables);
}

}  // namespace palimpsest::node
