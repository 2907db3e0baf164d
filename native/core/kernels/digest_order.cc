#include "core/kernels/digest_order.h"

#include <algorithm>

#include "core/kernels/rows/row_order.h"

namespace palimpsest {

namespace {
constexpr uint32_t kTypeLimit = 65'536;  // different types
}

void DigestOrder::begin() {
  is_begun_ = true;
  const Tables& tables = pin_.tables();
  nodes_ = nodes_by_uid(tables, pin_.view().node_count);
  node_ranks_.resize(nodes_.size());
  for (uint32_t rank = 0; rank < nodes_.size(); ++rank) node_ranks_[nodes_[rank]] = rank;
  std::vector<TextNumber> types;
  for (TextNumber type = 0; type < kTypeLimit; ++type) {
    if (tables.type_tx.get_atomic(type) <= pin_.tx()) types.push_back(type);
  }
  std::sort(types.begin(), types.end(),
            [&](TextNumber a, TextNumber b) { return tables.types.get(a) < tables.types.get(b); });
  type_ranks_.resize(kTypeLimit);
  for (uint32_t rank = 0; rank < types.size(); ++rank) type_ranks_[types[rank]] = rank;
}

void DigestOrder::node_rows(NodeNumber node, std::vector<Row>& out) const {
  const VersionTable& versions = pin_.tables().node_versions;
  out.clear();
  pin_.tables().node_index.each(node, pin_.row_cut(Kind::kNode), [&](Row row) {
    out.push_back(row);
    return true;
  });
  if (out.size() < 2) return;
  std::sort(out.begin(), out.end(), [&](Row a, Row b) {
    const Tx tx_a = pin_.tx_of(Kind::kNode, a);
    const Tx tx_b = pin_.tx_of(Kind::kNode, b);
    return tx_a != tx_b ? tx_a < tx_b : versions.valid_from(a) < versions.valid_from(b);
  });
}

void DigestOrder::edge_rows(NodeNumber src, StepCounter& steps, std::vector<EdgeRow>& out) const {
  const Tables& tables = pin_.tables();
  const VersionTable& versions = tables.edge_versions;
  const Row cut = pin_.row_cut(Kind::kEdge);
  out.clear();
  tables.incidence.each_chunk(src, [&](std::span<const Slot> slots, Micros) {
    for (const Slot& slot : slots) {
      if (slot.is_incoming() || slot.row >= cut) continue;
      const EdgeNumber edge = versions.owner(slot.row);
      out.push_back({uint64_t{type_ranks_[tables.edges.type(edge)]} << 32 | node_ranks_[slot.other()], edge, slot.row});
    }
    return true;
  });
  steps.add(out.size());
  const RowOrder order(pin_, 0);
  std::sort(out.begin(), out.end(), [&](const EdgeRow& a, const EdgeRow& b) {
    if (a.order != b.order) return a.order < b.order;
    if (a.edge != b.edge) return order.compare_edges(a.edge, b.edge) < 0;
    const Tx tx_a = pin_.tx_of(Kind::kEdge, a.row);
    const Tx tx_b = pin_.tx_of(Kind::kEdge, b.row);
    return tx_a != tx_b ? tx_a < tx_b : versions.valid_from(a.row) < versions.valid_from(b.row);
  });
}

}  // namespace palimpsest
