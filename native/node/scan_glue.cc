// The belief log, scans of base tables, and what is asked of all their rows, for JavaScript.
// Thin: a request object becomes a query, rows become packs; small work runs at once, large work on the pool.
#include "node/scan_glue.h"

#include "core/kernels/property_classes.h"
#include "core/kernels/scan.h"
#include "core/kernels/version_log.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/scan_request.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

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

/// Rows that the log's walk will look at, roughly: all of them unless one identity is asked for.
Napi::Value run_log(const Napi::CallbackInfo& info, const Pin& pin, const ScanRequest& request, LogQuery query) {
  auto columns = columns_arg(request.get("columns"), pin);
  const auto filter = shared_filter_arg(request.get("filter"), pin);
  const auto names = shared_filter_arg(request.get("names"), pin);
  const auto clamp = request.clamp();
  auto result = std::make_shared<LogResult>();
  const uint64_t rows = query.identity ? 0 : uint64_t{pin.row_cut(Kind::kNode)} + pin.row_cut(Kind::kEdge);
  return run_kernel(
      info.Env(), mode_for(rows), stop_of(info[2]),
      [pin, query = std::move(query), filter, names, clamp, columns = std::move(columns),
       result](StopToken& stop) -> Status {
        if (Status status = version_log(pin, query, *filter, *names, stop, result->answer); !status.is_ok())
          return status;
        RowFetcher fetcher(pin, columns, result->pack);
        fetcher.set_clamp(clamp);
        for (const KindRow& row : result->answer.rows) fetcher.add({row.row, row.kind});
        return fetcher.status();
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// versionHistory(view, request, stop): [pack, total, current, overwritten, retracted, corrected], or a promise of it.
Napi::Value version_history(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const ScanRequest request(info[1]);
  LogQuery query;
  query.has_nodes = request.is("nodes");
  query.has_edges = request.is("edges");
  query.window = request.window();
  query.page = request.page();
  query.wants_current = request.is("current");
  query.wants_superseded = request.is("superseded");
  query.ended_by_mask = number_arg(request.get("endedByMask"), kNone);
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
  const Pin pin = pin_of(info[0]);
  const ScanRequest request(info[1]);
  return run_log(info, pin, request, request.versions_query(pin));
}

/// scanTable(view, request, stop): [pack, total] or a promise of it.
Napi::Value scan_base_table(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const ScanRequest request(info[1]);
  const ScanQuery query = request.table_query();
  auto columns = columns_arg(request.get("columns"), pin);
  const auto filter = shared_filter_arg(request.get("filter"), pin);
  const auto names = shared_filter_arg(request.get("names"), pin);
  const auto clamp = request.clamp();
  auto result = std::make_shared<PageResult>();
  return run_kernel(
      info.Env(), mode_for(scan_row_bound(pin, query.table, *filter)), stop_of(info[2]),
      [pin, query, filter, names, clamp, columns = std::move(columns), result](StopToken& stop) -> Status {
        ScanAnswer answer;
        if (Status status = scan_table(pin, query, *filter, *names, stop, answer); !status.is_ok()) return status;
        RowFetcher fetcher(pin, columns, result->pack);
        fetcher.set_clamp(clamp);
        for (const RowRef& ref : answer.rows) fetcher.add(ref);
        result->total = answer.total;
        return fetcher.status();
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// propertyClasses(view, kind, rows, names, properties, stop): bits of PropKind per property, or a promise of them.
Napi::Value scan_property_classes(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Kind kind = kind_arg(info[1]);
  const auto rows = static_cast<ClassRows>(number_arg(info[2], static_cast<uint32_t>(ClassRows::kEvents)));
  const auto names = shared_filter_arg(info[3], pin);
  std::vector<PropNumber> properties;
  const Napi::Array list = array_arg(info[4]);
  for (uint32_t i = 0; i < list.Length(); ++i) {
    properties.push_back(pin.tables().prop_names.find(text_arg(list.Get(i))));
  }
  auto classes = std::make_shared<std::vector<uint32_t>>();
  return run_kernel(
      info.Env(), mode_for(property_row_bound(pin, {kind, rows, *names})), stop_of(info[5]),
      [pin, kind, rows, names, properties = std::move(properties), classes](StopToken& stop) {
        return property_classes(pin, {kind, rows, *names}, properties, stop, *classes);
      },
      [classes](Napi::Env env) -> Napi::Value {
        Napi::Array out = Napi::Array::New(env, classes->size());
        for (uint32_t i = 0; i < classes->size(); ++i) out.Set(i, Napi::Number::New(env, (*classes)[i]));
        return out;
      });
}

/// propertiesInUse(view, kind, rows, names): {names, classes}, the properties of those rows and their bits of PropKind.
/// At once, however many rows there are: who compiles a statement waits for it. A later commit adds its own rows.
Napi::Value properties_of_rows(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const auto rows = static_cast<ClassRows>(number_arg(info[2], static_cast<uint32_t>(ClassRows::kEvents)));
  std::map<PropNumber, uint32_t> found;
  const StopToken never;
  const auto of_names = shared_filter_arg(info[3], pin);
  check(info.Env(), properties_in_use(pin, {kind_arg(info[1]), rows, *of_names}, never, found));
  Napi::Array names = Napi::Array::New(info.Env(), found.size());
  Napi::Array classes = Napi::Array::New(info.Env(), found.size());
  uint32_t i = 0;
  for (const auto& [name, bits] : found) {
    names.Set(i, std::string(pin.tables().prop_names.get(name)));
    classes.Set(i, bits);
    ++i;
  }
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("names", names);
  out.Set("classes", classes);
  return out;
}

}  // namespace

void add_scans(Napi::Env env, Napi::Object tables) {
  const auto add = [&](const char* name, Napi::Value (*call)(const Napi::CallbackInfo&)) {
    tables.Set(name, Napi::Function::New(env, call, name));
  };
  add("versionHistory", version_history);
  add("scanVersions", scan_versions);
  add("scanTable", scan_base_table);
  add("propertyClasses", scan_property_classes);
  add("propertiesInUse", properties_of_rows);
}

}  // namespace palimpsest::node
