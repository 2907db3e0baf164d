// Versions in the order of the store digest, handed over by columns, some at a time.
// Thin: the rows are those of core/kernels/version_stream.h, the columns are filled by core/kernels/columns.
#include "core/kernels/columns/column_fill.h"
#include "core/kernels/version_stream.h"
#include "node/column_data_glue.h"
#include "node/kernel_args.h"
#include "node/scan_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kMostRows = 1u << 20;  // of one piece

Belief belief_arg(const Napi::Value& value) {
  return static_cast<Belief>(number_arg(value, static_cast<uint32_t>(Belief::kEver)));
}

Napi::Value survey_value(Napi::Env env, const Pin& pin, const VersionSurvey& survey) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("rowCount", Napi::Number::New(env, static_cast<double>(survey.row_count)));
  out.Set("hasSource", survey.has_source);
  out.Set("hasProvenance", survey.has_provenance);
  out.Set("hasReason", survey.has_reason);
  out.Set("hasEnded", survey.has_ended);
  out.Set("hasEndedReason", survey.has_ended_reason);
  Napi::Array names = Napi::Array::New(env, survey.properties.size());
  Napi::Array classes = Napi::Array::New(env, survey.properties.size());
  uint32_t i = 0;
  for (const auto& [name, bits] : survey.properties) {
    names.Set(i, std::string(pin.tables().prop_names.get(name)));
    classes.Set(i, bits);
    ++i;
  }
  out.Set("names", names);
  out.Set("classes", classes);
  return out;
}

/// surveyVersions(view, kind, belief, stop): what those versions have, or a promise of it.
Napi::Value survey(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Kind kind = kind_arg(info[1]);
  const Belief belief = belief_arg(info[2]);
  auto found = std::make_shared<VersionSurvey>();
  return run_kernel(
      info.Env(), mode_for(pin.row_cut(kind)), stop_of(info[3]),
      [pin, kind, belief, found](StopToken& stop) { return survey_versions(pin, kind, belief, stop, *found); },
      [pin, found](Napi::Env env) { return survey_value(env, pin, *found); });
}

/// What a stream keeps between its pieces.
struct Pieces {
  Pin pin;
  Kind kind;
  VersionStream stream;
  std::vector<ColumnRequest> requests;
  std::vector<RowRef> rows;
  std::vector<ColumnData> columns;
};

Napi::Value piece_value(Napi::Env env, Pieces& pieces) {
  if (pieces.rows.empty()) return env.Null();
  Napi::Array out = Napi::Array::New(env, 2);
  out.Set(0u, Napi::Number::New(env, static_cast<double>(pieces.rows.size())));
  out.Set(1u, columns_value(env, std::move(pieces.columns), DictionaryForm::kBytes));
  return out;
}

/// versionPieces(view, kind, belief, columns, classes): a function of a number of rows and a stop handle that gives a
/// promise of [row count, columns], and of null behind the last; dictionaries come as bytes. `classes` has the bits of
/// PropKind of each property.
Napi::Value version_pieces(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Kind kind = kind_arg(info[1]);
  const Belief belief = belief_arg(info[2]);
  const auto specs = columns_arg(info[3], pin);
  const auto classes = numbers_arg(info[4], 32);
  std::vector<ColumnRequest> requests;
  size_t next_class = 0;
  for (const ColumnSpec& spec : specs) {
    const bool is_property = spec.column == Column::kProp;
    if (is_property && next_class == classes.size()) {
      throw error_of(info.Env(), Status(Code::kInternal, "a property has no classes"));
    }
    requests.push_back({spec, is_property ? classes[next_class++] : 0});
  }
  auto pieces = std::make_shared<Pieces>(Pieces{pin, kind, {pin, kind, belief}, std::move(requests), {}, {}});
  return Napi::Function::New(info.Env(), [pieces](const Napi::CallbackInfo& call) -> Napi::Value {
    // Held twice: by this function, and by a call of it that has not settled.
    if (pieces.use_count() > 1) throw error_of(call.Env(), Status(Code::kInternal, "the last piece was not awaited"));
    const uint32_t row_count = std::max(number_arg(call[0], kMostRows), 1u);
    return run_kernel(
        call.Env(), RunMode::kPool, stop_of(call[1]),
        [pieces, row_count](StopToken& stop) -> Status {
          if (Status status = pieces->stream.next(row_count, stop, pieces->rows); !status.is_ok()) return status;
          const RowSelection selection{pieces->kind, pieces->rows, {}};
          return fill_columns(pieces->pin, selection, pieces->requests, stop, pieces->columns);
        },
        [pieces](Napi::Env env) { return piece_value(env, *pieces); });
  });
}

}  // namespace

void add_version_streams(Napi::Env env, Napi::Object tables) {
  tables.Set("surveyVersions", Napi::Function::New(env, survey, "surveyVersions"));
  tables.Set("versionPieces", Napi::Function::New(env, version_pieces, "versionPieces"));
}

}  // namespace palimpsest::node
