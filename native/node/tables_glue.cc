// Rows of the base tables for JavaScript: fetching, history, the belief log, scans and the lines of the store digest.
// Thin: arguments are turned into queries, rows into packs; small work runs at once, large work on the pool.
#include <napi.h>

#include "core/kernels/digest_lines.h"
#include "core/kernels/fetch.h"
#include "core/kernels/history.h"
#include "core/kernels/instant_text.h"
#include "core/kernels/scan.h"
#include "core/kernels/version_log.h"
#include "node/async.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

// About 200 µs of rows: a hop to the pool and back costs a third of that.
constexpr uint64_t kInlineRows = 10'000;
constexpr size_t kDigestChunkBytes = 1u << 20;

RunMode mode_for(uint64_t rows) { return rows > kInlineRows ? RunMode::kPool : RunMode::kInline; }

uint32_t u32_arg(const Napi::Value& value) { return value.As<Napi::Number>().Uint32Value(); }

Kind kind_arg(const Napi::Value& value) { return u32_arg(value) == 0 ? Kind::kNode : Kind::kEdge; }

std::span<const uint32_t> numbers_arg(const Napi::Env env, const Napi::Value& value, uint64_t bound) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    throw error_of(env, Status(Code::kInternal, "a Uint32Array is expected"));
  }
  const auto array = value.As<Napi::Uint32Array>();
  const std::span<const uint32_t> numbers(array.Data(), array.ElementLength());
  for (const uint32_t number : numbers) {
    if (number >= bound) throw error_of(env, Status(Code::kInternal, "a number is out of range"));
  }
  return numbers;
}

/// [from, to) in microseconds; null is unbounded.
ValidWindow window_arg(const Napi::Value& from, const Napi::Value& to) {
  ValidWindow window;
  if (from.IsBigInt()) window.from = micros_arg(from);
  if (to.IsBigInt()) window.to = micros_arg(to);
  return window;
}

PageSpan page_arg(const Napi::Value& ordinal, const Napi::Value& limit) {
  return {static_cast<uint64_t>(ordinal.As<Napi::Number>().Int64Value()),
          static_cast<uint64_t>(limit.As<Napi::Number>().Int64Value())};
}

std::vector<ColumnSpec> columns_arg(const Napi::Value& value, const Pin& pin) {
  auto columns = read_columns(bytes_arg(value), pin.tables());
  check(value.Env(), columns.status());
  return std::move(columns.value());
}

std::shared_ptr<Filter> filter_arg(const Napi::Value& value, const Pin& pin) {
  auto filter = Filter::parse(bytes_arg(value), pin);
  check(value.Env(), filter.status());
  return std::make_shared<Filter>(std::move(filter.value()));
}

/// A page of rows and the length of the whole list: [pack, total].
struct PageResult {
  RowPack pack;
  uint64_t total = 0;
  Napi::Value value(Napi::Env env) const {
    Napi::Array out = Napi::Array::New(env, 2);
    out.Set(0u, row_pack_value(env, pack));
    out.Set(1u, Napi::Number::New(env, static_cast<double>(total)));
    return out;
  }
};

/// fetchRows(view, kind, rows, columns): pack.
Napi::Value fetch_rows(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Kind kind = kind_arg(info[1]);
  const auto rows = numbers_arg(info.Env(), info[2], pin.row_cut(kind));
  const auto columns = columns_arg(info[3], pin);
  RowPack pack;
  RowFetcher fetcher(pin, columns, pack);
  for (const Row row : rows) fetcher.add({row, kind});
  return row_pack_value(info.Env(), pack);
}

/// fetchUids(view, nodes): pack of one text each.
Napi::Value fetch_uids(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  RowPack pack;
  for (const NodeNumber node : numbers_arg(info.Env(), info[1], pin.view().node_count)) {
    pack.add_text(pin.tables().uids.get(node));
  }
  return row_pack_value(info.Env(), pack);
}

