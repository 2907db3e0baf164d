// longestChain(view, stop, where, question, ordinal, limit): see src/native/chain.ts.
// Turns arguments into a question; the sweep is in core/kernels/chain.
#include <napi.h>

#include "core/kernels/chain/chain.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

std::optional<Micros> duration_arg(const Napi::Value& value) {
  if (!value.IsBigInt()) return std::nullopt;
  const Micros duration = micros_arg(value);
  if (duration < 0) throw error_of(value.Env(), Status(Code::kInternal, "the duration is negative"));
  return duration;
}

NodeNumber end_arg(const Napi::Value& value, const Pin& pin) {
  if (value.IsNull() || value.IsUndefined()) return kNone;
  const NodeNumber node = pin.known_node(text_arg(value));
  if (node == kNone) throw error_of(value.Env(), Status(Code::kNotFound, "a uid is not known at the pin"));
  return node;
}

chain::Question question_arg(const Napi::Object& value, const Pin& pin) {
  chain::Question question;
  question.window = window_arg(value.Get("from"), value.Get("to"));
  question.is_strict = value.Get("isStrict").ToBoolean();
  question.max_wait = duration_arg(value.Get("maxWait"));
  question.within = duration_arg(value.Get("within"));
  question.start = end_arg(value.Get("start"), pin);
  question.end = end_arg(value.Get("end"), pin);
  return question;
}

struct ChainRun {
  Pin pin;
  Filter filter;
  chain::Question question;
  PageSpan page;
  chain::Answer answer = {};

  Status run(StopToken& stop) {
    answer = {};
    StepCounter steps(stop);
    return chain::longest_chain(pin, filter, question, page, steps, answer);
  }
  /// [rows, length, distinct nodes, departure, arrival]
  Napi::Value value(Napi::Env env) const {
    Napi::Array out = Napi::Array::New(env, 5);
    out.Set(0u, numbers_value(env, answer.rows));
    out.Set(1u, static_cast<double>(answer.length));
    out.Set(2u, static_cast<double>(answer.distinct_nodes));
    out.Set(3u, Napi::BigInt::New(env, int64_t{answer.departure}));
    out.Set(4u, Napi::BigInt::New(env, int64_t{answer.arrival}));
    return out;
  }
};

Napi::Value run_chain(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto run = std::make_shared<ChainRun>(
      ChainRun{pin, filter_arg(info[2], pin), question_arg(object_arg(info[3]), pin), page_arg(info[4], info[5])});
  auto stop = stop_of(info[1]);
  const auto work = [run](StopToken& token) { return run->run(token); };
  const auto finish = [run](Napi::Env env) { return run->value(env); };
  if (chain::is_long(pin, run->question)) {
    return run_kernel(info.Env(), RunMode::kPool, std::move(stop), work, finish, info[0]);
  }
  return run_within_budget(info.Env(), std::move(stop), work, finish, info[0]);
}

}  // namespace

void register_chain(Napi::Env env, Napi::Object exports) {
  exports.Set("longestChain", Napi::Function::New(env, run_chain, "longestChain"));
}

}  // namespace palimpsest::node
