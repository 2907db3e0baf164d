// When a path over given hops is travelled: its best pair of departure and arrival, and the times of its steps.
// Works on sets of instants as sorted, disjoint closed stretches; knows nothing of graphs and filters.
#pragma once

#include <span>
#include <vector>

#include "core/kernels/paths/question.h"
#include "core/kernels/reach/instants.h"

namespace palimpsest::paths {

using reach::Stretch;
using Stretches = std::vector<Stretch>;

/// One step of a path, in real time.
struct Hop {
  Row row;  // the span's first version
  NodeNumber tail;
  NodeNumber head;
  Clock ride;  // arrives so much later than it departs
  Stretches departures;
};

struct Trip {
  Micros departure;
  Micros arrival;
  Micros duration() const { return arrival - departure; }
};

/// Departures among `departures` that follow one of the arrivals by a legal stay.
void departures_after(std::span<const Stretch> arrivals, std::span<const Stretch> departures, const WaitRules& rules,
                      Stretches& out);
/// Departures among `departures` from which, `ride` later, a legal stay leads to one of the next departures.
void departures_before(std::span<const Stretch> next, std::span<const Stretch> departures, Clock ride,
                       const WaitRules& rules, Stretches& out);

/// The best trip under the criterion; the hops admit one.
Trip best_trip(std::span<const Hop> hops, Criterion criterion, const WaitRules& rules);

/// Per hop the earliest departure with which the trip can be kept. All of them together are admissible.
std::vector<Micros> step_departures(std::span<const Hop> hops, Trip trip, const WaitRules& rules);

}  // namespace palimpsest::paths
