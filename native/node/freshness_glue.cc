// factFreshness(view, stop, where, question, rows, conflicts): see src/native/freshness.ts.
// Turns arguments into a question and the pages into packs; the facts are judged in core/kernels/freshness.
#include <napi.h>

#include <charconv>
#include <cmath>

#include "core/kernels/freshness/freshness.h"
#include "core/kernels/numbers/exact_rounding.h"
#include "core/kernels/rows/row_pack.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

/// A number above 0, or null.
freshness::HalfLife half_life_arg(const Napi::Value& value) {
  if (value.IsNull()) return std::nullopt;
  const double days = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : 0;
  if (!(days > 0) || !std::isfinite(days)) {
    throw error_of(value.Env(), Status(Code::kInternal, "a half-life is a finite number above 0"));
  }
  return days;
}

/// The types of an array that the store knows.
NumberSet types_arg(const Napi::Value& value, const Pin& pin) {
  const Napi::Array names = array_arg(value);
  std::vector<uint32_t> types;
  for (uint32_t i = 0; i < names.Length(); ++i) {
    const TextNumber type = pin.type_number(text_arg(names.Get(i)));
    if (type != kNone) types.push_back(type);
  }
  return NumberSet(std::move(types));
}

freshness::Question question_arg(const Napi::Value& value, const Pin& pin) {
  const Napi::Object given = object_arg(value);
  freshness::Question question;
  question.src = pin.known_node(text_arg(given.Get("src")));
  if (question.src == kNone) throw error_of(value.Env(), Status(Code::kNotFound, "a uid is not known at the pin"));
  if (!given.Get("types").IsNull()) question.types = types_arg(given.Get("types"), pin);
  question.at = micros_arg(given.Get("at"));
  question.default_half_life = half_life_arg(given.Get("halfLife"));
  const Napi::Array own = array_arg(given.Get("halfLives"));
  for (uint32_t i = 0; i < own.Length(); ++i) {
    const Napi::Array entry = array_arg(own.Get(i));
    const freshness::HalfLife half_life = half_life_arg(entry.Get(1u));
    const TextNumber type = pin.type_number(text_arg(entry.Get(0u)));
    if (type != kNone) question.half_lives[static_cast<TypeNumber>(type)] = half_life;
  }
  question.functional = types_arg(given.Get("functional"), pin);
  const Napi::Value confirmed = given.Get("confirmedProp");
  if (!confirmed.IsNull()) question.confirmed = pin.tables().prop_names.find(text_arg(confirmed));
  question.has_exact_ages = given.Get("hasExactAges").ToBoolean();
  question.include = number_arg(given.Get("include"), (1u << freshness::kStatusCount) - 1);
  return question;
}

PageSpan span_arg(const Napi::Value& value) {
  const auto range = page_arg(value);
  return range ? PageSpan{range->from, range->to - std::min(range->from, range->to)} : PageSpan{};
}

// More rows than this are a matter for the pool: sorting them would hold the thread.
constexpr uint64_t kInlineRows = 4'000;

struct FreshnessRun {
  Pin pin;
  Filter filter;
  freshness::Question question;
  PageSpan rows;
  PageSpan conflicts;
  freshness::Answer answer = {};
  RowPack shown = {};
  RowPack contradicting = {};

  bool is_large() const { return pin.tables().incidence.slot_count(question.src) > kInlineRows; }

  Status run(StopToken& stop) {
    answer = {};
    StepCounter steps(stop);
    Status status = freshness::fact_freshness(pin, filter, question, rows, conflicts, steps, answer);
    if (status.is_ok()) pack();
    return status;
  }

  /// The span of a fact but its src, which all have in common.
  void add_span(const freshness::Fact& fact, RowPack& pack) const {
    const Tables& tables = pin.tables();
    pack.add_text(tables.types.get(tables.edges.type(fact.edge)));
    pack.add_text(tables.uids.get(tables.edges.dst(fact.edge)));
    pack.add_text(tables.edges.key(fact.edge));
    pack.add_instant(fact.from);
    pack.add_end(fact.to);
  }

  void add_ending(const freshness::Fact& fact, RowPack& pack) const {
    if (!fact.is_retracted) {
      for (int cell = 0; cell < 3; ++cell) pack.add_null();
      return;
    }
    const VersionTable& versions = pin.tables().edge_versions;
    const Closing closing = versions.closing(versions.closing_number(fact.content));
    pack.add_number(static_cast<uint32_t>(closing.ended_by));
    if (closing.reason == kNone) {
      pack.add_null();
    } else {
      pack.add_text(pin.tables().texts.get(closing.reason));
    }
    pack.add_number(closing.tx);
  }

  void add_row(const freshness::ShownFact& row, RowPack& pack) const {
    add_span(row.fact, pack);
    pack.add_number(static_cast<uint32_t>(row.status));
    pack.add_number(row.fact.from > question.at ? 1 : 0);
    const double age = exact::quotient(row.age, question.has_exact_ages ? freshness::kDay : 1);
    pack.add_double(age);
    pack.add_double(exact::rounded(age));
    pack.add_instant(row.basis);
    pack.add_number(row.is_confirmed ? 1 : 0);
    pack.add_number(row.superseded_by ? 1 : 0);
    if (row.superseded_by) add_span(*row.superseded_by, pack);
    pack.add_number(row.conflicts);
    pack.add_number(row.group);
    add_ending(row.fact, pack);
  }

  void pack() {
    shown = {};
    for (const freshness::ShownFact& row : answer.rows) add_row(row, shown);
    contradicting = {};
    for (const freshness::ConflictRow& row : answer.conflicts) {
      contradicting.add_number(row.group);
      add_span(row.fact, contradicting);
    }
  }

  /// [pack of rows, their number, pack of conflicts, their number, totals by status]
  Napi::Value value(Napi::Env env) const {
    Napi::Array totals = Napi::Array::New(env, answer.totals.size());
    for (uint32_t i = 0; i < answer.totals.size(); ++i) totals.Set(i, static_cast<double>(answer.totals[i]));
    Napi::Array out = Napi::Array::New(env, 5);
    out.Set(0u, row_pack_value(env, shown));
    out.Set(1u, static_cast<double>(answer.row_count));
    out.Set(2u, row_pack_value(env, contradicting));
    out.Set(3u, static_cast<double>(answer.conflict_count));
    out.Set(4u, totals);
    return out;
  }
};

Napi::Value run_freshness(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto stop = stop_of(info[1]);
  auto run = std::make_shared<FreshnessRun>(
      FreshnessRun{pin, filter_arg(info[2], pin), question_arg(info[3], pin), span_arg(info[4]), span_arg(info[5])});
  const auto work = [run](StopToken& token) { return run->run(token); };
  const auto finish = [run](Napi::Env env) { return run->value(env); };
  if (run->is_large()) return run_kernel(info.Env(), RunMode::kPool, std::move(stop), work, finish, info[0]);
  return run_within_budget(info.Env(), std::move(stop), work, finish, info[0]);
}

}  // namespace

void register_freshness(Napi::Env env, Napi::Object exports) {
  exports.Set("factFreshness", Napi::Function::New(env, run_freshness, "factFreshness"));
}

}  // namespace palimpsest::node
