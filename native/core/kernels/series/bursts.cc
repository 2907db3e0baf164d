#include "core/kernels/series/bursts.h"

#include <cmath>
#include <optional>

#include "core/kernels/numbers/exact_sum.h"
#include "core/kernels/series/event_metrics.h"
#include "core/kernels/series/history.h"

namespace palimpsest::series {

namespace {

using exact::Int128;
using exact::UInt128;

/// What a count is held against: num / den, and the score where its divisor is not 0.
struct Judgement {
  uint64_t num;
  uint64_t den;
  std::optional<double> score;
};

Judgement judge(uint64_t value, const History& history, bool is_ratio) {
  if (is_ratio) {
    const uint64_t twice = history.twice_median();
    if (twice == 0) return {0, 2, std::nullopt};
    return {twice, 2, exact::mean(Int128{2} * value, twice)};
  }
  const uint64_t count = history.size();
  if (exact::scaled_variance(history.sum(), history.squares(), count) == 0) return {history.sum(), count, std::nullopt};
  return {history.sum(), count, exact::zscore(value, history.sum(), history.squares(), count)};
}

/// Whether the count stands out upward (true) or downward (false); nothing where it does not.
std::optional<bool> side_of(uint64_t value, const Judgement& judgement, const BurstRules& rules, double least_ratio) {
  const Int128 change = Int128{value} * judgement.den - judgement.num;
  const UInt128 size = exact::magnitude_of(change);
  if (change == 0 || size < UInt128{rules.min_change} * judgement.den) return std::nullopt;
  if (!judgement.score) return change > 0;
  if (*judgement.score >= rules.threshold) return true;
  const double down = rules.is_ratio ? least_ratio : -rules.threshold;
  if (*judgement.score <= down) return false;
  return std::nullopt;
}

double spread_of(const History& history, bool is_ratio) {
  if (is_ratio) return std::nan("");
  exact::ExactSum scaled;
  scaled.add(exact::scaled_variance(history.sum(), history.squares(), history.size()), 0, false);
  return exact::rounded(exact::root_of_quotient(scaled, history.size()));
}

}  // namespace

Status bursts(const Pin& pin, const Population& population, const Buckets& buckets, const BurstRules& rules,
              PageSpan page, StepCounter& steps, BurstAnswer& out) {
  PassingEvents events;
  EventMetrics metrics;
  Status status = PassingEvents::open(pin, population, steps, events);
  if (status.is_ok()) status = event_metrics(pin, events, buckets, {.events = true}, steps, metrics);
  if (!status.is_ok()) return status;

  const double least_ratio = exact::rounded(1 / rules.threshold);
  History history(rules.history, rules.is_ratio);
  for (uint32_t bucket = 0; bucket < buckets.count(); ++bucket) {
    if (!steps.add(1)) return steps.status();
    const uint64_t value = metrics.events[bucket];
    const bool is_partial =
        (bucket == 0 && rules.is_first_partial) || (bucket + 1 == buckets.count() && rules.is_last_partial);
    if (is_partial) continue;
    if (history.size() >= rules.min_history) {
      ++out.judged;
      const Judgement judgement = judge(value, history, rules.is_ratio);
      const std::optional<bool> is_up = side_of(value, judgement, rules, least_ratio);
      if (is_up && (*is_up ? rules.wants_up : rules.wants_down)) {
        const uint64_t position = out.total++;
        if (position >= page.ordinal && position - page.ordinal < page.limit) {
          out.rows.push_back({bucket, value, exact::mean(judgement.num, judgement.den),
                              spread_of(history, rules.is_ratio), judgement.score.value_or(std::nan("")), *is_up,
                              history.size()});
        }
      }
    }
    history.add(value);
  }
  return Status::ok();
}

}  // namespace palimpsest::series