/// fetchEdgeIds(view, edges): pack of src, type, dst, key.
Napi::Value fetch_edge_ids(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Tables& tables = pin.tables();
  RowPack pack;
  for (const EdgeNumber edge : numbers_arg(info.Env(), info[1], uint64_t{pin.view().edge_count} + 1)) {
    pack.add_text(tables.uids.get(tables.edges.src(edge)));
    pack.add_text(tables.types.get(tables.edges.type(edge)));
    pack.add_text(tables.uids.get(tables.edges.dst(edge)));
    pack.add_text(tables.edges.key(edge));
  }
  return row_pack_value(info.Env(), pack);
}

/// formatInstants(times): pack of one text each, null for an open end.
Napi::Value format_instants(const Napi::CallbackInfo& info) {
  const auto times = info[0].As<Napi::BigInt64Array>();
  RowPack pack;
  for (size_t i = 0; i < times.ElementLength(); ++i) pack.add_end(times.Data()[i]);
  return row_pack_value(info.Env(), pack);
}

/// The number of a reference: [uid] or [src, type, dst, key]; nothing where the pin does not know it.
struct Identity {
  Kind kind = Kind::kNode;
  std::optional<uint32_t> number;
};
Identity identity_arg(const Napi::Value& value, const Pin& pin) {
  const auto parts = value.As<Napi::Array>();
  const auto part = [&](uint32_t i) { return parts.Get(i).As<Napi::String>().Utf8Value(); };
  Identity identity;
  if (parts.Length() == 1) {
    const NodeNumber node = pin.known_node(part(0));
    if (node != kNone) identity.number = node;
    return identity;
  }
  identity.kind = Kind::kEdge;
  const EdgeNumber edge = pin.known_edge(part(0), part(1), part(2), part(3));
  if (edge != 0) identity.number = edge;
  return identity;
}

/// entityHistory(view, ref, from, to, columns, ordinal, limit): [pack, total, spells].
Napi::Value entity_history(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Identity identity = identity_arg(info[1], pin);
  const auto columns = columns_arg(info[4], pin);
  const PageSpan page = page_arg(info[5], info[6]);
  EntityVersions found;
  if (identity.number) found = entity_versions(pin, identity.kind, *identity.number, window_arg(info[2], info[3]));
  RowPack pack;
  RowFetcher fetcher(pin, columns, pack);
  const uint64_t end = std::min<uint64_t>(found.rows.size(), page.ordinal + page.limit);
  for (uint64_t i = page.ordinal; i < end; ++i) fetcher.add({found.rows[i], identity.kind});
  Napi::Array out = Napi::Array::New(info.Env(), 3);
  out.Set(0u, row_pack_value(info.Env(), pack));
  out.Set(1u, Napi::Number::New(info.Env(), static_cast<double>(found.rows.size())));
  out.Set(2u, Napi::Number::New(info.Env(), found.spells));
  return out;
}

