#include "core/kernels/corners/snapshot.h"

namespace palimpsest {

namespace {

/// The passing edges with both ends marked, in no order. Each is met at its tail, whatever way the search went.
Status collect_induced(Corner& corner, const Reached& reached, const KhopQuery& query, const NodeMarks& visited,
                       StepCounter& steps, std::vector<Row>& rows) {
  const auto is_left_out = [&](uint32_t position) {
    // Only a seed can have been reached without existing.
    return query.nodes_must_exist && position < reached.hop_ends[0] &&
           corner.version_of(Kind::kNode, reached.nodes[position]) == kNone;
  };
  for (uint32_t position = 0; position < reached.nodes.size(); ++position) {
    if (is_left_out(position)) continue;
    const NodeNumber node = reached.nodes[position];
    const bool was_whole = corner.each_begun_slot(node, steps, [&](const Slot& slot) {
      if (slot.is_incoming() && slot.other() != node) return true;
      if (!visited.has(slot.other()) || !corner.is_live(slot.row) || !corner.passes_edge(slot.row)) return true;
      if (!is_left_out(visited.value(slot.other()))) rows.push_back(slot.row);
      return true;
    });
    if (!was_whole) return steps.status();
  }
  return Status::ok();
}

void page_nodes(const Corner& corner, const Reached& reached, PageRange range, SnapshotPage& page) {
  uint32_t from = 0;
  for (uint32_t hop = 0; hop < reached.hop_ends.size(); ++hop) {
    const uint32_t to = reached.hop_ends[hop];
    const PageRange within{range.from > from ? range.from - from : 0, range.to > from ? range.to - from : 0};
    const auto ring = std::span(reached.nodes).subspan(from, to - from);
    for (const NodeNumber node : node_page(corner.pin().tables(), ring, within)) {
      page.nodes.push_back({node, hop, corner.version_of(Kind::kNode, node)});
    }
    from = to;
  }
}

}  // namespace

Status snapshot_subgraph(Corner& corner, const SnapshotQuery& query, StepCounter& steps, SnapshotPage& page) {
  const Tables& tables = corner.pin().tables();
  const NodeNumber node_count = corner.pin().view().node_count;
  NodeMarks visited(node_count);
  Reached reached;
  if (const Status status = search_hops(corner, query.hops, visited, steps, reached); !status.is_ok()) return status;
  page.nodes_total = reached.nodes.size();
  if (query.nodes) page_nodes(corner, reached, *query.nodes, page);
  if (!query.edges) return Status::ok();

  std::vector<Row> rows;
  if (const Status status = collect_induced(corner, reached, query.hops, visited, steps, rows); !status.is_ok()) {
    return status;
  }
  page.edges_total = rows.size();
  std::vector<EdgeNumber> edges(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) edges[i] = tables.edge_versions.owner(rows[i]);
  for (const uint32_t position : edge_page(tables, node_count, edges, *query.edges)) {
    page.edges.push_back(rows[position]);
  }
  return Status::ok();
}

}  // namespace palimpsest
