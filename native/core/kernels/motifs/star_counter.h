// Stars and pairs: three events at one centre of which at least two lead to the same neighbour, counted at the last
// one. Window counters after Paranjape, Benson and Leskovec, "Motifs in Temporal Networks" (WSDM 2017), in four totals:
// first two alike, first and last alike, last two alike, all alike; the three kinds of stars are differences.
#pragma once

#include "core/kernels/motifs/grid_counts.h"
#include "core/kernels/motifs/star_chain.h"
#include "core/kernels/node_marks.h"

namespace palimpsest::motifs {

/// Directions seen from the centre: 0 away from it, 1 towards it. Three of them make a number 0 … 7, first times 4.
template <typename Tick>
class StarCounter {
 public:
  using Slot = EventSlot<Tick>;

  StarCounter(const EventGraph<Tick>& graph, Tick delta, bool is_strict, GridCounts& counts)
      : slots_(graph.slots.get()), graph_(graph), delta_(delta), is_strict_(is_strict), counts_(counts) {}

  /// Counts the instances of a chain whose last event is not before `chain.counted`. `add_steps(n)` gives false to
  /// stop.
  template <typename AddSteps>
  bool count(const Chain& chain, AddSteps&& add_steps) {
    if (chain.length() > kShort) return count_long(chain, add_steps);
    if (chain.length() >= 3) count_short(chain);
    return add_steps(chain.length());
  }

 private:
  static constexpr uint32_t kShort = 12;
  using Totals = std::array<uint64_t, 8>;

  /// What a window holds of one neighbour.
  struct Neighbour {
    std::array<uint64_t, 2> events;                 // by direction
    std::array<std::array<uint64_t, 2>, 2> before;  // by own and other direction: all events before each of them
    std::array<std::array<uint64_t, 2>, 2> until;   // the same, with those of its own group
    std::array<std::array<uint64_t, 2>, 2> pairs;   // of events of this neighbour, by directions in time order
  };

  static uint32_t direction(const Slot& slot) { return slot.other_and_direction & 1; }

  /// The end of the events that count as simultaneous with `at`: itself alone but under strict order.
  uint32_t group_end(uint32_t at, uint32_t end) const {
    const uint32_t first = at++;
    while (is_strict_ && at < end && slots_[at].tick == slots_[first].tick) ++at;
    return at;
  }

  bool is_ordered(uint32_t before, uint32_t after) const {
    return !is_strict_ || slots_[before].tick != slots_[after].tick;
  }

  void count_short(const Chain& chain) {
    uint32_t oldest = chain.begin;
    for (uint32_t last = chain.begin + 2; last < chain.end; ++last) {
      const Slot& third = slots_[last];
      while (third.tick - slots_[oldest].tick > delta_) ++oldest;
      if (last < chain.counted) continue;
      for (uint32_t middle = oldest + 1; middle < last; ++middle) {
        if (!is_ordered(middle, last)) break;
        const Slot& second = slots_[middle];
        const bool last_two = second.other() == third.other();
        for (uint32_t first = oldest; first < middle; ++first) {
          if (!is_ordered(first, middle)) break;
          const uint32_t neighbour = slots_[first].other();
          const bool first_two = neighbour == second.other();
          if (!first_two && !last_two && neighbour != third.other()) continue;
          const uint32_t directions = (direction(slots_[first]) << 2) | (direction(second) << 1) | direction(third);
          counts_.add_star(first_two ? (last_two ? Alike::kAll : Alike::kFirstTwo)
                                     : (last_two ? Alike::kLastTwo : Alike::kFirstAndLast),
                           directions, 1);
        }
      }
    }
  }

  template <typename AddSteps>
  bool count_long(const Chain& chain, AddSteps&& add_steps) {
    number_neighbours(chain);
    same_pairs_ = {};
    begun_ = {};
    ended_ = {};
    // A total gains at most the square of the length at each event: added up before 64 bits could not hold it.
    const uint64_t square = uint64_t{chain.length()} * chain.length();
    const uint64_t most_events = std::max<uint64_t>(1, (uint64_t{1} << 62) / square);
    uint64_t counted = 0;
    uint32_t oldest = chain.begin;
    for (uint32_t group = chain.begin; group < chain.end;) {
      const uint32_t end = group_end(group, chain.end);
      if (!add_steps(end - group)) return false;
      while (slots_[group].tick - slots_[oldest].tick > delta_) {
        const uint32_t left = group_end(oldest, group);
        leave(chain.begin, oldest, left);
        oldest = left;
      }
      for (uint32_t at = std::max(group, chain.counted); at < end; ++at) {
        evaluate(chain.begin, at);
        if (++counted >= most_events) {
          flush();
          counted = 0;
        }
      }
      enter(chain.begin, group, end);
      group = end;
    }
    flush();
    return true;
  }

