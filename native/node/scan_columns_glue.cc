// Scans of base tables and of the belief log whose rows are handed over by columns.
// Thin: the rows are those of scan_glue.cc, the columns are filled by core/kernels/columns.
#include "core/kernels/columns/column_fill.h"
#include "core/kernels/property_classes.h"
#include "node/column_data_glue.h"
#include "node/kernel_args.h"
#include "node/scan_glue.h"
#include "node/scan_request.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

/// [row count, rows of the whole list, columns]
struct ColumnsResult {
  uint64_t row_count = 0;
  uint64_t total = 0;
  std::vector<ColumnData> columns;
  Napi::Value value(Napi::Env env) {
    Napi::Array out = Napi::Array::New(env, 3);
    out.Set(0u, Napi::Number::New(env, static_cast<double>(row_count)));
    out.Set(1u, Napi::Number::New(env, static_cast<double>(total)));
    out.Set(2u, columns_value(env, std::move(columns)));
    return out;
  }
};

/// What both kinds of scan have in common: filters, columns, and which rows decide the types of properties.
struct ColumnScan {
  ColumnScan(const Pin& at, const ScanRequest& request)
      : pin(at),
        filter(shared_filter_arg(request.get("filter"), at)),
        names(shared_filter_arg(request.get("names"), at)),
        columns(columns_arg(request.get("columns"), at)),
        clamp(request.clamp()) {}

  std::vector<PropNumber> properties() const {
    std::vector<PropNumber> wanted;
    for (const ColumnSpec& spec : columns) {
      if (spec.column == Column::kProp) wanted.push_back(spec.name);
    }
    return wanted;
  }
  /// About how many rows decide the types of properties and are not known yet.
  uint64_t class_row_bound(Kind kind, ClassRows class_rows) const {
    return properties().empty() ? 0 : property_row_bound(pin, {kind, class_rows, *names});
  }

  Status fill(Kind kind, ClassRows class_rows, std::span<const RowRef> rows, const StopToken& stop,
              ColumnsResult& out) const {
    const std::vector<PropNumber> wanted = properties();
    std::vector<uint32_t> classes;
    if (!wanted.empty()) {
      Status status = property_classes(pin, {kind, class_rows, *names}, wanted, stop, classes);
      if (!status.is_ok()) return status;
    }
    std::vector<ColumnRequest> requests;
    size_t next_class = 0;
    for (const ColumnSpec& spec : columns) {
      requests.push_back({spec, spec.column == Column::kProp ? classes[next_class++] : 0});
    }
    out.row_count = rows.size();
    return fill_columns(pin, {kind, rows, clamp}, requests, stop, out.columns);
  }

  Pin pin;
  std::shared_ptr<Filter> filter;
  std::shared_ptr<Filter> names;
  std::vector<ColumnSpec> columns;
  RowFetcher::Clamp clamp;
};

/// scanTableColumns(view, request, stop): [row count, total, columns] or a promise of it.
Napi::Value scan_table_columns(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const ScanRequest request(info[1]);
  const ScanQuery query = request.table_query();
  const auto scan = std::make_shared<const ColumnScan>(pin, request);
  auto result = std::make_shared<ColumnsResult>();
  const Kind kind = query.table == ScanTable::kNodes ? Kind::kNode : Kind::kEdge;
  const bool has_events = query.table == ScanTable::kEvents || query.table == ScanTable::kEndpoints;
  const ClassRows class_rows = has_events ? ClassRows::kEvents : ClassRows::kBelieved;
  const uint64_t row_bound = scan_row_bound(pin, query.table, *scan->filter) + scan->class_row_bound(kind, class_rows);
  return run_kernel(
      info.Env(), mode_for(row_bound), stop_of(info[2]),
      [scan, query, kind, class_rows, result](StopToken& stop) -> Status {
        ScanAnswer answer;
        Status status = scan_table(scan->pin, query, *scan->filter, *scan->names, stop, answer);
        if (!status.is_ok()) return status;
        result->total = answer.total;
        return scan->fill(kind, class_rows, answer.rows, stop, *result);
      },
      [result](Napi::Env env) { return result->value(env); });
}

/// scanVersionsColumns(view, request, stop): the same of the belief log of one kind.
Napi::Value scan_versions_columns(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const ScanRequest request(info[1]);
  const LogQuery query = request.versions_query(pin);
  const auto scan = std::make_shared<const ColumnScan>(pin, request);
  auto result = std::make_shared<ColumnsResult>();
  const Kind kind = query.has_nodes ? Kind::kNode : Kind::kEdge;
  return run_kernel(
      info.Env(), mode_for(pin.row_cut(kind)), stop_of(info[2]),
      [scan, query, kind, result](StopToken& stop) -> Status {
        LogAnswer answer;
        Status status = version_log(scan->pin, query, *scan->filter, *scan->names, stop, answer);
        if (!status.is_ok()) return status;
        result->total = answer.total();
        std::vector<RowRef> rows;
        rows.reserve(answer.rows.size());
        for (const KindRow& row : answer.rows) rows.push_back({row.row, row.kind});
        return scan->fill(kind, ClassRows::kAllVersions, rows, stop, *result);
      },
      [result](Napi::Env env) { return result->value(env); });
}

}  // namespace

void add_column_scans(Napi::Env env, Napi::Object tables) {
  tables.Set("scanTableColumns", Napi::Function::New(env, scan_table_columns, "scanTableColumns"));
  tables.Set("scanVersionsColumns", Napi::Function::New(env, scan_versions_columns, "scanVersionsColumns"));
}

}  // namespace palimpsest::node
