#include "core/kernels/motifs/event_list.h"

#include <algorithm>

#include "core/kernels/events/event_source.h"

namespace palimpsest::motifs {

namespace {

/// Nodes of which every event has one at its tail (or head), and what their lists hold.
struct NamedNodes {
  const NumberSet* nodes = nullptr;
  bool are_heads = false;
  uint64_t slots = UINT64_MAX;
};

uint64_t slots_of(const Pin& pin, const NumberSet& nodes, uint64_t most) {
  uint64_t slots = 0;
  for (const NodeNumber node : nodes.sorted()) {
    slots += pin.tables().incidence.slot_count(node);
    if (slots > most) break;
  }
  return slots;
}

NamedNodes fewest_named(const Pin& pin, const Filter& filter, uint64_t most) {
  NamedNodes best;
  const auto consider = [&](const NumberSet* nodes, bool are_heads) {
    if (nodes == nullptr) return;
    const uint64_t slots = slots_of(pin, *nodes, most);
    if (slots < best.slots) best = {nodes, are_heads, slots};
  };
  consider(filter.node_uids(), false);
  consider(filter.src_uids(), false);
  consider(filter.dst_uids(), true);
  return best;
}

/// Rows to look at in a sweep, against which a list's slot counts as this many.
constexpr uint64_t kSlotCost = 4;

NamedNodes nodes_to_start_from(const Pin& pin, const Filter& filter, ValidWindow window) {
  const TimeRuns& runs = pin.view().runs;
  const uint64_t rows = runs.count_begun(pin.tables().edge_versions, runs.row_count, window.from, window.to);
  const NamedNodes named = fewest_named(pin, filter, rows);
  return named.nodes != nullptr && named.slots <= rows / kSlotCost ? named : NamedNodes{};
}

void add(EventList& out, bool with_loops, Micros at, NodeNumber src, NodeNumber dst, Row row) {
  ++out.passed;
  if (src == dst && !with_loops) return;
  out.at.push_back(at);
  out.src.push_back(src);
  out.dst.push_back(dst);
  out.row.push_back(row);
}

Status sweep(const Pin& pin, const Filter& filter, ValidWindow window, bool with_loops, StepCounter& steps,
             EventList& out) {
  EventSource source;
  if (Status status = EventSource::open(pin, steps, source); !status.is_ok()) return status;
  source.each_block(window, steps, [&](const EventSlice& block) {
    for (uint32_t i = 0; i < block.count; ++i) {
      if (!passes_event(filter, block.row[i], block.src[i], block.dst[i], block.at[i])) continue;
      add(out, with_loops, block.at[i], block.src[i], block.dst[i], block.row[i]);
    }
    return true;
  });
  return steps.status();
}

struct Found {
  Micros at;
  EdgeNumber edge;
  Row row;
};

bool looks_at_chunk(std::span<const Slot> slots, ValidWindow window) {
  return !slots.empty() && slots.front().valid_from < window.to && slots.back().valid_from >= window.from;
}

/// Events at the named ends: each event has one tail and one head, so none is met twice.
Status visit_lists(const Pin& pin, const Filter& filter, ValidWindow window, const NamedNodes& named,
                   StepCounter& steps, std::vector<Found>& found) {
  const NumberSet* both = filter.node_uids();
  for (const NodeNumber node : named.nodes->sorted()) {
    pin.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros) {
      if (!looks_at_chunk(slots, window)) return slots.empty() || slots.front().valid_from < window.to;
      if (!steps.add(slots.size())) return false;
      for (const Slot& slot : slots) {
        const NodeNumber other = slot.other();
        // A self-loop's one slot is of both directions.
        if (slot.is_incoming() != named.are_heads && other != node) continue;
        if (!window.holds(slot.valid_from) || (both != nullptr && !both->has(other))) continue;
        if (!pin.is_believed_edge(slot.row) || !pin.begins_spell(Kind::kEdge, slot.row)) continue;
        const NodeNumber src = named.are_heads ? other : node;
        const NodeNumber dst = named.are_heads ? node : other;
        if (!passes_event(filter, slot.row, src, dst, slot.valid_from)) continue;
        found.push_back({slot.valid_from, pin.tables().edge_versions.owner(slot.row), slot.row});
      }
      return true;
    });
    if (!steps.add(1) || !steps.status().is_ok()) return steps.status();
  }
  return Status::ok();
}

}  // namespace

bool names_few_nodes(const Pin& pin, const Filter& filter, ValidWindow window) {
  return nodes_to_start_from(pin, filter, window).nodes != nullptr;
}

Status collect_events(const Pin& pin, const Filter& filter, ValidWindow window, bool with_loops, StepCounter& steps,
                      EventList& out) {
  const NamedNodes named = nodes_to_start_from(pin, filter, window);
  if (named.nodes == nullptr) return sweep(pin, filter, window, with_loops, steps, out);
  std::vector<Found> found;
  if (Status status = visit_lists(pin, filter, window, named, steps, found); !status.is_ok()) return status;
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.at != b.at ? a.at < b.at : a.edge < b.edge; });
  const EdgeTable& edges = pin.tables().edges;
  for (const Found& each : found) add(out, with_loops, each.at, edges.src(each.edge), edges.dst(each.edge), each.row);
  return Status::ok();
}

}  // namespace palimpsest::motifs