  void number_neighbours(const Chain& chain) {
    NodeMarks numbers(graph_.node_count);
    uint32_t count = 0;
    number_of_.resize(chain.length());
    for (uint32_t at = chain.begin; at < chain.end; ++at) {
      const uint32_t node = slots_[at].other();
      if (numbers.add(node, count)) ++count;
      number_of_[at - chain.begin] = numbers.value(node);
    }
    neighbours_.assign(count, Neighbour{});
  }

  Neighbour& neighbour(uint32_t begin, uint32_t at) { return neighbours_[number_of_[at - begin]]; }

  /// Adds the totals in which the event at `at` is the last of three.
  void evaluate(uint32_t begin, uint32_t at) {
    const Neighbour& own = neighbour(begin, at);
    const uint32_t third = direction(slots_[at]);
    for (uint32_t first = 0; first < 2; ++first) {
      for (uint32_t second = 0; second < 2; ++second) {
        const uint32_t directions = (first << 2) | (second << 1) | third;
        first_two_[directions] += same_pairs_[first][second];
        first_and_last_[directions] += own.events[first] * begun_[second] - own.until[first][second];
        last_two_[directions] += own.before[second][first] - own.events[second] * ended_[first];
        all_[directions] += own.pairs[first][second];
      }
    }
  }

  /// The events [from, to) of one group come into the window.
  void enter(uint32_t begin, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; ++at) {
      Neighbour& own = neighbour(begin, at);
      const uint32_t second = direction(slots_[at]);
      for (uint32_t other = 0; other < 2; ++other) {
        same_pairs_[other][second] += own.events[other];
        own.pairs[other][second] += own.events[other];
        own.before[second][other] += begun_[other];
      }
    }
    for (uint32_t at = from; at < to; ++at) ++begun_[direction(slots_[at])];
    for (uint32_t at = from; at < to; ++at) {
      Neighbour& own = neighbour(begin, at);
      const uint32_t second = direction(slots_[at]);
      for (uint32_t other = 0; other < 2; ++other) own.until[second][other] += begun_[other];
    }
    // Only now, so that no event of the group was paired with another of it.
    for (uint32_t at = from; at < to; ++at) ++neighbour(begin, at).events[direction(slots_[at])];
  }

  /// The events [from, to) of the oldest group leave it.
  void leave(uint32_t begin, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; ++at) {
      Neighbour& own = neighbour(begin, at);
      const uint32_t first = direction(slots_[at]);
      --own.events[first];
      for (uint32_t other = 0; other < 2; ++other) own.before[first][other] -= ended_[other];
    }
    for (uint32_t at = from; at < to; ++at) ++ended_[direction(slots_[at])];
    for (uint32_t at = from; at < to; ++at) {
      Neighbour& own = neighbour(begin, at);
      const uint32_t first = direction(slots_[at]);
      for (uint32_t other = 0; other < 2; ++other) {
        own.until[first][other] -= ended_[other];
        own.pairs[first][other] -= own.events[other];
        same_pairs_[first][other] -= own.events[other];
      }
    }
  }

  void flush() {
    for (uint32_t directions = 0; directions < 8; ++directions) {
      const uint64_t all = all_[directions];
      counts_.add_star(Alike::kFirstTwo, directions, first_two_[directions] - all);
      counts_.add_star(Alike::kFirstAndLast, directions, first_and_last_[directions] - all);
      counts_.add_star(Alike::kLastTwo, directions, last_two_[directions] - all);
      counts_.add_star(Alike::kAll, directions, all);
    }
    first_two_ = first_and_last_ = last_two_ = all_ = {};
  }

  const Slot* slots_;
  const EventGraph<Tick>& graph_;
  const Tick delta_;
  const bool is_strict_;
  GridCounts& counts_;
  std::vector<uint32_t> number_of_;  // of the neighbour of each event of the chain
  std::vector<Neighbour> neighbours_;
  // Of the window: pairs of events of one neighbour by directions. Of the chain: events that came in, and that left.
  std::array<std::array<uint64_t, 2>, 2> same_pairs_{};
  std::array<uint64_t, 2> begun_{};
  std::array<uint64_t, 2> ended_{};
  Totals first_two_{}, first_and_last_{}, last_two_{}, all_{};
};

}  // namespace palimpsest::motifs
