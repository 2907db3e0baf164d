// Version rows found from the nodes that a filter names: their incidence lists, or their own versions.
// Gives candidates, each once and in no useful order; belief, filters and order are the caller's.
#pragma once

#include <optional>
#include <span>

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/window.h"

namespace palimpsest {

/// Nodes one of whose ends every edge that passes the filter has.
struct NamedEnds {
  std::span<const NodeNumber> nodes;
  bool is_dst;
  uint64_t slot_count;  // over the lists of all of them
};

/// The shortest lists that hold all edges which pass; none where a walk over all rows is about as short.
std::optional<NamedEnds> named_ends(const Pin& pin, const Filter& filter);

/// Calls `visit(Row)` for each edge row at those ends that touches the window. False when the counter said stop.
template <typename Visit>
bool each_at_ends(const Pin& pin, const NamedEnds& ends, ValidWindow window, StepCounter& steps, Visit&& visit) {
  const VersionTable& versions = pin.tables().edge_versions;
  bool goes_on = true;
  for (const NodeNumber node : ends.nodes) {
    pin.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
      const bool is_before = slots.empty() || max_end <= window.from;
      goes_on = steps.add(is_before ? 1 : slots.size());
      if (!goes_on) return false;
      if (is_before) return true;
      for (const Slot& slot : slots) {
        if (slot.valid_from >= window.to) return false;
        // An edge between two of the nodes is in both lists; one from a node to itself is in one list once.
        if (slot.is_incoming() != ends.is_dst && slot.other() != node) continue;
        if (window.touches(slot.valid_from, versions.valid_to(slot.row))) visit(slot.row);
      }
      return true;
    });
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace palimpsest
