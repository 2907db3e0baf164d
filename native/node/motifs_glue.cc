// countMotifs(view, stop, where, question) and findMotifs(…, ordinal, limit): see src/native/motifs.ts.
// Turns arguments into a question and answers into typed arrays; the kernels are in core/kernels/motifs.
#include <napi.h>

#include "core/kernels/motifs/motifs.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

using motifs::kMostEdges;

/// `letters`: tail and head of each edge, numbered by first appearance; `filters`: null, or one buffer per edge.
motifs::Pattern pattern_arg(const Napi::Object& question, const Pin& pin) {
  motifs::Pattern pattern;
  const std::span<const uint8_t> letters = bytes_arg(question.Get("letters"));
  if (letters.size() > 2 * kMostEdges || letters.size() % 2 != 0) {
    throw error_of(question.Env(), Status(Code::kInternal, "a pattern has at most 6 edges of two letters"));
  }
  uint8_t next = 0;
  for (const uint8_t letter : letters) {
    if (letter > next || letter >= motifs::kMostLetters) {
      throw error_of(question.Env(), Status(Code::kInternal, "letters are numbered by first appearance"));
    }
    if (letter == next) ++next;
  }
  for (size_t i = 0; i < letters.size(); i += 2) pattern.edges.push_back({letters[i], letters[i + 1]});
  if (!question.Get("filters").IsArray()) return pattern;
  const Napi::Array filters = array_arg(question.Get("filters"));
  if (filters.Length() != pattern.edges.size()) {
    throw error_of(question.Env(), Status(Code::kInternal, "one filter per edge of the pattern"));
  }
  for (uint32_t i = 0; i < filters.Length(); ++i) pattern.filters.push_back(filter_arg(filters.Get(i), pin));
  return pattern;
}

motifs::Question question_arg(const Napi::Object& value, const Pin& pin) {
  motifs::Question question;
  question.pattern = pattern_arg(value, pin);
  question.delta = micros_arg(value.Get("delta"));
  if (question.delta < 0) throw error_of(value.Env(), Status(Code::kInternal, "delta is not negative"));
  question.window = window_arg(value.Get("from"), value.Get("to"));
  question.ties = static_cast<motifs::Ties>(number_arg(value.Get("ties"), 2));
  return question;
}

Napi::Value counts_value(Napi::Env env, const std::vector<uint64_t>& counts) {
  Napi::BigUint64Array array = Napi::BigUint64Array::New(env, counts.size());
  std::copy(counts.begin(), counts.end(), array.Data());
  return array;
}

struct CountRun {
  Pin pin;
  Filter filter;
  motifs::Question question;
  motifs::CountAnswer answer = {};

  Status run(StopToken& stop) {
    answer = {};
    StepCounter steps(stop);
    return motifs::count_motifs(pin, filter, question, steps, answer);
  }
  /// [counts, total, events]
  Napi::Value value(Napi::Env env) const {
    Napi::Array out = Napi::Array::New(env, 3);
    out.Set(0u, counts_value(env, answer.counts));
    out.Set(1u, Napi::BigInt::New(env, answer.total));
    out.Set(2u, static_cast<double>(answer.events));
    return out;
  }
};

struct FindRun {
  Pin pin;
  Filter filter;
  motifs::Question question;
  PageSpan page;
  motifs::FindAnswer answer = {};

  Status run(StopToken& stop) {
    answer = {};
    StepCounter steps(stop);
    return motifs::find_motifs(pin, filter, question, page, steps, answer);
  }
  /// [rows, cells, spans, total]
  Napi::Value value(Napi::Env env) const {
    Napi::BigInt64Array spans = Napi::BigInt64Array::New(env, answer.spans.size());
    std::copy(answer.spans.begin(), answer.spans.end(), spans.Data());
    Napi::Array out = Napi::Array::New(env, 4);
    out.Set(0u, numbers_value(env, answer.rows));
    out.Set(1u, numbers_value(env, answer.cells));
    out.Set(2u, spans);
    out.Set(3u, Napi::BigInt::New(env, answer.total));
    return out;
  }
};

template <typename Run>
Napi::Value start(const Napi::CallbackInfo& info, std::shared_ptr<Run> run) {
  auto stop = stop_of(info[1]);
  const auto work = [run](StopToken& token) { return run->run(token); };
  const auto finish = [run](Napi::Env env) { return run->value(env); };
  if (motifs::is_long(run->pin, run->filter, run->question)) {
    return run_kernel(info.Env(), RunMode::kPool, std::move(stop), work, finish, info[0]);
  }
  return run_within_budget(info.Env(), std::move(stop), work, finish, info[0]);
}

Napi::Value run_count(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  return start(info, std::make_shared<CountRun>(
                         CountRun{pin, filter_arg(info[2], pin), question_arg(object_arg(info[3]), pin)}));
}

Napi::Value run_find(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  const PageSpan page = page_arg(info[4], info[5]);
  return start(info, std::make_shared<FindRun>(
                         FindRun{pin, filter_arg(info[2], pin), question_arg(object_arg(info[3]), pin), page}));
}

}  // namespace

void register_motifs(Napi::Env env, Napi::Object exports) {
  exports.Set("countMotifs", Napi::Function::New(env, run_count, "countMotifs"));
  exports.Set("findMotifs", Napi::Function::New(env, run_find, "findMotifs"));
}

}  // namespace palimpsest::node
