// neighborhoodEvolution(view, stop, where, question, rows, series): see src/native/neighborhood.ts.
// Turns arguments into a question and pages into packs; the rest is in core/kernels/neighborhood.
#include <napi.h>

#include "core/kernels/neighborhood/evolution.h"
#include "core/kernels/rows/row_pack.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

using neighborhood::Change;

Micros micros_between(const Napi::Value& value, Micros least, Micros most) {
  const Micros micros = micros_arg(value);
  if (micros < least || micros > most) {
    throw error_of(value.Env(), Status(Code::kInternal, "a time is out of range"));
  }
  return micros;
}

neighborhood::Question question_arg(const Napi::Object& value, const Pin& pin) {
  neighborhood::Question question;
  question.node = pin.known_node(text_arg(value.Get("uid")));
  if (question.node == kNone) throw error_of(value.Env(), Status(Code::kNotFound, "the uid is not known at the pin"));
  question.orientation = orientation_arg(value.Get("orientation"));
  question.first = micros_between(value.Get("first"), kBeginning, kCalendarEnd - 1);
  question.last = micros_between(value.Get("last"), question.first + 1, kCalendarEnd);
  question.stride = micros_between(value.Get("stride"), 0, kOpenEnd);
  question.lookback = micros_between(value.Get("lookback"), 1, kOpenEnd - 1);
  question.wants[static_cast<size_t>(Change::kGained)] = value.Get("gained").ToBoolean();
  question.wants[static_cast<size_t>(Change::kKept)] = value.Get("kept").ToBoolean();
  question.wants[static_cast<size_t>(Change::kLost)] = value.Get("lost").ToBoolean();
  return question;
}

PageSpan span_arg(const Napi::Value& value) {
  const auto page = page_arg(value);
  return page ? PageSpan{page->from, page->to - std::min(page->from, page->to)} : PageSpan{};
}

struct EvolutionRun {
  Pin pin;
  Filter filter;
  neighborhood::Question question;
  PageSpan rows;
  PageSpan series;
  neighborhood::Answer answer = {};

  Status run(StopToken& stop) {
    answer = {};
    StepCounter steps(stop);
    return neighborhood::neighborhood_evolution(pin, filter, question, rows, series, steps, answer);
  }

  /// [pack of (change, uid, edges), [gained, kept, lost], pack of (instant, degree, neighbours), samples]
  Napi::Value value(Napi::Env env) const {
    RowPack neighbours;
    for (const neighborhood::NeighbourRow& row : answer.rows) {
      neighbours.add_number(static_cast<uint32_t>(row.change));
      neighbours.add_text(pin.tables().uids.get(row.node));
      neighbours.add_number(row.edges);
    }
    RowPack samples;
    for (const neighborhood::SampleRow& row : answer.series) {
      samples.add_instant(row.at);
      samples.add_number(row.degree);
      samples.add_number(row.neighbours);
    }
    Napi::Array totals = Napi::Array::New(env, answer.totals.size());
    for (uint32_t i = 0; i < answer.totals.size(); ++i) totals.Set(i, static_cast<double>(answer.totals[i]));
    Napi::Array out = Napi::Array::New(env, 4);
    out.Set(0u, row_pack_value(env, neighbours));
    out.Set(1u, totals);
    out.Set(2u, row_pack_value(env, samples));
    out.Set(3u, static_cast<double>(answer.series_total));
    return out;
  }
};

Napi::Value run_evolution(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto run = std::make_shared<EvolutionRun>(EvolutionRun{
      pin, filter_arg(info[2], pin), question_arg(object_arg(info[3]), pin), span_arg(info[4]), span_arg(info[5])});
  return run_within_budget(
      info.Env(), stop_of(info[1]), [run](StopToken& token) { return run->run(token); },
      [run](Napi::Env env) { return run->value(env); }, info[0]);
}

}  // namespace

void register_neighborhood(Napi::Env env, Napi::Object exports) {
  exports.Set("neighborhoodEvolution", Napi::Function::New(env, run_evolution, "neighborhoodEvolution"));
}

}  // namespace palimpsest::node
