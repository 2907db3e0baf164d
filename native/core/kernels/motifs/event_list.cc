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

// A slot is looked up far away, a row of a sweep is not.
constexpr uint64_t kSlotCost = 8;

uint64_t rows_begun(const Pin& pin, ValidWindow window) {
  const TimeRuns& runs = pin.view().runs;
  return runs.count_begun(pin.tables().edge_versions, runs.row_count, window.from, window.to);
}

NamedNodes nodes_to_start_from(const Pin& pin, const Filter& filter, ValidWindow window) {
  if (filter.node_uids() == nullptr && filter.src_uids() == nullptr && filter.dst_uids() == nullptr) return {};
  const uint64_t most = rows_begun(pin, window) / kSlotCost;
  const NamedNodes named = fewest_named(pin, filter, most);
  return named.slots <= most ? named : NamedNodes{};
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
  if (filter.is_trivial()) out.reserve(source.count(window));
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
  NodeNumber src;
  NodeNumber dst;
};

/// Events at the named ends: each event has one tail and one head, so none is met twice.
class NamedLists {
 public:
  NamedLists(const Pin& pin, const Filter& filter, ValidWindow window, const NamedNodes& named)
      : pin_(pin), filter_(filter), window_(window), named_(named), both_(filter.node_uids()) {}

  Status visit(StepCounter& steps) {
    for (const NodeNumber node : named_.nodes->sorted()) {
      if (!steps.add(1)) return steps.status();
      pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros) {
        if (slots.empty() || slots.back().valid_from < window_.from) return true;
        if (slots.front().valid_from >= window_.to || !steps.add(slots.size())) return false;
        visit_chunk(node, slots);
        return true;
      });
      if (!steps.status().is_ok()) return steps.status();
    }
    std::sort(found_.begin(), found_.end(),
              [](const Found& a, const Found& b) { return a.at != b.at ? a.at < b.at : a.edge < b.edge; });
    return Status::ok();
  }
  const std::vector<Found>& found() const { return found_; }

 private:
  /// In passes over the chunk, each with one look-up far away: the processor then waits for many of them at once.
  void visit_chunk(NodeNumber node, std::span<const Slot> slots) {
    const size_t first = found_.size();
    for (const Slot& slot : slots) {
      const NodeNumber other = slot.other();
      // A self-loop's one slot is of both directions.
      if (slot.is_incoming() != named_.are_heads && other != node) continue;
      if (!window_.holds(slot.valid_from) || (both_ != nullptr && !both_->has(other))) continue;
      found_.push_back(
          {slot.valid_from, 0, slot.row, named_.are_heads ? other : node, named_.are_heads ? node : other});
    }
    const VersionTable& versions = pin_.tables().edge_versions;
    for (size_t i = first; i < found_.size(); ++i) found_[i].edge = versions.owner(found_[i].row);
    size_t kept = first;
    for (size_t i = first; i < found_.size(); ++i) {
      if (is_event(found_[i])) found_[kept++] = found_[i];
    }
    found_.resize(kept);
  }

  bool is_event(const Found& found) const {
    if (!pin_.is_believed_edge(found.row)) return false;
    if (!pin_.tables().edge_index.is_single(found.edge) && !pin_.begins_spell(Kind::kEdge, found.row)) return false;
    return passes_event(filter_, found.row, found.src, found.dst, found.at);
  }

  const Pin& pin_;
  const Filter& filter_;
  const ValidWindow window_;
  const NamedNodes named_;
  const NumberSet* both_;
  std::vector<Found> found_;
};

}  // namespace

Extent extent_of(const Pin& pin, const Filter& filter, ValidWindow window) {
  const NamedNodes named = nodes_to_start_from(pin, filter, window);
  return named.nodes != nullptr ? Extent{named.slots, false} : Extent{rows_begun(pin, window), true};
}

Status collect_events(const Pin& pin, const Filter& filter, ValidWindow window, bool with_loops, StepCounter& steps,
                      EventList& out) {
  const NamedNodes named = nodes_to_start_from(pin, filter, window);
  if (named.nodes == nullptr) return sweep(pin, filter, window, with_loops, steps, out);
  NamedLists lists(pin, filter, window, named);
  if (Status status = lists.visit(steps); !status.is_ok()) return status;
  for (const Found& each : lists.found()) add(out, with_loops, each.at, each.src, each.dst, each.row);
  return Status::ok();
}

}  // namespace palimpsest::motifs
