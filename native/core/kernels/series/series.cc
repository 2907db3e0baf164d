#include "core/kernels/series/series.h"

#include <cmath>

#include "core/kernels/numbers/exact_rounding.h"
#include "core/kernels/series/event_metrics.h"
#include "core/kernels/series/state_metrics.h"

namespace palimpsest::series {

namespace {

using Counts = std::vector<uint64_t>;

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? std::nan("") : exact::mean(static_cast<exact::Int128>(part), whole);
}

/// Everything that was asked for, each counted once.
struct Counted {
  EventMetrics events;
  Counts new_pairs;
  Counts ended;
  Counts active;
  Counts nodes;
  Counts new_nodes;

  double value(Metric metric, uint32_t bucket) const {
    switch (metric) {
      case Metric::kEdgeEventCount:
        return static_cast<double>(events.events[bucket]);
      case Metric::kEdgeEndCount:
        return static_cast<double>(ended[bucket]);
      case Metric::kActiveEdgeCount:
        return static_cast<double>(active[bucket]);
      case Metric::kNodeCount:
        return static_cast<double>(nodes[bucket]);
      case Metric::kActiveNodeCount:
        return static_cast<double>(events.nodes[bucket]);
      case Metric::kDistinctPairCount:
        return static_cast<double>(events.pairs[bucket]);
      case Metric::kNewNodeCount:
        return static_cast<double>(new_nodes[bucket]);
      case Metric::kNewPairCount:
        return static_cast<double>(new_pairs[bucket]);
      case Metric::kMeanOutDegree:
        return share(active[bucket], nodes[bucket]);
      case Metric::kReciprocity:
        break;
    }
    return share(events.answered[bucket], events.pairs[bucket] - events.loops[bucket]);
  }
};

Status count(const Pin& pin, const Population& population, const Buckets& buckets, std::span<const Metric> metrics,
             StepCounter& steps, Counted& out) {
  const auto wants = [&](auto... wanted) {
    return std::any_of(metrics.begin(), metrics.end(), [&](Metric metric) { return ((metric == wanted) || ...); });
  };
  const WantedEventMetrics of_events{wants(Metric::kEdgeEventCount), wants(Metric::kActiveNodeCount),
                                     wants(Metric::kDistinctPairCount, Metric::kReciprocity)};
  const bool wants_events = of_events.events || of_events.nodes || of_events.pairs;
  const bool wants_new_pairs = wants(Metric::kNewPairCount);
  Status status;
  if (wants_events || wants_new_pairs) {
    PassingEvents events;
    status = PassingEvents::open(pin, population, steps, events);
    if (status.is_ok() && wants_events) status = event_metrics(pin, events, buckets, of_events, steps, out.events);
    if (status.is_ok() && wants_new_pairs) status = new_pairs(events, buckets, steps, out.new_pairs);
  }
  if (status.is_ok() && wants(Metric::kEdgeEndCount)) status = ended_edges(pin, population, buckets, steps, out.ended);
  if (status.is_ok() && wants(Metric::kActiveEdgeCount, Metric::kMeanOutDegree)) {
    status = active_edges(pin, population, buckets, steps, out.active);
  }
  if (status.is_ok() && wants(Metric::kNodeCount, Metric::kMeanOutDegree)) {
    status = nodes(pin, *population.filter, buckets, steps, out.nodes);
  }
  if (status.is_ok() && wants(Metric::kNewNodeCount)) {
    status = new_nodes(pin, *population.filter, buckets, steps, out.new_nodes);
  }
  return status;
}

}  // namespace

Status metric_series(const Pin& pin, const Population& population, const Buckets& buckets,
                     std::span<const Metric> metrics, StepCounter& steps, std::vector<double>& out) {
  Counted counted;
  if (Status status = count(pin, population, buckets, metrics, steps, counted); !status.is_ok()) return status;
  out.clear();
  out.reserve(buckets.count() * metrics.size());
  for (uint32_t bucket = 0; bucket < buckets.count(); ++bucket) {
    for (const Metric metric : metrics) out.push_back(counted.value(metric, bucket));
  }
  return Status::ok();
}

}  // namespace palimpsest::series
