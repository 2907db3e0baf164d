// A walk through one node's events from the first that may follow an event, under each order of ties.
// The order of ties stands here and nowhere else in the searches.
#pragma once

#include "core/kernels/motifs/event_graph.h"

namespace palimpsest::motifs {

/// Whether `slot` may come after an event of this tick and rank, the window apart.
template <typename Tick>
bool may_follow(const EventSlot<Tick>& slot, Tick tick, uint32_t rank, Ties ties) {
  if (ties == Ties::kBySeq) return slot.rank > rank;
  return ties == Ties::kStrict ? slot.tick > tick : slot.tick >= tick;
}

/// The first slot of a node's list that may follow the event `rank`. `near` is any slot of that list, best one not far
/// before the answer.
template <typename Tick>
uint32_t first_following(const EventGraph<Tick>& graph, uint32_t node, uint32_t near, uint32_t rank, Ties ties) {
  const EventSlot<Tick>* slots = graph.slots.get();
  const Tick tick = graph.tick_of(rank);
  // The sentinel on either side never follows wrongly: the one before has no place in the list, the one after is last.
  uint32_t at = near;
  while (!slots[at - 1].is_sentinel() && may_follow(slots[at - 1], tick, rank, ties)) --at;
  const uint32_t end = graph.end_of(node);
  uint32_t step = 1;
  uint32_t low = at;
  while (low < end && !may_follow(slots[low], tick, rank, ties)) {
    at = low + 1;
    low = end - low > step ? low + step : end;
    step *= 2;
  }
  // Everything before `at` cannot follow, `low` can.
  while (at < low) {
    const uint32_t middle = at + (low - at) / 2;
    if (may_follow(slots[middle], tick, rank, ties)) {
      low = middle;
    } else {
      at = middle + 1;
    }
  }
  return low;
}

/// The first rank that may follow the event `rank`.
template <typename Tick>
uint32_t first_following_rank(const EventGraph<Tick>& graph, uint32_t rank, Ties ties) {
  if (ties == Ties::kBySeq) return rank + 1;
  const Tick tick = graph.tick_of(rank);
  uint32_t at = rank;
  if (ties == Ties::kAllow) {
    while (at > 0 && graph.tick_of(at - 1) == tick) --at;
    return at;
  }
  while (at < graph.event_count && graph.tick_of(at) == tick) ++at;
  return at;
}

}  // namespace palimpsest::motifs
