// The end of a batch: what survived gets row numbers and goes into the tables. Nothing here can fail but for memory.

#include <algorithm>
#include <numeric>

#include "core/store/stage.h"

namespace palimpsest {

namespace {
constexpr size_t kDeepHistory = 16;
}

std::vector<uint32_t> Stage::seal_order() const {
  std::vector<uint32_t> order;
  order.reserve(edges_.pending.size());
  bool is_sorted = true;
  for (uint32_t i = 0; i < edges_.pending.size(); ++i) {
    const Pending& pending = edges_.pending[i];
    if (pending.is_dead) continue;
    if (is_sorted && !order.empty()) {
      const Pending& last = edges_.pending[order.back()];
      is_sorted = last.from < pending.from || (last.from == pending.from && last.identity < pending.identity);
    }
    order.push_back(i);
  }
  // One commit, one tx: its rows may stand in valid-time order, so that a shuffled file prunes as well as an ordered
  // one.
  if (!is_sorted) {
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Pending& left = edges_.pending[a];
      const Pending& right = edges_.pending[b];
      if (left.from != right.from) return left.from < right.from;
      return left.identity != right.identity ? left.identity < right.identity : a < b;
    });
  }
  return order;
}

void Stage::seal_side(Side& side, Tx tx, const std::vector<uint32_t>& order, std::vector<Row>& row_of) {
  const bool is_edge = side.kind == Kind::kEdge;
  VersionTable& versions = is_edge ? tables_.edge_versions : tables_.node_versions;
  VersionIndex& index = is_edge ? tables_.edge_index : tables_.node_index;
  row_of.assign(side.pending.size(), kNone);
  for (const uint32_t number : order) {
    const Pending& pending = side.pending[number];
    const Content& content = contents_[pending.content];
    const Row row = versions.append(pending.identity, pending.from, pending.to, pending.annotation, content.label_set);
    if (content.value_count > 0) {
      versions.mutable_properties().set(row, std::span(values_).subspan(content.first_value, content.value_count));
    }
    index.add(pending.identity, row);
    row_of[number] = row;
  }
  for (const StagedClosing& closing : side.closings) versions.close(closing.row, tx, closing.ended_by, closing.reason);
  if (is_edge) toggle_events(side, tx, row_of);
  remember_deep(side, row_of);
}

void Stage::toggle_events(const Side& side, Tx tx, const std::vector<Row>& row_of) {
  EventToggles& toggles = tables_.event_toggles;
  for (const StagedClosing& closing : side.closings) toggles.set(closing.row, false, tx);
  for (const auto& [identity, entries] : side.touched) {
    Micros end_before = kOpenEnd;
    for (const uint32_t entry : entries) {
      const bool is_pending = (entry & kPendingBit) != 0;
      const Row row = is_pending ? row_of[entry & ~kPendingBit] : entry;
      toggles.set(row, tables_.edge_versions.valid_from(row) != end_before, tx);
      end_before = tables_.edge_versions.valid_to(row);
    }
  }
}

void Stage::remember_deep(Side& side, const std::vector<Row>& row_of) {
  for (auto& [identity, entries] : side.touched) {
    if (entries.size() <= kDeepHistory && !side.deep.contains(identity)) continue;
    for (uint32_t& entry : entries) {
      if ((entry & kPendingBit) != 0) entry = row_of[entry & ~kPendingBit];
    }
    side.deep[identity] = std::move(entries);
  }
}

