// aggregateEvents(view, stop, where, question, from, to, ordinal, limit, forms): see src/native/aggregate.ts.
// Turns arguments into a question and the page into a pack or columns; the work is in core/kernels/aggregate.
#include <napi.h>

#include "core/kernels/aggregate/aggregate.h"
#include "node/column_data_glue.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

struct AggregateRun {
  Pin pin;
  Filter filter;
  aggregate::Question question;
  ValidWindow window;
  PageSpan page;
  std::vector<ColumnForm> forms = {};  // of each column; nothing where rows are asked for
  aggregate::Answer answer = {};

  RunMode mode() const { return aggregate::is_small(pin, filter, window) ? RunMode::kInline : RunMode::kPool; }

  /// [pack or columns, rows of the whole list, events, skipped events by property, rows of the page]
  Napi::Value value(Napi::Env env) {
    Napi::Array skipped = Napi::Array::New(env, answer.skipped.size());
    for (uint32_t i = 0; i < answer.skipped.size(); ++i) skipped.Set(i, static_cast<double>(answer.skipped[i]));
    Napi::Array out = Napi::Array::New(env, 5);
    out.Set(0u, forms.empty() ? row_pack_value(env, answer.page) : columns_value(env, std::move(answer.columns)));
    out.Set(1u, static_cast<double>(answer.total));
    out.Set(2u, static_cast<double>(answer.events));
    out.Set(3u, skipped);
    out.Set(4u, static_cast<double>(answer.row_count));
    return out;
  }
};

/// A form for each column.
std::vector<ColumnForm> forms_arg(const Napi::Value& value, uint32_t column_count) {
  const auto bytes = bytes_arg(value);
  std::vector<ColumnForm> forms;
  for (const uint8_t form : bytes) {
    if (form > static_cast<uint8_t>(ColumnForm::kJson)) break;
    forms.push_back(static_cast<ColumnForm>(form));
  }
  if (forms.size() != column_count)
    throw error_of(value.Env(), Status(Code::kInternal, "the forms of columns are malformed"));
  return forms;
}

Napi::Value run_aggregate(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto question = aggregate::Question::parse(bytes_arg(info[3]), pin.tables());
  check(info.Env(), question.status());
  auto run = std::make_shared<AggregateRun>(AggregateRun{pin, filter_arg(info[2], pin), std::move(question.value()),
                                                         window_arg(info[4], info[5]), page_arg(info[6], info[7])});
  if (info[8].IsTypedArray()) run->forms = forms_arg(info[8], run->question.column_count());
  return run_kernel(
      info.Env(), run->mode(), stop_of(info[1]),
      [run](StopToken& stop) {
        run->answer = {};
        run->answer.forms = run->forms;
        return aggregate::aggregate_events(run->pin, run->filter, run->question, run->window, run->page, stop,
                                           run->answer);
      },
      [run](Napi::Env env) { return run->value(env); }, info[0]);
}

}  // namespace

void register_aggregate(Napi::Env env, Napi::Object exports) {
  exports.Set("aggregateEvents", Napi::Function::New(env, run_aggregate, "aggregateEvents"));
}

}  // namespace palimpsest::node
