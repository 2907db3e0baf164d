// Every instance of one pattern that begins with a given event, in the order of its events: chronological search after
// Mackey et al., "A Chronological Edge-Driven Approach to Temporal Subgraph Isomorphism" (IEEE Big Data 2018).
// Pattern edges are matched in time order, each from the list of a node that is already bound.
#pragma once

#include "core/base/parallel.h"
#include "core/kernels/motifs/candidate_list.h"
#include "core/kernels/motifs/event_judge.h"
#include "core/kernels/motifs/instance.h"

namespace palimpsest::motifs {

template <typename Tick>
class PatternSearch {
 public:
  using Slot = EventSlot<Tick>;

  PatternSearch(const EventGraph<Tick>& graph, const Pattern& pattern, const EventJudge& judge, Ties ties, Tick delta)
      : graph_(graph), pattern_(pattern), judge_(judge), ties_(ties), delta_(delta) {
    instance_.edge_count = static_cast<uint8_t>(pattern.edges.size());
    instance_.cell = 0;
  }

  /// Calls `visit(const Instance&)`. False when the steps or the visit said stop.
  template <typename Visit>
  bool from_first(uint32_t rank, WorkerSteps& steps, Visit&& visit) {
    last_tick_ = graph_.tick_of(rank);
    last_tick_ = graph_.last_tick - last_tick_ < delta_ ? graph_.last_tick : static_cast<Tick>(last_tick_ + delta_);
    Bindings none;
    return steps.add(1) && try_event(0, graph_.tail_of(rank), none, steps, visit);
  }

 private:
  /// Who stands for each letter, and some slot of that node's list.
  struct Bindings {
    uint32_t count = 0;
    std::array<uint32_t, kMostLetters> node;
    std::array<uint32_t, kMostLetters> slot;

    bool has(uint8_t letter) const { return letter < count; }
    bool holds(uint32_t candidate) const {
      for (uint32_t i = 0; i < count; ++i) {
        if (node[i] == candidate) return true;
      }
      return false;
    }
  };

  /// Letters are numbered by first appearance, so an edge that binds one binds the next number.
  bool bind(uint8_t letter, uint32_t node, uint32_t slot, Bindings& bindings) const {
    if (bindings.has(letter)) {
      if (bindings.node[letter] != node) return false;
    } else {
      if (bindings.holds(node)) return false;
      bindings.node[bindings.count++] = node;
    }
    bindings.slot[letter] = slot;
    return true;
  }

  bool is_chosen(uint32_t depth, uint32_t rank) const {
    for (uint32_t i = 0; i < depth; ++i) {
      if (instance_.ranks[i] == rank) return true;
    }
    return false;
  }

  /// Tries the event at this slot for pattern edge `depth`, and goes deeper. False only to stop everything.
  template <typename Visit>
  bool try_event(uint32_t depth, const Slot& slot, Bindings bindings, WorkerSteps& steps, Visit&& visit) {
    const PatternEdge edge = pattern_.edges[depth];
    const Slot& twin = graph_.slots[slot.twin];
    const Slot& tail = slot.is_incoming() ? twin : slot;
    const Slot& head = slot.is_incoming() ? slot : twin;
    if ((&tail == &head) != edge.is_loop()) return true;
    if (!bind(edge.src, head.other(), tail_position(tail), bindings)) return true;
    if (!edge.is_loop() && !bind(edge.dst, tail.other(), tail_position(head), bindings)) return true;
    if (ties_ == Ties::kAllow && is_chosen(depth, slot.rank)) return true;
    if (!judge_.passes(graph_, slot.rank, depth)) return true;
    instance_.ranks[depth] = slot.rank;
    if (depth + 1 == pattern_.edges.size()) return visit(static_cast<const Instance&>(instance_));
    return extend(depth + 1, bindings, steps, visit);
  }
  uint32_t tail_position(const Slot& slot) const { return static_cast<uint32_t>(&slot - graph_.slots.get()); }

  template <typename Visit>
  bool extend(uint32_t depth, const Bindings& bindings, WorkerSteps& steps, Visit&& visit) {
    const PatternEdge edge = pattern_.edges[depth];
    const uint32_t last = instance_.ranks[depth - 1];
    const bool has_src = bindings.has(edge.src);
    const bool has_dst = bindings.has(edge.dst);
    if (!has_src && !has_dst) return extend_anywhere(depth, last, bindings, steps, visit);
    const bool from_src = has_src && (!has_dst || list_size(bindings, edge.src) <= list_size(bindings, edge.dst));
    const uint8_t letter = from_src ? edge.src : edge.dst;
    // Direction and, where both ends are bound, the other end are told by the slot alone.
    const bool knows_other = has_src && has_dst;
    const uint32_t other = knows_other ? bindings.node[from_src ? edge.dst : edge.src] : 0;
    const uint32_t direction = from_src ? 0 : 1;
    const uint32_t wanted = (other << 1) | direction;
    for (uint32_t at = first_following(graph_, bindings.node[letter], bindings.slot[letter], last, ties_);; ++at) {
      const Slot& slot = graph_.slots[at];
      if (slot.tick > last_tick_) return true;
      if (!steps.add(1)) return false;
      const bool fits = knows_other ? slot.other_and_direction == wanted : (slot.other_and_direction & 1) == direction;
      if (fits && !try_event(depth, slot, bindings, steps, visit)) return false;
    }
  }

  /// For an edge that touches nothing bound yet: every event of the window.
  template <typename Visit>
  bool extend_anywhere(uint32_t depth, uint32_t last, const Bindings& bindings, WorkerSteps& steps, Visit&& visit) {
    for (uint32_t rank = first_following_rank(graph_, last, ties_); rank < graph_.event_count; ++rank) {
      const Slot& slot = graph_.tail_of(rank);
      if (slot.tick > last_tick_) return true;
      if (!steps.add(1) || !try_event(depth, slot, bindings, steps, visit)) return false;
    }
    return true;
  }

  uint32_t list_size(const Bindings& bindings, uint8_t letter) const {
    const uint32_t node = bindings.node[letter];
    return graph_.end_of(node) - graph_.first_slot[node];
  }

  const EventGraph<Tick>& graph_;
  const Pattern& pattern_;
  const EventJudge& judge_;
  const Ties ties_;
  const Tick delta_;
  Tick last_tick_ = 0;  // of the window that the first event opens
  Instance instance_;
};

}  // namespace palimpsest::motifs
