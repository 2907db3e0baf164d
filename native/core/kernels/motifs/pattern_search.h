// Every instance of one pattern that begins with a given event: chronological search after Mackey et al., "A
// Chronological Edge-Driven Approach to Temporal Subgraph Isomorphism" (IEEE Big Data 2018). Each pattern edge is
// matched from the list of a node that is already bound, wherever its letters allow that.
#pragma once

#include "core/base/parallel.h"
#include "core/kernels/motifs/candidate_list.h"
#include "core/kernels/motifs/event_judge.h"
#include "core/kernels/motifs/instance.h"

namespace palimpsest::motifs {

/// In which order pattern edges are matched. The first edge is always the first.
enum class StepOrder : uint8_t {
  kChronological,  // instances come in the order of their events
  kConnected       // every edge touches one before it; the order of instances means nothing
};

template <typename Tick>
class PatternSearch {
 public:
  using Slot = EventSlot<Tick>;

  PatternSearch(const EventGraph<Tick>& graph, const Pattern& pattern, const EventJudge& judge, Ties ties, Tick delta,
                StepOrder order)
      : graph_(graph), pattern_(pattern), judge_(judge), ties_(ties), delta_(delta) {
    instance_.edge_count = static_cast<uint8_t>(pattern.edges.size());
    instance_.cell = 0;
    plan(order);
  }

  /// Calls `visit(const Instance&)`. False when the steps or the visit said stop.
  template <typename Visit>
  bool from_first(uint32_t rank, WorkerSteps& steps, Visit&& visit) {
    const Tick tick = graph_.tick_of(rank);
    last_tick_ = graph_.last_tick - tick < delta_ ? graph_.last_tick : static_cast<Tick>(tick + delta_);
    return steps.add(1) && try_event(0, graph_.tail_of(rank), Bindings{}, steps, visit);
  }

 private:
  static constexpr uint8_t kNoEdge = 255;

  /// One pattern edge to match, and which of those matched before it stand next to it in time.
  struct Step {
    uint8_t edge;
    uint8_t earlier;
    uint8_t later;  // kNoEdge: none
  };
  /// Who stands for each letter, and some slot of that node's list.
  struct Bindings {
    uint8_t letters = 0;  // a bit each
    std::array<uint32_t, kMostLetters> node;
    std::array<uint32_t, kMostLetters> slot;

    bool has(uint8_t letter) const { return ((letters >> letter) & 1) != 0; }
    bool holds(uint32_t candidate) const {
      for (uint8_t letter = 0; letter < kMostLetters; ++letter) {
        if (has(letter) && node[letter] == candidate) return true;
      }
      return false;
    }
    /// False when the letter stands for another node, or another letter for this one.
    bool bind(uint8_t letter, uint32_t own_node, uint32_t own_slot) {
      if (has(letter) ? node[letter] != own_node : holds(own_node)) return false;
      letters = static_cast<uint8_t>(letters | (1u << letter));
      node[letter] = own_node;
      slot[letter] = own_slot;
      return true;
    }
  };

  void plan(StepOrder order) {
    const auto edge_count = static_cast<uint8_t>(pattern_.edges.size());
    uint8_t chosen = 0;
    uint8_t letters = 0;
    const auto touches = [&](PatternEdge edge) {
      return ((letters >> edge.src) & 1) + ((letters >> edge.dst) & 1) > 0;
    };
    for (uint8_t step = 0; step < edge_count; ++step) {
      uint8_t next = kNoEdge;
      for (uint8_t edge = 0; edge < edge_count && next == kNoEdge; ++edge) {
        if (((chosen >> edge) & 1) != 0) continue;
        if (step == 0 || order == StepOrder::kChronological || touches(pattern_.edges[edge])) next = edge;
      }
      Step& planned = steps_[step] = {next, kNoEdge, kNoEdge};
      for (uint8_t edge = 0; edge < edge_count; ++edge) {
        if (((chosen >> edge) & 1) == 0) continue;
        if (edge < next) planned.earlier = edge;
        if (edge > next && planned.later == kNoEdge) planned.later = edge;
      }
      chosen = static_cast<uint8_t>(chosen | (1u << next));
      const PatternEdge edge = pattern_.edges[next];
      letters = static_cast<uint8_t>(letters | (1u << edge.src) | (1u << edge.dst));
    }
  }

