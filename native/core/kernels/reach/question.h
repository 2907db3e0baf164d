// What temporal_reachability is asked at a pin: names resolved to numbers, instants in microseconds.
// Holds arguments only; the searches' own rules follow from it.
#pragma once

#include <optional>
#include <vector>

#include "core/kernels/corners/khop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

struct Question {
  std::vector<NodeNumber> subjects;
  std::optional<std::vector<NodeNumber>> targets;  // nothing: all nodes
  Micros from = kBeginning;
  Micros to = kCalendarEnd;
  bool is_backward = false;
  Orientation orientation = Orientation::kOut;
  Crossing crossing = Crossing::kInstant;
  bool is_strict = false;
  std::optional<Micros> max_wait;
  uint32_t max_hops = 0;  // 0: no limit
  bool counts_hops = false;

  Clock clock_of(Micros instant) const { return is_backward ? -instant : instant; }
  Rules rules() const;
  /// Whether the walk goes along (`outgoing`) or against an edge when the search leaves the node at that end of it.
  bool leaves_by(bool is_incoming) const {
    if (orientation == Orientation::kBoth) return true;
    return is_incoming == ((orientation == Orientation::kIn) != is_backward);
  }
};

}  // namespace palimpsest::reach
