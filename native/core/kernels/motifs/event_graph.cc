#include "core/kernels/motifs/event_graph.h"

#include <limits>
#include <numeric>

#include "core/kernels/node_marks.h"

namespace palimpsest::motifs {

namespace {

// The distance from the last tick to a sentinel's must be above any delta, which is at most the last tick.
template <typename Tick>
constexpr Tick kMostTicks = std::numeric_limits<Tick>::max() / 2 - 1;

struct TimeFacts {
  Micros unit = 1;  // the greatest that divides every difference of the instants
  bool has_ties = false;
};

bool measure(const EventList& events, StepCounter& steps, TimeFacts& facts) {
  Micros unit = 0;
  for (size_t i = 1; i < events.size(); ++i) {
    if (!steps.add(1)) return false;
    const Micros step = events.at[i] - events.at[i - 1];
    if (step == 0) facts.has_ties = true;
    if (step != 0 && unit != 1 && (unit == 0 || step % unit != 0)) unit = std::gcd(unit, step);
  }
  facts.unit = unit == 0 ? 1 : unit;
  return true;
}

/// Numbers the nodes of a small slice densely; those of a large one keep their numbers, which costs no look-up.
bool number_nodes(EventList& events, NodeNumber store_nodes, StepCounter& steps, uint32_t& count) {
  constexpr NodeNumber kSmallStore = 4096;
  count = store_nodes;
  if (store_nodes <= kSmallStore || store_nodes / 4 <= events.size()) return true;
  NodeMarks numbers(store_nodes);
  count = 0;
  for (auto* ends : {&events.src, &events.dst}) {
    for (NodeNumber& node : *ends) {
      if (!steps.add(1)) return false;
      if (numbers.add(node, count)) ++count;
      node = numbers.value(node);
    }
  }
  return true;
}

template <typename Tick>
Status fill(EventList& events, uint32_t node_count, Micros unit, StepCounter& steps, EventGraph<Tick>& graph) {
  const auto count = static_cast<uint32_t>(events.size());
  graph.event_count = count;
  graph.node_count = node_count;
  graph.tick_us = unit;
  graph.first_slot = std::make_unique<uint32_t[]>(uint64_t{node_count} + 1);
  uint32_t* next = graph.first_slot.get();
  for (uint32_t i = 0; i < count; ++i) {
    if (!steps.add(1)) return steps.status();
    ++next[events.src[i]];
    if (events.src[i] != events.dst[i]) ++next[events.dst[i]];
  }
  uint64_t slot_count = 1;
  for (uint32_t node = 0; node <= node_count; ++node) {
    const uint32_t own = node < node_count ? next[node] : 0;
    next[node] = static_cast<uint32_t>(slot_count);
    slot_count += node < node_count ? uint64_t{own} + 1 : 0;
    if (slot_count > UINT32_MAX) return Status(Code::kLimit, "more events than one motif question can hold");
  }
  graph.slot_count = static_cast<uint32_t>(slot_count);
  graph.slots = std::make_unique_for_overwrite<EventSlot<Tick>[]>(slot_count);
  graph.tail_slot = std::make_unique_for_overwrite<uint32_t[]>(count);
  const EventSlot<Tick> sentinel{std::numeric_limits<Tick>::max(), kNone, kNone, 0};
  graph.slots[0] = sentinel;
  for (uint32_t rank = 0; rank < count; ++rank) {
    if (!steps.add(1)) return steps.status();
    const auto tick = static_cast<Tick>((events.at[rank] - events.at[0]) / unit);
    const NodeNumber src = events.src[rank];
    const NodeNumber dst = events.dst[rank];
    const uint32_t at_src = next[src]++;
    const uint32_t at_dst = src == dst ? at_src : next[dst]++;
    graph.slots[at_src] = {tick, dst << 1, rank, at_dst};
    if (at_dst != at_src) graph.slots[at_dst] = {tick, (src << 1) | 1, rank, at_src};
    graph.tail_slot[rank] = at_src;
    graph.last_tick = tick;
  }
  // Each node's end is where its slots stopped; the beginnings are one after the end before.
  for (uint32_t node = node_count; node > 0; --node) {
    graph.slots[next[node - 1]] = sentinel;
    next[node] = next[node - 1] + 1;
  }
  next[0] = 1;
  graph.rows = std::move(events.row);
  return Status::ok();
}

}  // namespace

Status build_graph(EventList events, NodeNumber store_nodes, StepCounter& steps, AnyGraph& out) {
  out.passed = events.passed;
  uint32_t node_count = 0;
  TimeFacts facts;
  if (!number_nodes(events, store_nodes, steps, node_count) || !measure(events, steps, facts)) return steps.status();
  const Micros span = events.size() == 0 ? 0 : events.at.back() - events.at.front();
  const auto build = [&]<typename Tick>(EventGraph<Tick>& graph) {
    graph.has_ties = facts.has_ties;
    return fill(events, node_count, facts.unit, steps, graph);
  };
  const bool is_narrow = span / facts.unit <= static_cast<Micros>(kMostTicks<uint32_t>);
  return is_narrow ? build(out.graph.emplace<EventGraph<uint32_t>>()) : build(out.graph.emplace<EventGraph<int64_t>>());
}

}  // namespace palimpsest::motifs
