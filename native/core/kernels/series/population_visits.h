// The loops of population.h, which is the file to include.
#pragma once

#include "core/kernels/series/population.h"
#include "core/kernels/touching_rows.h"

namespace palimpsest::series {

/// False when the visit said stop.
template <typename Visit>
bool PassingEvents::visit_at(const EventSlice& slice, uint32_t i, Visit& visit) const {
  if (!population_.filter->passes_type(slice.type[i])) return true;
  const Event event{slice.at[i], slice.src[i], slice.dst[i], slice.row[i]};
  return !passes(event) || visit(event);
}

/// False when the visit said stop.
template <typename Visit>
bool PassingEvents::visit_slot(const Slot& slot, ValidWindow window, SpellEnds& spells, Visit& visit) const {
  if (!window.holds(slot.valid_from) || !pin_->is_believed_edge(slot.row)) return true;
  const NodeNumber node = population_.node;
  const Event event{slot.valid_from, slot.is_incoming() ? slot.other() : node, slot.is_incoming() ? node : slot.other(),
                    slot.row};
  if (!population_.is_at_node(event.src, event.dst) || !spells.is_begin(slot.row)) return true;
  return !passes(event) || visit(event);
}

template <typename Visit>
bool PassingEvents::each(ValidWindow window, StepCounter& steps, Visit&& visit) const {
  bool goes_on = true;
  if (!population_.has_node) {
    const bool is_done = source_.each_block(window, steps, [&](const EventSlice& slice) {
      for (uint32_t i = 0; goes_on && i < slice.count; ++i) goes_on = visit_at(slice, i, visit);
      return goes_on;
    });
    return is_done || !goes_on;
  }
  if (population_.node == kNone) return true;
  bool is_done = true;
  SpellEnds spells(*pin_);
  pin_->tables().incidence.each_chunk(population_.node, [&](std::span<const Slot> slots, Micros) {
    if (slots.empty() || slots.back().valid_from < window.from) return is_done = steps.add(1);
    if (slots.front().valid_from >= window.to) return false;
    if (!(is_done = steps.add(slots.size()))) return false;
    for (const Slot& slot : slots) {
      if (!(goes_on = visit_slot(slot, window, spells, visit))) return false;
    }
    return true;
  });
  return is_done;
}

template <typename Visit>
bool PassingEvents::each_backward(ValidWindow window, StepCounter& steps, Visit&& visit) const {
  bool goes_on = true;
  if (!population_.has_node) {
    const bool is_done = source_.each_block_backward(window, steps, [&](const EventSlice& slice) {
      for (uint32_t i = slice.count; goes_on && i > 0;) goes_on = visit_at(slice, --i, visit);
      return goes_on;
    });
    return is_done || !goes_on;
  }
  if (population_.node == kNone) return true;
  bool is_done = true;
  SpellEnds spells(*pin_);
  pin_->tables().incidence.each_chunk_backward(population_.node, [&](std::span<const Slot> slots, Micros) {
    if (slots.empty() || slots.front().valid_from >= window.to) return is_done = steps.add(1);
    if (slots.back().valid_from < window.from) return false;
    if (!(is_done = steps.add(slots.size()))) return false;
    for (size_t i = slots.size(); i > 0;) {
      if (!(goes_on = visit_slot(slots[--i], window, spells, visit))) return false;
    }
    return true;
  });
  return is_done;
}

template <typename Visit>
bool each_version(const Pin& pin, const Population& population, ValidWindow window, StepCounter& steps, Visit&& visit) {
  const VersionTable& versions = pin.tables().edge_versions;
  const EdgeTable& edges = pin.tables().edges;
  const auto look_at = [&](Row row, NodeNumber src, NodeNumber dst) {
    if (population.is_at_node(src, dst) && population.filter->passes_edge(row)) visit(row, src, dst);
  };
  if (!population.has_node) {
    return palimpsest::each_touching(versions, 0, pin.row_cut(Kind::kEdge), window, steps, [&](Row row) {
      if (!pin.is_believed_edge(row)) return;
      const EdgeNumber edge = versions.owner(row);
      look_at(row, edges.src(edge), edges.dst(edge));
    });
  }
  if (population.node == kNone) return true;
  bool is_done = true;
  pin.tables().incidence.each_chunk(population.node, [&](std::span<const Slot> slots, Micros max_end) {
    if (slots.empty() || max_end <= window.from) return is_done = steps.add(1);
    if (slots.front().valid_from >= window.to) return false;
    if (!(is_done = steps.add(slots.size()))) return false;
    for (const Slot& slot : slots) {
      if (!pin.is_believed_edge(slot.row) || !window.touches(slot.valid_from, versions.valid_to(slot.row))) continue;
      const NodeNumber other = slot.other();
      look_at(slot.row, slot.is_incoming() ? other : population.node, slot.is_incoming() ? population.node : other);
    }
    return true;
  });
  return is_done;
}

}  // namespace palimpsest::series