  bool is_chosen(uint32_t step, uint32_t rank) const {
    for (uint32_t i = 0; i < step; ++i) {
      if (instance_.ranks[steps_[i].edge] == rank) return true;
    }
    return false;
  }
  uint32_t position_of(const Slot& slot) const { return static_cast<uint32_t>(&slot - graph_.slots.get()); }

  /// Whether a candidate lies in the window and before what must come after it: no later one does when it does not.
  bool is_in_time(const Slot& slot, const Step& step) const {
    if (slot.tick > last_tick_) return false;
    if (step.later == kNoEdge) return true;
    return may_follow(graph_.tail_of(instance_.ranks[step.later]), slot.tick, slot.rank, ties_);
  }

  /// Tries the event at this slot for a step, and goes on from there. False only to stop everything.
  template <typename Visit>
  bool try_event(uint32_t step, const Slot& slot, Bindings bindings, WorkerSteps& steps, Visit&& visit) {
    const uint8_t index = steps_[step].edge;
    const PatternEdge edge = pattern_.edges[index];
    const Slot& twin = graph_.slots[slot.twin];
    const Slot& tail = slot.is_incoming() ? twin : slot;
    const Slot& head = slot.is_incoming() ? slot : twin;
    if ((&tail == &head) != edge.is_loop()) return true;
    if (!bindings.bind(edge.src, head.other(), position_of(tail))) return true;
    if (!edge.is_loop() && !bindings.bind(edge.dst, tail.other(), position_of(head))) return true;
    if (ties_ == Ties::kAllow && is_chosen(step, slot.rank)) return true;
    if (!judge_.passes(graph_, slot.rank, index)) return true;
    instance_.ranks[index] = slot.rank;
    if (step + 1 == pattern_.edges.size()) return visit(static_cast<const Instance&>(instance_));
    return extend(step + 1, bindings, steps, visit);
  }

  template <typename Visit>
  bool extend(uint32_t step, const Bindings& bindings, WorkerSteps& steps, Visit&& visit) {
    const PatternEdge edge = pattern_.edges[steps_[step].edge];
    const uint32_t earlier = instance_.ranks[steps_[step].earlier];  // there always is one: the first edge
    const bool has_src = bindings.has(edge.src);
    const bool has_dst = bindings.has(edge.dst);
    if (!has_src && !has_dst) return extend_anywhere(step, earlier, bindings, steps, visit);
    const bool from_src = has_src && (!has_dst || list_size(bindings, edge.src) <= list_size(bindings, edge.dst));
    const uint8_t letter = from_src ? edge.src : edge.dst;
    // Direction and, where both ends are bound, the other end are told by the slot alone.
    const bool knows_other = has_src && has_dst;
    const uint32_t other = knows_other ? bindings.node[from_src ? edge.dst : edge.src] : 0;
    const uint32_t direction = from_src ? 0 : 1;
    const uint32_t wanted = (other << 1) | (edge.is_loop() ? 0 : direction);
    for (uint32_t at = first_following(graph_, bindings.node[letter], bindings.slot[letter], earlier, ties_);; ++at) {
      const Slot& slot = graph_.slots[at];
      if (!is_in_time(slot, steps_[step])) return true;
      if (!steps.add(1)) return false;
      const bool fits = knows_other ? slot.other_and_direction == wanted : (slot.other_and_direction & 1) == direction;
      if (fits && !try_event(step, slot, bindings, steps, visit)) return false;
    }
  }

  /// For an edge that touches nothing bound yet: every event of the window.
  template <typename Visit>
  bool extend_anywhere(uint32_t step, uint32_t earlier, const Bindings& bindings, WorkerSteps& steps, Visit&& visit) {
    for (uint32_t rank = first_following_rank(graph_, earlier, ties_); rank < graph_.event_count; ++rank) {
      const Slot& slot = graph_.tail_of(rank);
      if (!is_in_time(slot, steps_[step])) return true;
      if (!steps.add(1) || !try_event(step, slot, bindings, steps, visit)) return false;
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
  std::array<Step, kMostEdges> steps_;
  Tick last_tick_ = 0;  // of the window that the first event opens
  Instance instance_;
};

}  // namespace palimpsest::motifs
