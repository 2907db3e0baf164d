// Every instance of the 36 motifs of the grid that begins with a given event, in the order of its events.
// The events fix the motif, so one walk through the lists of the nodes bound so far meets all 36 at once.
#pragma once

#include "core/base/parallel.h"
#include "core/kernels/motifs/candidate_list.h"
#include "core/kernels/motifs/grid.h"
#include "core/kernels/motifs/instance.h"

namespace palimpsest::motifs {

template <typename Tick>
class GridSearch {
 public:
  using Slot = EventSlot<Tick>;

  GridSearch(const EventGraph<Tick>& graph, Ties ties, Tick delta) : graph_(graph), ties_(ties), delta_(delta) {
    instance_.edge_count = 3;
  }

  /// Calls `visit(const Instance&)`. False when the steps or the visit said stop.
  template <typename Visit>
  bool from_first(uint32_t rank, WorkerSteps& steps, Visit&& visit) {
    const Slot& tail = graph_.tail_of(rank);
    const Slot& head = graph_.slots[tail.twin];
    const Tick tick = tail.tick;
    last_tick_ = graph_.last_tick - tick < delta_ ? graph_.last_tick : static_cast<Tick>(tick + delta_);
    instance_.ranks[0] = rank;
    const Letters first{2, {head.other(), tail.other(), 0}, {head.twin, tail.twin, 0}};
    return steps.add(1) && each_candidate(first, rank, steps, [&](const Slot& slot) {
             if (slot.rank == rank) return true;
             Letters bound = first;
             const PatternEdge second = letters_of(slot, bound);
             instance_.ranks[1] = slot.rank;
             return each_candidate(bound, slot.rank, steps, [&](const Slot& last) {
               if (last.rank == rank || last.rank == instance_.ranks[1]) return true;
               Letters all = bound;
               const uint8_t cell = grid_cell(second, letters_of(last, all));
               if (cell == kNoCell) return true;
               instance_.ranks[2] = last.rank;
               instance_.cell = cell;
               return static_cast<bool>(visit(static_cast<const Instance&>(instance_)));
             });
           });
  }

 private:
  struct Letters {
    uint8_t count;
    std::array<uint32_t, 3> node;
    std::array<uint32_t, 3> slot;  // one of the node's list
  };

  /// The letters of an event's ends; a node that has none is given the next. Letter 3 is one node too many.
  PatternEdge letters_of(const Slot& slot, Letters& letters) const {
    const Slot& twin = graph_.slots[slot.twin];
    const uint8_t own = letter_of(twin.other(), twin.twin, letters);
    const uint8_t other = letter_of(slot.other(), slot.twin, letters);
    return slot.is_incoming() ? PatternEdge{other, own} : PatternEdge{own, other};
  }
  static uint8_t letter_of(uint32_t node, uint32_t slot, Letters& letters) {
    for (uint8_t i = 0; i < letters.count; ++i) {
      if (letters.node[i] == node) return i;
    }
    if (letters.count == 3) return 3;
    letters.node[letters.count] = node;
    letters.slot[letters.count] = slot;
    return letters.count++;
  }

  /// Events at any of the bound nodes that may follow `rank`, in rank order, each once.
  template <typename Try>
  bool each_candidate(const Letters& letters, uint32_t rank, WorkerSteps& steps, Try&& attempt) const {
    std::array<uint32_t, 3> at;
    for (uint8_t i = 0; i < letters.count; ++i) {
      at[i] = first_following(graph_, letters.node[i], letters.slot[i], rank, ties_);
    }
    for (;;) {
      const Slot* next = &graph_.slots[at[0]];
      for (uint8_t i = 1; i < letters.count; ++i) {
        const Slot* slot = &graph_.slots[at[i]];
        if (slot->rank < next->rank) next = slot;
      }
      if (next->tick > last_tick_) return true;  // a sentinel's tick is above every other
      if (!steps.add(1)) return false;
      const uint32_t least = next->rank;
      for (uint8_t i = 0; i < letters.count; ++i) at[i] += graph_.slots[at[i]].rank == least ? 1 : 0;
      if (!attempt(*next)) return false;
    }
  }

  const EventGraph<Tick>& graph_;
  const Ties ties_;
  const Tick delta_;
  Tick last_tick_ = 0;
  Instance instance_;
};

}  // namespace palimpsest::motifs
