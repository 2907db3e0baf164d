// aggregateEvents(view, stop, where, question, from, to, ordinal, limit): see src/native/aggregate.ts.
// Turns arguments into a question and the page into a pack; the work is in core/kernels/aggregate.
#include <napi.h>

#include "core/kernels/aggregate/aggregate.h"
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
  aggregate::Answer answer = {};

  RunMode mode() const { return aggregate::is_small(pin, window) ? RunMode::kInline : RunMode::kPool; }

  /// [pack, rows of the whole list, events, skipped events by property]
  Napi::Value value(Napi::Env env) const {
    Napi::Array skipped = Napi::Array::New(env, answer.skipped.size());
    for (uint32_t i = 0; i < answer.skipped.size(); ++i) skipped.Set(i, static_cast<double>(answer.skipped[i]));
    Napi::Array out = Napi::Array::New(env, 4);
    out.Set(0u, row_pack_value(env, answer.page));
    out.Set(1u, static_cast<double>(answer.total));
    out.Set(2u, static_cast<double>(answer.events));
    out.Set(3u, skipped);
    return out;
  }
};

Napi::Value run_aggregate(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto question = aggregate::Question::parse(bytes_arg(info[3]), pin.tables());
  check(info.Env(), question.status());
  auto run = std::make_shared<AggregateRun>(AggregateRun{pin, filter_arg(info[2], pin), std::move(question.value()),
                                                         window_arg(info[4], info[5]), page_arg(info[6], info[7])});
  return run_kernel(
      info.Env(), run->mode(), stop_of(info[1]),
      [run](StopToken& stop) {
        run->answer = {};
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
