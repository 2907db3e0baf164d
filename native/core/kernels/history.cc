#include "core/kernels/history.h"

#include <functional>

#include "core/kernels/rows/row_order.h"

namespace palimpsest {

EntityVersions entity_versions(const Pin& pin, Kind kind, uint32_t identity, ValidWindow window) {
  const VersionTable& versions = pin.versions(kind);
  EntityVersions found;
  pin.each_believed(kind, identity, [&](Row row) {
    if (window.touches(versions.valid_from(row), versions.valid_to(row))) found.rows.push_back(row);
    return true;
  });
  // Believed versions of one identity are disjoint, so their beginnings differ.
  std::sort(found.rows.begin(), found.rows.end(),
            [&](Row a, Row b) { return versions.valid_from(a) < versions.valid_from(b); });
  Micros last_end = INT64_MIN;
  for (const Row row : found.rows) {
    if (versions.valid_from(row) != last_end) ++found.spells;
    last_end = versions.valid_to(row);
  }
  return found;
}

Status incident_edges(const Pin& pin, NodeNumber node, ValidWindow window, const Filter& filter, PageSpan page,
                      const StopToken& stop, RowPage& out) {
  const Tables& tables = pin.tables();
  const VersionTable& versions = tables.edge_versions;
  const RowOrder order(pin, tables.incidence.slot_count(node));
  PageSelector<Row, std::function<bool(Row, Row)>> selector(
      page, [&](Row a, Row b) { return order.is_row_less(Kind::kEdge, a, b); });
  StepCounter steps(stop);
  bool goes_on = true;
  tables.incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
    goes_on = steps.add(slots.size() + 1);
    if (!goes_on) return false;
    if (slots.empty() || max_end <= window.from) return true;
    if (slots.front().valid_from >= window.to) return false;
    for (const Slot& slot : slots) {
      if (slot.valid_from >= window.to) return false;
      const Row row = slot.row;
      if (!pin.is_believed_edge(row) || !window.touches(slot.valid_from, versions.valid_to(row))) continue;
      if (!filter.passes_edge(row)) continue;
      const NodeNumber src = slot.is_incoming() ? slot.other() : node;
      const NodeNumber dst = slot.is_incoming() ? node : slot.other();
      if (!filter.passes_ends(src, dst, window.judged_at(slot.valid_from), node)) continue;
      selector.add(order.key_of_node(src), row);
    }
    return true;
  });
  if (!goes_on) return steps.status();
  out.total = selector.total();
  out.rows = selector.take();
  return Status::ok();
}

}  // namespace palimpsest
