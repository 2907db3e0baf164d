// The stretches of time in which both ends of an edge pass the filter, where nodes are judged instant by instant.
#pragma once

#include "core/kernels/reach/passing.h"

namespace palimpsest::series {

/// Calls `visit(Micros from, Micros to)` for the maximal parts of [from, to) in which both ends pass, ascending.
/// Where the filter has no part about nodes that is the whole. `passing` judges at least these instants.
template <typename Visit>
void each_passing_stretch(reach::PassingInstants& passing, const Filter& filter, NodeNumber src, NodeNumber dst,
                          Micros from, Micros to, Visit&& visit) {
  if (from >= to) return;
  if (!filter.has_node_part()) {
    visit(from, to);
    return;
  }
  // Stretches of one end stay where they are while the other's are made: they live in a node-based map.
  const auto& of_src = passing.of(src, true);
  const auto& of_dst = passing.of(dst, false);
  const auto ends_before = [](const reach::Stretch& stretch, Micros instant) { return stretch.last < instant; };
  auto a = std::lower_bound(of_src.begin(), of_src.end(), from, ends_before);
  auto b = std::lower_bound(of_dst.begin(), of_dst.end(), from, ends_before);
  while (a != of_src.end() && b != of_dst.end() && a->first < to && b->first < to) {
    const Micros first = std::max({a->first, b->first, from});
    const Micros last = std::min({a->last, b->last, to - 1});
    if (first <= last) visit(first, last + 1);
    a->last < b->last ? ++a : ++b;
  }
}

}  // namespace palimpsest::series
