// The metrics of graph_metric_timeseries over consecutive buckets (docs/contract.md O8).
// Each metric is counted from what it needs alone; metrics of events share one sweep.
#pragma once

#include <span>
#include <vector>

#include "core/kernels/series/buckets.h"
#include "core/kernels/series/population.h"

namespace palimpsest::series {

/// As METRICS in src/native/series.ts has them.
enum class Metric : uint8_t {
  kEdgeEventCount = 0,
  kEdgeEndCount,
  kActiveEdgeCount,
  kNodeCount,
  kActiveNodeCount,
  kDistinctPairCount,
  kNewNodeCount,
  kNewPairCount,
  kMeanOutDegree,
  kReciprocity,
};

/// Writes the value of metric m in bucket b to `out[b * metrics.size() + m]`; what is over nothing is NaN.
Status metric_series(const Pin& pin, const Population& population, const Buckets& buckets,
                     std::span<const Metric> metrics, StepCounter& steps, std::vector<double>& out);

}  // namespace palimpsest::series
