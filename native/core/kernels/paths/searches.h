// The two searches for paths: the best by one measure first, and all of a number of hops in the order of their spans.
// Both start over with more labels when they have looked at more than those would cost.
#pragma once

#include <functional>

#include "core/kernels/paths/path_tree.h"

namespace palimpsest::paths {

struct Found {
  std::vector<Hop> hops;
  Trip trip;
  Clock measure = 0;  // what the search went by; the less the better
};

enum class Measure : uint8_t {
  kLatestStart,  // minus the latest departure on the search's clock
  kDuration,     // arrival less departure
  kEarliestEnd,  // the arrival, of those within `most_duration`
};

/// What a search needs whatever it looks for.
struct Search {
  WaySource& ways;
  WaitRules rules;
  Frame frame;
  uint64_t most;  // ends when so many paths are found
};

/// Takes a path that has reached the goal: fills in its trip and its measure, or says that it does not count.
using Accept = std::function<bool(Found& found)>;

/// Paths in the order of their measure, ties in any order that depends on nothing but the store.
///
/// @return kCost when the beginnings to hold are too many; kCost and kCancelled when the counter said so
Status best_first(const Search& search, Measure measure, Clock most_duration, const Accept& accept,
                  std::vector<Found>& found);

/// Paths of exactly `frame.max_hops` hops that leave at `least_start` or later, in lexicographic order of their spans.
/// The search goes forward.
Status in_order(const Search& search, Clock least_start, const Accept& accept, std::vector<Found>& found);

}  // namespace palimpsest::paths
