// Two events at one centre, counted at the later one: how often two neighbours, or one, by directions.
#pragma once

#include "core/kernels/motifs/grid_counts.h"
#include "core/kernels/motifs/star_chain.h"
#include "core/kernels/node_marks.h"

namespace palimpsest::motifs {

/// By directions from the centre, 0 away, 1 towards it, the first of two times 2.
struct WedgeCounts {
  std::array<WideCount, 4> all{};
  std::array<WideCount, 4> alike{};  // both with the same neighbour

  void add(const WedgeCounts& other) {
    for (size_t i = 0; i < 4; ++i) {
      all[i] += other.all[i];
      alike[i] += other.alike[i];
    }
  }
  /// Instances of the pattern a>b, then `second`. Two events between the same two nodes were seen from both.
  WideCount of(PatternEdge second) const {
    if (second.src == 0 && second.dst == 1) return (alike[0] + alike[3]) / 2;
    if (second.src == 1 && second.dst == 0) return (alike[1] + alike[2]) / 2;
    const bool is_at_head = second.src == 1 || second.dst == 1;
    const bool is_towards = second.src == 2;
    const size_t directions = (is_at_head ? 2u : 0u) | (is_towards ? 1u : 0u);
    return all[directions] - alike[directions];
  }
};

template <typename Tick>
class WedgeCounter {
 public:
  using Slot = EventSlot<Tick>;

  WedgeCounter(const EventGraph<Tick>& graph, Tick delta, bool is_strict, WedgeCounts& counts)
      : slots_(graph.slots.get()), graph_(graph), delta_(delta), is_strict_(is_strict), counts_(counts) {}

  /// Counts the pairs of a chain whose last event is not before `chain.counted`.
  void count(const Chain& chain) {
    NodeMarks numbers(graph_.node_count);
    of_neighbour_.clear();
    std::array<uint64_t, 2> window{};
    uint32_t oldest = chain.begin;
    uint32_t entered = chain.begin;
    for (uint32_t at = chain.begin; at < chain.end; ++at) {
      while (slots_[at].tick - slots_[oldest].tick > delta_) {
        // Strictly older events have entered before they leave.
        const Slot& left = slots_[oldest++];
        --window[left.other_and_direction & 1];
        --of_neighbour_[numbers.value(left.other())][left.other_and_direction & 1];
      }
      // Under strict order an event enters when a later tick is met.
      for (; entered < at && (!is_strict_ || slots_[entered].tick != slots_[at].tick); ++entered) {
        const Slot& slot = slots_[entered];
        if (numbers.add(slot.other(), static_cast<uint32_t>(of_neighbour_.size()))) of_neighbour_.push_back({0, 0});
        ++window[slot.other_and_direction & 1];
        ++of_neighbour_[numbers.value(slot.other())][slot.other_and_direction & 1];
      }
      if (at < chain.counted) continue;
      const Slot& last = slots_[at];
      const uint32_t second = last.other_and_direction & 1;
      for (uint32_t first = 0; first < 2; ++first) counts_.all[(first << 1) | second] += window[first];
      if (!numbers.has(last.other())) continue;
      const auto& alike = of_neighbour_[numbers.value(last.other())];
      for (uint32_t first = 0; first < 2; ++first) counts_.alike[(first << 1) | second] += alike[first];
    }
  }

 private:
  const Slot* slots_;
  const EventGraph<Tick>& graph_;
  const Tick delta_;
  const bool is_strict_;
  WedgeCounts& counts_;
  std::vector<std::array<uint64_t, 2>> of_neighbour_;
};

}  // namespace palimpsest::motifs
