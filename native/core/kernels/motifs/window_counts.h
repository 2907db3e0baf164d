// Counts without enumeration, where there is a way: the 36 of the grid, each of them, and patterns of one or two edges.
// Cost follows the events within delta of each other at one node, not the instances.
#pragma once

#include "core/kernels/motifs/event_graph.h"
#include "core/kernels/motifs/grid_counts.h"

namespace palimpsest::motifs {

/// Whether `count_by_windows` answers the question; `has_ties` is the graph's.
bool can_count_by_windows(const Question& question, bool has_ties);

/// Counts by cell of the grid, or one count. The graph has no self-loops. Parallel by stretches of slots.
template <typename Tick>
Status count_by_windows(const EventGraph<Tick>& graph, const Question& question, StepCounter& steps,
                        std::vector<WideCount>& counts);

}  // namespace palimpsest::motifs
