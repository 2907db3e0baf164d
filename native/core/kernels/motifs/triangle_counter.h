// Triangles, each met once, at its first edge u→v: an event at u and one at v, both within delta after it, that lead to
// the same third node. Two short windows are compared side by side, long ones run through once by rank.
#pragma once

#include "core/kernels/motifs/grid_counts.h"
#include "core/kernels/motifs/star_chain.h"
#include "core/kernels/node_marks.h"

namespace palimpsest::motifs {

template <typename Tick>
class TriangleCounter {
 public:
  using Slot = EventSlot<Tick>;

  TriangleCounter(const EventGraph<Tick>& graph, Tick delta, bool is_strict, GridCounts& counts)
      : slots_(graph.slots.get()), graph_(graph), delta_(delta), is_strict_(is_strict), counts_(counts) {}

  /// Counts the triangles whose first edge stands at one of the slots [from, to) at its tail. `add_steps(n)` gives
  /// false to stop.
  template <typename AddSteps>
  bool count(uint32_t from, uint32_t to, AddSteps&& add_steps) {
    for (uint32_t at = from; at < to; ++at) {
      const Slot& edge = slots_[at];
      __builtin_prefetch(&slots_[slots_[at + kAhead < graph_.slot_count ? at + kAhead : at].twin + 1]);
      // The window first: at a sentinel, and where nothing follows at u, nothing else is looked at.
      if (edge.is_incoming() || slots_[at + 1].tick - edge.tick > delta_) continue;
      if (slots_[edge.twin + 1].tick - edge.tick > delta_) continue;
      const Window at_u = window_after(at, edge.tick);
      const Window at_v = window_after(edge.twin, edge.tick);
      if (!add_steps(uint64_t{at_u.length()} + at_v.length())) return false;
      if (uint64_t{at_u.length()} * at_v.length() <= kNested) {
        compare(edge, at_u, at_v);
      } else {
        merge(edge, at_u, at_v);
      }
    }
    return true;
  }

 private:
  static constexpr uint32_t kAhead = 8;
  static constexpr uint64_t kNested = 48;

  struct Window {
    uint32_t begin;
    uint32_t end;
    uint32_t length() const { return end - begin; }
  };
  /// Events of the third node with one end of the first edge, by direction.
  struct Sides {
    std::array<uint32_t, 2> at_u{};
    std::array<uint32_t, 2> at_v{};
  };

  Window window_after(uint32_t slot, Tick tick) const {
    Window window{slot + 1, slot + 1};
    if (is_strict_) {
      while (slots_[window.begin].tick == tick) ++window.begin;
      window.end = window.begin;
    }
    while (slots_[window.end].tick - tick <= delta_) ++window.end;
    return window;
  }

  void compare(const Slot& edge, Window at_u, Window at_v) {
    const uint32_t v = edge.other();
    for (uint32_t i = at_u.begin; i < at_u.end; ++i) {
      const Slot& first = slots_[i];
      const uint32_t third = first.other();
      if (third == v) continue;
      for (uint32_t j = at_v.begin; j < at_v.end; ++j) {
        const Slot& second = slots_[j];
        if (second.other() != third || (is_strict_ && first.tick == second.tick)) continue;
        counts_.add_triangle(first.rank < second.rank, first.other_and_direction & 1, second.other_and_direction & 1);
      }
    }
  }

  void merge(const Slot& edge, Window at_u, Window at_v) {
    NodeMarks numbers(graph_.node_count);
    sides_.clear();
    const uint32_t u = slots_[edge.twin].other();
    const uint32_t v = edge.other();
    std::array<std::array<uint64_t, 4>, 2> found{};
    const auto sides_of = [&](uint32_t node) -> Sides& {
      if (numbers.add(node, static_cast<uint32_t>(sides_.size()))) sides_.emplace_back();
      return sides_[numbers.value(node)];
    };
    uint32_t i = at_u.begin;
    uint32_t j = at_v.begin;
    uint32_t entered_i = i;
    uint32_t entered_j = j;
    // Events enter the counters when a later one is met: at once, or, under strict order, when the tick has passed.
    const auto enter_before = [&](uint32_t end_i, uint32_t end_j) {
      for (; entered_i < end_i; ++entered_i) {
        const Slot& slot = slots_[entered_i];
        if (slot.other() != v) ++sides_of(slot.other()).at_u[slot.other_and_direction & 1];
      }
      for (; entered_j < end_j; ++entered_j) {
        const Slot& slot = slots_[entered_j];
        if (slot.other() != u) ++sides_of(slot.other()).at_v[slot.other_and_direction & 1];
      }
    };
    Tick tick = edge.tick;
    while (i < at_u.end || j < at_v.end) {
      const bool takes_u = j >= at_v.end || (i < at_u.end && slots_[i].rank <= slots_[j].rank);
      const Slot& slot = slots_[takes_u ? i : j];
      if (!is_strict_ || slot.tick != tick) enter_before(i, j);
      tick = slot.tick;
      if (slot.other() != (takes_u ? v : u) && numbers.has(slot.other())) {
        const Sides& sides = sides_[numbers.value(slot.other())];
        const uint32_t own = slot.other_and_direction & 1;
        for (uint32_t side = 0; side < 2; ++side) {
          // The event met is the last of the three.
          if (takes_u) {
            found[1][(own << 1) | side] += sides.at_v[side];
          } else {
            found[0][(side << 1) | own] += sides.at_u[side];
          }
        }
      }
      takes_u ? ++i : ++j;
    }
    for (uint32_t sides = 0; sides < 4; ++sides) {
      counts_.add_triangles(true, sides >> 1, sides & 1, found[0][sides]);
      counts_.add_triangles(false, sides >> 1, sides & 1, found[1][sides]);
    }
  }

  const Slot* slots_;
  const EventGraph<Tick>& graph_;
  const Tick delta_;
  const bool is_strict_;
  GridCounts& counts_;
  std::vector<Sides> sides_;
};

}  // namespace palimpsest::motifs