void Stage::link_incidence(Row first, Row end) {
  // Slots are sorted by node first, so that each list is touched once and its slots go in side by side.
  struct End {
    NodeNumber node;
    Row row;
    bool is_incoming;
  };
  const VersionTable& versions = tables_.edge_versions;
  std::vector<End> ends;
  ends.reserve((end - first) * size_t{2});
  for (Row row = first; row < end; ++row) {
    const EdgeNumber edge = versions.owner(row);
    const NodeNumber src = tables_.edges.src(edge);
    const NodeNumber dst = tables_.edges.dst(edge);
    ends.push_back({src, row, false});
    if (dst != src) ends.push_back({dst, row, true});
  }
  NodeNumber most = 0;
  for (const End& e : ends) most = std::max(most, e.node);
  if (ends.size() > most / 4) {
    // Counting sort by node; rows already ascend in list order.
    std::vector<uint32_t> start(size_t{most} + 2, 0);
    for (const End& e : ends) ++start[e.node + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<End> sorted(ends.size());
    for (const End& e : ends) sorted[start[e.node]++] = e;
    ends.swap(sorted);
  } else {
    std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.node < b.node; });
  }
  std::vector<Slot> slots;
  std::vector<Micros> slot_ends;
  for (size_t i = 0; i < ends.size();) {
    const NodeNumber node = ends[i].node;
    slots.clear();
    slot_ends.clear();
    for (; i < ends.size() && ends[i].node == node; ++i) {
      const Row row = ends[i].row;
      const EdgeNumber edge = versions.owner(row);
      const NodeNumber other = ends[i].is_incoming ? tables_.edges.src(edge) : tables_.edges.dst(edge);
      slots.push_back({versions.valid_from(row), other << 1 | (ends[i].is_incoming ? 1u : 0u), row});
      slot_ends.push_back(versions.valid_to(row));
    }
    tables_.incidence.add(node, slots, slot_ends, versions);
  }
}

void Stage::note_erasure(Tx first_tx, std::vector<uint32_t> spent_keys) {
  ++counts_.operations;
  erased_since_ = first_tx;
  spent_keys_ = std::move(spent_keys);
}

void Stage::seal(Tx tx, Micros tx_time) {
  const Commit before = tables_.commits.get(tx - 1);
  Commit record = counts_;
  record.tx_time = tx_time;
  record.first_edge_row = tables_.edge_versions.row_count();
  record.first_node_row = tables_.node_versions.row_count();
  record.first_edge_closing = tables_.edge_versions.closing_count();
  record.first_node_closing = tables_.node_versions.closing_count();
  record.first_event_toggle = tables_.event_toggles.count();
  record.known_nodes = before.known_nodes;
  record.known_edges = before.known_edges;

  std::vector<Row> row_of;
  seal_side(edges_, tx, seal_order(), row_of);
  std::vector<uint32_t> node_order;
  for (uint32_t i = 0; i < nodes_.pending.size(); ++i) {
    if (!nodes_.pending[i].is_dead) node_order.push_back(i);
  }
  seal_side(nodes_, tx, node_order, row_of);

  const Row edge_rows = tables_.edge_versions.row_count();
  const Row node_rows = tables_.node_versions.row_count();
  const auto name_node = [&](NodeNumber node) {
    if (tables_.known_tx.get(node) != kNeverTx) return;
    tables_.known_tx.set_atomic(node, tx);
    ++record.known_nodes;
  };
  for (Row row = record.first_edge_row; row < edge_rows; ++row) {
    const EdgeNumber edge = tables_.edge_versions.owner(row);
    if (tables_.edge_index.first(edge) == row) ++record.known_edges;
    const TypeNumber type = tables_.edges.type(edge);
    if (tables_.type_tx.get(type) == kNeverTx) tables_.type_tx.set_atomic(type, tx);
    name_node(tables_.edges.src(edge));
    name_node(tables_.edges.dst(edge));
  }
  for (Row row = record.first_node_row; row < node_rows; ++row) {
    const uint32_t label_set = tables_.node_versions.label_set(row);
    if (tables_.label_set_tx.get(label_set) == kNeverTx) tables_.label_set_tx.set_atomic(label_set, tx);
    name_node(tables_.node_versions.owner(row));
  }
  record.believed_edges =
      before.believed_edges + (edge_rows - record.first_edge_row) - static_cast<uint32_t>(edges_.closings.size());
  record.believed_nodes =
      before.believed_nodes + (node_rows - record.first_node_row) - static_cast<uint32_t>(nodes_.closings.size());
  link_incidence(record.first_edge_row, edge_rows);
  if (erased_since_ != 0) {
    tables_.erasures.set(tables_.erasure_count++, {tx, erased_since_});
    for (const uint32_t number : spent_keys_) tables_.edges.spend_key(number);
  }
  tables_.commits.set(tx, record);
  clear();
}

}  // namespace palimpsest
