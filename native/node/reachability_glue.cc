// temporalReachability(view, stop, where, question, ordinal, limit): see src/native/reachability.ts.
// Turns arguments into a question and the page into a pack; the searches are in core/kernels/reach*.
#include <napi.h>

#include <charconv>

#include "core/kernels/reach/reach.h"
#include "core/kernels/rows/row_pack.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kMostHops = 64;
// A window of more rows is a matter for the pool: to begin here, and then anew there, would be in vain.
constexpr uint64_t kInlineRows = 50'000;

reach::Question question_arg(const Napi::Object& value, const Pin& pin) {
  reach::Question question;
  question.subjects = nodes_arg(value.Get("subjects"), pin);
  if (value.Get("targets").IsArray()) question.targets = nodes_arg(value.Get("targets"), pin);
  if (value.Get("from").IsBigInt()) question.from = micros_arg(value.Get("from"));
  if (value.Get("to").IsBigInt()) question.to = micros_arg(value.Get("to"));
  question.is_backward = value.Get("isBackward").ToBoolean();
  question.orientation = orientation_arg(value.Get("orientation"));
  question.crossing = value.Get("isRide").ToBoolean() ? reach::Crossing::kRide : reach::Crossing::kInstant;
  question.is_strict = value.Get("isStrict").ToBoolean();
  if (value.Get("maxWait").IsBigInt()) question.max_wait = micros_arg(value.Get("maxWait"));
  question.max_hops = number_arg(value.Get("maxHops"), kMostHops);
  question.counts_hops = value.Get("countsHops").ToBoolean();
  return question;
}

struct ReachabilityRun {
  Pin pin;
  Filter filter;
  reach::Question question;
  PageSpan page;
  reach::Answer answer = {};

  bool is_large() const {
    const TimeRuns& runs = pin.view().runs;
    return runs.count_begun(pin.tables().edge_versions, runs.row_count, question.from, question.to) > kInlineRows;
  }

  Status run(StopToken& stop) {
    answer = {};
    StepCounter counter(stop);
    return reach::temporal_reachability(pin, filter, question, page, counter, answer);
  }

  /// [pack of (position of the subject, uid, instant, hops as digits or null), rows per subject]
  Napi::Value value(Napi::Env env) const {
    RowPack pack;
    for (const reach::AnswerRow& row : answer.rows) {
      pack.add_number(row.subject);
      pack.add_text(pin.tables().uids.get(row.node));
      pack.add_instant(row.at);
      if (question.counts_hops) {
        char digits[20];
        const auto end = std::to_chars(digits, digits + sizeof digits, row.hops).ptr;
        pack.add_ascii({digits, static_cast<size_t>(end - digits)});
      } else {
        pack.add_null();
      }
    }
    Napi::Array reached = Napi::Array::New(env, answer.reached.size());
    for (uint32_t i = 0; i < answer.reached.size(); ++i) reached.Set(i, static_cast<double>(answer.reached[i]));
    Napi::Array out = Napi::Array::New(env, 2);
    out.Set(0u, row_pack_value(env, pack));
    out.Set(1u, reached);
    return out;
  }
};

Napi::Value run_reachability(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const PageSpan page{static_cast<uint64_t>(info[4].ToNumber().Int64Value()),
                      static_cast<uint64_t>(info[5].ToNumber().Int64Value())};
  auto run = std::make_shared<ReachabilityRun>(
      ReachabilityRun{pin, filter_arg(info[2], pin), question_arg(info[3].ToObject(), pin), page});
  auto stop = stop_of(info[1]);
  const auto work = [run](StopToken& token) { return run->run(token); };
  const auto finish = [run](Napi::Env env) { return run->value(env); };
  if (run->is_large()) return run_kernel(info.Env(), RunMode::kPool, std::move(stop), work, finish, info[0]);
  return run_within_budget(info.Env(), std::move(stop), work, finish, info[0]);
}

}  // namespace

void register_reachability(Napi::Env env, Napi::Object exports) {
  exports.Set("temporalReachability", Napi::Function::New(env, run_reachability, "temporalReachability"));
}

}  // namespace palimpsest::node
