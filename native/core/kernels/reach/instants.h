// Sets of instants as sorted, disjoint, not adjacent closed stretches.
// Serves the search by waves: what arrives anew is what a node has not yet.
#pragma once

#include <vector>

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

/// Never empty; both ends belong to it.
struct Stretch {
  Clock first;
  Clock last;
  bool operator==(const Stretch&) const = default;
};

class InstantSet {
 public:
  /// Adds [first, last] and appends to `fresh` the parts that were not in the set before.
  void add(Stretch stretch, std::vector<Stretch>& fresh);
  void add(Stretch stretch);
  /// The set within [first, last].
  std::vector<Stretch> within(Clock first, Clock last) const;
  /// The least instant of the set after `instant`, kNoClock where there is none.
  Clock next_after(Clock instant) const;
  /// The last instant of the stretch that holds `instant`, kNoClock where none does.
  Clock end_of_stretch(Clock instant) const;

 private:
  size_t first_reaching(Clock instant) const;
  std::vector<Stretch> stretches_;
};

}  // namespace palimpsest::reach
