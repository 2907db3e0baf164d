// One corner of the bi-temporal plane: what is present at a valid instant as believed at a pin, and passes a filter.
// Shared by the k-hop search, the snapshot and the diff; remembers each node's verdict, so use one per run and thread.
#pragma once

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/filter/number_set.h"
#include "core/kernels/node_marks.h"
#include "core/store/store_view.h"

namespace palimpsest {

class Corner {
 public:
  /// `spared` are let through by `where.node` when they are ends of an edge. All references must outlive the corner.
  Corner(const Pin& pin, Micros at, const Filter& filter, const NumberSet& spared)
      : pin_(pin),
        at_(at),
        filter_(filter),
        spared_(spared),
        edges_(pin.tables().edge_versions),
        cut_(pin.row_cut(Kind::kEdge)),
        verdicts_(pin.view().node_count) {}

  const Pin& pin() const { return pin_; }
  Micros at() const { return at_; }
  const Filter& filter() const { return filter_; }

  /// Begun, not ended, believed: `filter` not asked.
  bool has(Kind kind, Row row) const {
    const VersionTable& versions = pin_.versions(kind);
    return row < pin_.row_cut(kind) && versions.valid_from(row) <= at_ && versions.valid_to(row) > at_ &&
           pin_.is_believed(kind, row);
  }
  /// The same for an edge row that is known to be written and begun.
  bool is_live(Row edge_row) const { return edges_.valid_to(edge_row) > at_ && pin_.tx() < edges_.closed_tx(edge_row); }
  /// The version of an identity that is present, `filter` not asked; kNone where there is none.
  Row version_of(Kind kind, uint32_t identity) const;

  /// The filter on a present edge row: its content, then its ends.
  bool passes_edge(Row edge_row) {
    if (filter_.is_trivial()) return true;
    if (!filter_.passes_edge(edge_row)) return false;
    if (!filter_.has_node_part()) return true;
    const EdgeNumber edge = edges_.owner(edge_row);
    const EdgeTable& identities = pin_.tables().edges;
    return passes_ends(identities.src(edge), identities.dst(edge));
  }
  bool passes_ends(NodeNumber src, NodeNumber dst) {
    return !filter_.has_node_part() || ((verdict(src) & kAsSrc) != 0 && (verdict(dst) & kAsDst) != 0);
  }
  /// What the filter lets a node be at this corner: a set of the bits below.
  uint32_t verdict(NodeNumber node);
  static constexpr uint32_t kAsSrc = 1;
  static constexpr uint32_t kAsDst = 2;

  /// Calls `visit(slot)` for each edge version at `node` that has begun by `at` and is written at the pin; belief, end
  /// and filter are not asked, since a test of the neighbour is cheaper. Stops when `visit` gives false.
  template <typename Visit>
  bool each_begun_slot(NodeNumber node, StepCounter& steps, Visit&& visit) const;

 private:
  const Pin& pin_;
  const Micros at_;
  const Filter& filter_;
  const NumberSet& spared_;
  const VersionTable& edges_;
  const Row cut_;
  NodeMarks verdicts_;
};

template <typename Visit>
bool Corner::each_begun_slot(NodeNumber node, StepCounter& steps, Visit&& visit) const {
  bool goes_on = true;
  pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
    if (slots.empty()) return true;
    if (slots.front().valid_from > at_) return false;
    if (!steps.add(slots.size())) return goes_on = false;
    if (max_end <= at_) return true;
    const bool is_last = slots.back().valid_from > at_;
    const auto end = !is_last ? slots.end()
                              : std::upper_bound(slots.begin(), slots.end(), at_, [](Micros instant, const Slot& slot) {
                                  return instant < slot.valid_from;
                                });
    for (auto slot = slots.begin(); slot != end; ++slot) {
      if (slot->row < cut_ && !visit(*slot)) return goes_on = false;
    }
    return !is_last;
  });
  return goes_on;
}

}  // namespace palimpsest
