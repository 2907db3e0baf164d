// Reachability without a wait limit: one label per node, its earliest arrival, is enough.
// With hops one label per node and number of steps; both for any filter and either way of crossing.
#pragma once

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

/// Earliest arrivals, by the search of Dijkstra. It is exact because waiting is free: whoever is at a node earlier can
/// depart whenever a later one can. O(steps out of reached nodes · log).
/// False when the counter stopped the search.
bool find_earliest(const Search& search, std::vector<FoundNode>& reached);

/// Arrivals by walks of at most `max_hops` steps (no limit: 0) and the least number of steps, layer by layer:
/// label k of a node is the earliest arrival over walks of at most k steps. With `expected` nodes to be found and no
/// limit of steps the search ends at the layer that finds the last of them; arrivals are then those of `find_earliest`,
/// which the caller has, and not given here.
bool find_by_layers(const Search& search, uint32_t expected, std::vector<FoundNode>& reached);

}  // namespace palimpsest::reach
