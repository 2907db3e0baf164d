// The events of a motif question by node: each node's events of both directions in rank order, flat.
// A rank is an event's place in event order; ticks are instants in units that fit. Knows nothing of stores.
#pragma once

#include <memory>
#include <variant>

#include "core/kernels/motifs/event_list.h"
#include "core/store/derived_cache.h"

namespace palimpsest::motifs {

/// One end of one event; a self-loop has one slot, its own twin.
template <typename Tick>
struct EventSlot {
  Tick tick;
  uint32_t other_and_direction;
  uint32_t rank;
  uint32_t twin;  // the slot of the same event at the other end

  uint32_t other() const { return other_and_direction >> 1; }
  bool is_incoming() const { return (other_and_direction & 1) != 0; }
  bool is_sentinel() const { return rank == kNone; }
};

/// A sentinel stands before the first node's slots and after each node's: its tick is further from any other than any
/// delta, and its rank is kNone.
template <typename TickType>
struct EventGraph {
  using Tick = TickType;
  using Slot = EventSlot<Tick>;

  uint32_t event_count = 0;
  uint32_t node_count = 0;
  uint32_t slot_count = 0;
  std::unique_ptr<Slot[]> slots;
  std::unique_ptr<uint32_t[]> first_slot;  // of each node; node_count + 1 of them
  std::unique_ptr<uint32_t[]> tail_slot;   // of each event, by rank: its slot at its tail
  std::vector<Row> rows;                   // of each event, by rank
  Micros tick_us = 1;
  Tick last_tick = 0;
  bool has_ties = false;

  uint32_t end_of(uint32_t node) const { return first_slot[node + 1] - 1; }  // the node's sentinel
  const Slot& tail_of(uint32_t rank) const { return slots[tail_slot[rank]]; }
  Tick tick_of(uint32_t rank) const { return tail_of(rank).tick; }
  /// The longest span in ticks that an instance may have.
  Tick delta_ticks(Micros delta) const {
    const Micros ticks = delta / tick_us;
    return ticks < static_cast<Micros>(last_tick) ? static_cast<Tick>(ticks) : last_tick;
  }
  uint64_t bytes() const {
    return uint64_t{slot_count} * sizeof(Slot) + uint64_t{event_count} * 8 + uint64_t{node_count} * 4;
  }
};

struct AnyGraph : DerivedCache::Item {
  std::variant<EventGraph<uint32_t>, EventGraph<int64_t>> graph;
  uint64_t passed = 0;       // events in the window that pass, self-loops included
  uint64_t build_steps = 0;  // taken to make it

  uint64_t bytes() const override {
    return std::visit([](const auto& each) { return each.bytes(); }, graph);
  }
};

/// @return kLimit where there are more events than slots can number; kCost or kCancelled when `steps` said so
Status build_graph(EventList events, NodeNumber store_nodes, StepCounter& steps, AnyGraph& out);

}  // namespace palimpsest::motifs
