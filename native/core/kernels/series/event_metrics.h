// Metrics of a bucket's events: how many, between how many nodes and pairs, and pairs that were never there before.
// Cost follows the events of the buckets; new pairs also look back until every pair of theirs was found before.
#pragma once

#include <vector>

#include "core/kernels/series/buckets.h"
#include "core/kernels/series/population.h"

namespace palimpsest::series {

/// Per bucket; a vector stays empty where it was not asked for.
struct EventMetrics {
  std::vector<uint64_t> events;
  std::vector<uint64_t> nodes;     // distinct ends
  std::vector<uint64_t> pairs;     // distinct ordered pairs
  std::vector<uint64_t> answered;  // of those with two ends, the ones whose reverse is among them too
  std::vector<uint64_t> loops;     // of the distinct pairs, those with one end
};
struct WantedEventMetrics {
  bool events = false;
  bool nodes = false;
  bool pairs = false;
};

Status event_metrics(const Pin& pin, const PassingEvents& events, const Buckets& buckets, WantedEventMetrics wanted,
                     StepCounter& steps, EventMetrics& out);

/// Ordered pairs whose first passing event over all time lies in each bucket.
Status new_pairs(const PassingEvents& events, const Buckets& buckets, StepCounter& steps, std::vector<uint64_t>& out);

}  // namespace palimpsest::series
