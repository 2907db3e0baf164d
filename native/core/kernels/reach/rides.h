// Reachability by rides (`arrival: valid_end`) under a wait limit: depart at a span's first instant, arrive at its end.
// Every ride takes time, so one pass in time order sees all arrivals at a node before the departures that follow them.
#pragma once

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

/// Arrivals and least numbers of steps, with or without a limit of steps. Exact: a ride that leaves at s can follow the
/// arrivals at its tail in [s - wait, s - tie], of which the one with the fewest steps is best in every respect, and
/// the rides themselves are all kept, not only the earliest. O(rides out of reached nodes · log). False when the
/// counter stopped the search.
bool find_by_rides(const Search& search, std::vector<FoundNode>& reached);

}  // namespace palimpsest::reach