/// incidentEdges(view, uid, from, to, filter, columns, ordinal, limit, stop): [pack, total] or a promise of it.
Napi::Value incident_edges(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const NodeNumber node = pin.known_node(info[1].As<Napi::String>().Utf8Value());
  const ValidWindow window = window_arg(info[2], info[3]);
  const auto filter = filter_arg(info[4], pin);
  auto columns = columns_arg(info[5], pin);
  const PageSpan page = page_arg(info[6], info[7]);
  auto result = std::make_shared<PageResult>();
  const uint64_t slots = node == kNone ? 0 : pin.tables().incidence.slot_count(node);
  return run_kernel(
      info.Env(), mode_for(slots), stop_of(info[8]),
      [pin, node, window, filter, columns = std::move(columns), page, result](StopToken& stop) -> Status {
        if (node == kNone) return Status::ok();
        RowPage found;
        if (Status status = palimpsest::incident_edges(pin, node, window, *filter, page, stop, found); !status.is_ok()) {
          return status;
        }
        RowFetcher fetcher(pin, columns, result->pack);
        for (const Row row : found.rows) fetcher.add({row, Kind::kEdge});
        result->total = found.total;
        return Status::ok();
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// What both uses of the belief log answer: [pack, total, current, overwritten, retracted, corrected].
struct LogResult {
  RowPack pack;
  LogAnswer answer;
  Napi::Value value(Napi::Env env) const {
    Napi::Array out = Napi::Array::New(env, 6);
    out.Set(0u, row_pack_value(env, pack));
    const double counts[] = {static_cast<double>(answer.total()), static_cast<double>(answer.current),
                             static_cast<double>(answer.ended_by[1]), static_cast<double>(answer.ended_by[2]),
                             static_cast<double>(answer.ended_by[3])};
    for (uint32_t i = 0; i < 5; ++i) out.Set(i + 1, Napi::Number::New(env, counts[i]));
    return out;
  }
};

/// Fields of a request object of src/native/tables.ts, and what every request has.
struct Request {
  explicit Request(const Napi::Value& value) : object(value.As<Napi::Object>()) {}
  Napi::Value get(const char* name) const { return object.Get(name); }
  bool has(const char* name) const { return !get(name).IsNull(); }
  bool is(const char* name) const { return get(name).ToBoolean(); }
  ValidWindow window() const { return window_arg(get("from"), get("to")); }
  PageSpan page() const { return page_arg(get("ordinal"), get("limit")); }
  RowFetcher::Clamp clamp() const {
    const ValidWindow cut = is("clamp") ? window() : ValidWindow{};
    return {cut.from, cut.to};
  }
  Napi::Object object;
};

/// Rows that the log's walk will look at, roughly: all of them unless one identity is asked for.
Napi::Value run_log(const Napi::CallbackInfo& info, const Pin& pin, const Request& request, LogQuery query) {
  auto columns = columns_arg(request.get("columns"), pin);
  const auto filter = filter_arg(request.get("filter"), pin);
  const auto names = filter_arg(request.get("names"), pin);
  const auto clamp = request.clamp();
  auto result = std::make_shared<LogResult>();
  const uint64_t rows = query.identity ? 0 : uint64_t{pin.row_cut(Kind::kNode)} + pin.row_cut(Kind::kEdge);
  return run_kernel(
      info.Env(), mode_for(rows), stop_of(info[2]),
      [pin, query = std::move(query), filter, names, clamp, columns = std::move(columns), result](StopToken& stop) -> Status {
        if (Status status = version_log(pin, query, *filter, *names, stop, result->answer); !status.is_ok()) return status;
        RowFetcher fetcher(pin, columns, result->pack);
        fetcher.set_clamp(clamp);
        for (const KindRow& row : result->answer.rows) fetcher.add({row.row, row.kind});
        return Status::ok();
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// versionHistory(view, request, stop): [pack, total, current, overwritten, retracted, corrected], or a promise of it.
Napi::Value version_history(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Request request(info[1]);
  LogQuery query;
  query.has_nodes = request.is("nodes");
  query.has_edges = request.is("edges");
  query.window = request.window();
  query.page = request.page();
  query.wants_current = request.is("current");
  query.wants_superseded = request.is("superseded");
  query.ended_by_mask = u32_arg(request.get("endedByMask"));
  if (request.has("ref")) {
    const Identity identity = identity_arg(request.get("ref"), pin);
    // A kind against the reference, or one that nobody knows, has no rows.
    query.has_nodes = query.has_nodes && identity.kind == Kind::kNode && identity.number;
    query.has_edges = query.has_edges && identity.kind == Kind::kEdge && identity.number;
    if (query.has_nodes || query.has_edges) query.identity = identity.number;
  }
  if (request.has("txFrom") || request.has("txTo")) {
    const ValidWindow times = window_arg(request.get("txFrom"), request.get("txTo"));
    query.written_or_ended = commits_between(pin, times.from, times.to);
  }
  return run_log(info, pin, request, std::move(query));
}

/// scanVersions(view, request, stop): the belief log of one kind for scan; answers as versionHistory.
Napi::Value scan_versions(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Request request(info[1]);
  LogQuery query;
  query.has_nodes = kind_arg(request.get("kind")) == Kind::kNode;
  query.has_edges = !query.has_nodes;
  query.window = request.window();
  query.page = request.page();
  if (request.has("txAt")) {
    // Believed at that commit: written at or before it, and not ended there.
    query.ended_after = u32_arg(request.get("txAt"));
    query.written.to = query.ended_after == kNeverTx ? kNeverTx : query.ended_after + 1;
  } else if (request.has("txFrom") || request.has("txTo")) {
    const ValidWindow times = window_arg(request.get("txFrom"), request.get("txTo"));
    query.written.to = commits_between(pin, INT64_MIN, times.to).to;
    query.ended_after = times.from == INT64_MIN ? 0 : pin.tx_at(times.from);
  }
  return run_log(info, pin, request, std::move(query));
}

/// scanTable(view, request, stop): [pack, total] or a promise of it.
Napi::Value scan_base_table(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Request request(info[1]);
  const ScanQuery query{static_cast<ScanTable>(u32_arg(request.get("table"))), request.window(), request.page()};
  if (query.table > ScanTable::kEndpoints) throw error_of(info.Env(), Status(Code::kInternal, "no such table"));
  auto columns = columns_arg(request.get("columns"), pin);
  const auto filter = filter_arg(request.get("filter"), pin);
  const auto names = filter_arg(request.get("names"), pin);
  const auto clamp = request.clamp();
  auto result = std::make_shared<PageResult>();
  return run_kernel(
      info.Env(), mode_for(pin.row_cut(query.table == ScanTable::kNodes ? Kind::kNode : Kind::kEdge)), stop_of(info[2]),
      [pin, query, filter, names, clamp, columns = std::move(columns), result](StopToken& stop) -> Status {
        ScanAnswer answer;
        if (Status status = scan_table(pin, query, *filter, *names, stop, answer); !status.is_ok()) return status;
        RowFetcher fetcher(pin, columns, result->pack);
        fetcher.set_clamp(clamp);
        for (const RowRef& ref : answer.rows) fetcher.add(ref);
        result->total = answer.total;
        return Status::ok();
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// eventExtent(view, filter): [first, last] in microseconds, or null.
Napi::Value event_extent(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const auto filter = filter_arg(info[1], pin);
  std::optional<EventExtent> extent;
  check(info.Env(), palimpsest::event_extent(pin, *filter, StopToken(), extent));
  if (!extent) return info.Env().Null();
  Napi::Array out = Napi::Array::New(info.Env(), 2);
  out.Set(0u, Napi::BigInt::New(info.Env(), extent->first));
  out.Set(1u, Napi::BigInt::New(info.Env(), extent->last));
  return out;
}

/// propertyClasses(view, kind, rows, names, properties, stop): bits of PropKind per property, or a promise of them.
Napi::Value scan_property_classes(const Napi::CallbackInfo& info) {
  const Pin& pin = pin_of(info[0]);
  const Kind kind = kind_arg(info[1]);
  const auto rows = static_cast<ClassRows>(u32_arg(info[2]));
  const auto names = filter_arg(info[3], pin);
  std::vector<PropNumber> properties;
  const auto list = info[4].As<Napi::Array>();
  for (uint32_t i = 0; i < list.Length(); ++i) {
    properties.push_back(pin.tables().prop_names.find(list.Get(i).As<Napi::String>().Utf8Value()));
  }
  auto classes = std::make_shared<std::vector<uint32_t>>();
  return run_kernel(
      info.Env(), mode_for(pin.row_cut(kind)), stop_of(info[5]),
      [pin, kind, rows, names, properties = std::move(properties), classes](StopToken& stop) {
        return property_classes(pin, kind, rows, *names, properties, stop, *classes);
      },
      [classes](Napi::Env env) -> Napi::Value {
        Napi::Array out = Napi::Array::New(env, classes->size());
        for (uint32_t i = 0; i < classes->size(); ++i) out.Set(i, Napi::Number::New(env, (*classes)[i]));
        return out;
      });
}

/// digestLines(view): a function that gives a promise of the next lines, and of null behind the last.
Napi::Value digest_lines(const Napi::CallbackInfo& info) {
  auto lines = std::make_shared<DigestLines>(pin_of(info[0]));
  return Napi::Function::New(info.Env(), [lines](const Napi::CallbackInfo& call) -> Napi::Value {
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
  add("versionHistory", version_history);
  add("scanVersions", scan_versions);
  add("scanTable", scan_base_table);
  add("eventExtent", event_extent);
  add("propertyClasses", scan_property_classes);
  add("digestLines", digest_lines);
  exports.Set("tables", tables);
}

}  // namespace palimpsest::node
