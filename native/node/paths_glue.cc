// temporalPaths(view, stop, where, question, columns, ordinal, limit): see src/native/paths.ts.
// Turns arguments into a question and the page into a pack; the searches are in core/kernels/paths.
#include <napi.h>

#include <algorithm>

#include "core/kernels/paths/temporal_paths.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kMostPaths = 1000;
constexpr uint32_t kMostHops = 32;
// A step reads a span and chains its times: ten times the work of looking at a slot.
constexpr uint64_t kStepsAtOnce = 8'000;

NodeNumber node_arg(const Napi::Value& value, const Pin& pin) {
  const NodeNumber node = pin.known_node(text_arg(value));
  if (node == kNone) throw error_of(value.Env(), Status(Code::kNotFound, "a uid is not known at the pin"));
  return node;
}

paths::Question question_arg(const Napi::Object& value, const Pin& pin) {
  paths::Question question;
  question.src = node_arg(value.Get("src"), pin);
  question.dst = node_arg(value.Get("dst"), pin);
  question.criterion = static_cast<paths::Criterion>(number_arg(value.Get("criterion"), 3));
  question.k = number_arg(value.Get("k"), kMostPaths);
  question.min_hops = number_arg(value.Get("minHops"), kMostHops);
  question.max_hops = number_arg(value.Get("maxHops"), kMostHops);
  if (value.Get("from").IsBigInt()) question.from = std::max(kBeginning, micros_arg(value.Get("from")));
  if (value.Get("to").IsBigInt()) question.to = std::min(kCalendarEnd, micros_arg(value.Get("to")));
  question.orientation = orientation_arg(value.Get("orientation"));
  question.crossing = value.Get("isRide").ToBoolean() ? reach::Crossing::kRide : reach::Crossing::kInstant;
  question.is_strict = value.Get("isStrict").ToBoolean();
  if (value.Get("maxWait").IsBigInt()) question.max_wait = micros_arg(value.Get("maxWait"));
  const bool is_legal = question.src != question.dst && question.k > 0 && question.min_hops > 0 &&
                        question.min_hops <= question.max_hops && question.max_wait.value_or(0) >= 0;
  if (!is_legal) throw error_of(value.Env(), Status(Code::kInternal, "the question is not a legal one"));
  return question;
}

std::optional<Filter> end_filter_arg(const Napi::Value& value, const Pin& pin) {
  if (value.IsNull() || value.IsUndefined()) return std::nullopt;
  return filter_arg(value, pin);
}

struct PathsRun {
  Pin pin;
  paths::Filters filters;
  paths::Question question;
  std::vector<ColumnSpec> columns;
  PageSpan page;
  paths::Answer answer = {};
  RowPack pack = {};

  Status run(StopToken& stop) {
    answer = {};
    pack = {};
    StepCounter counter(stop);
    const Status status = paths::temporal_paths(pin, filters, question, counter, answer);
    return status.is_ok() ? write_page() : status;
  }

  Status write_page() {
    RowFetcher fetcher(pin, columns, pack);
    const uint64_t end = std::min<uint64_t>(page.ordinal + page.limit, answer.paths.size());
    for (uint64_t i = page.ordinal; i < end; ++i) {
      const paths::Path& path = answer.paths[i];
      pack.add_instant(path.trip.departure);
      pack.add_instant(path.trip.arrival);
      pack.add_duration(path.trip.duration());
      pack.add_number(static_cast<uint32_t>(path.steps.size()));
      for (const paths::Step& step : path.steps) {
        pack.add_instant(step.valid_from);
        pack.add_end(step.valid_to);
        pack.add_instant(step.departs);
        pack.add_instant(step.arrives);
        pack.add_text(pin.tables().uids.get(step.tail));
        pack.add_text(pin.tables().uids.get(step.head));
        fetcher.add({step.shown, Kind::kEdge});
      }
    }
    return fetcher.status();
  }

  /// [pack, number of paths, whether there are more]
  Napi::Value value(Napi::Env env) const {
    Napi::Array out = Napi::Array::New(env, 3);
    out.Set(0u, row_pack_value(env, pack));
    out.Set(1u, static_cast<double>(answer.paths.size()));
    out.Set(2u, Napi::Boolean::New(env, answer.has_more));
    return out;
  }
};

Napi::Value run_paths(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const Napi::Object question = object_arg(info[3]);
  auto run =
      std::make_shared<PathsRun>(PathsRun{pin,
                                          {filter_arg(info[2], pin), end_filter_arg(question.Get("srcFilter"), pin),
                                           end_filter_arg(question.Get("dstFilter"), pin)},
                                          question_arg(question, pin),
                                          columns_arg(info[4], pin),
                                          page_arg(info[5], info[6])});
  return run_within_budget(
      info.Env(), stop_of(info[1]), [run](StopToken& stop) { return run->run(stop); },
      [run](Napi::Env env) { return run->value(env); }, info[0], kStepsAtOnce);
}

}  // namespace

void register_paths(Napi::Env env, Napi::Object exports) {
  exports.Set("temporalPaths", Napi::Function::New(env, run_paths, "temporalPaths"));
}

}  // namespace palimpsest::node
