#include "core/kernels/rows/row_order.h"

#include <algorithm>
#include <cstring>

namespace palimpsest {

namespace {
constexpr NodeNumber kFewNodes = 64;

int sign(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

/// The bytes that all uids begin with.
size_t shared_prefix(const Tables& tables, NodeNumber node_count) {
  const std::string_view first = tables.uids.get(0);
  size_t shared = first.size();
  for (NodeNumber node = 1; node < node_count && shared > 0; ++node) {
    const std::string_view uid = tables.uids.get(node);
    shared = std::min(shared, uid.size());
    if (std::memcmp(uid.data(), first.data(), shared) == 0) continue;
    const auto end = uid.begin() + static_cast<ptrdiff_t>(shared);
    shared = static_cast<size_t>(std::mismatch(uid.begin(), end, first.begin()).first - uid.begin());
  }
  return shared;
}

/// Eight bytes from `from` on, the first one highest; short texts are filled with zeros.
uint64_t bytes_key(std::string_view text, size_t from) {
  uint64_t key = 0;
  const size_t end = std::min(text.size(), from + 8);
  for (size_t at = from; at < end; ++at) key |= uint64_t{static_cast<uint8_t>(text[at])} << (56 - 8 * (at - from));
  return key;
}
}  // namespace

RowOrder::RowOrder(const Pin& pin, uint64_t row_bound) : tables_(pin.tables()) {
  const NodeNumber node_count = pin.view().node_count;
  if (node_count < kFewNodes || row_bound < node_count / 4) return;
  shared_bytes_ = shared_prefix(tables_, node_count);
  keys_.resize(node_count);
  for (NodeNumber node = 0; node < node_count; ++node) keys_[node] = make_key(node);
}

uint64_t RowOrder::make_key(NodeNumber node) const { return bytes_key(tables_.uids.get(node), shared_bytes_); }

uint64_t RowOrder::key_of_row(Kind kind, Row row) const {
  if (kind == Kind::kNode) return key_of_node(tables_.node_versions.owner(row));
  return key_of_node(tables_.edges.src(tables_.edge_versions.owner(row)));
}

int RowOrder::compare_nodes(NodeNumber a, NodeNumber b) const {
  return a == b ? 0 : sign(tables_.uids.get(a).compare(tables_.uids.get(b)));
}

int RowOrder::compare_edges(EdgeNumber a, EdgeNumber b) const {
  if (a == b) return 0;
  const EdgeTable& edges = tables_.edges;
  if (const int side = compare_nodes(edges.src(a), edges.src(b)); side != 0) return side;
  const TypeNumber type_a = edges.type(a);
  const TypeNumber type_b = edges.type(b);
  if (type_a != type_b) return sign(tables_.types.get(type_a).compare(tables_.types.get(type_b)));
  if (const int side = compare_nodes(edges.dst(a), edges.dst(b)); side != 0) return side;
  return compare_keys(a, b);
}

int RowOrder::compare_keys(EdgeNumber a, EdgeNumber b) const {
  const EdgeTable& edges = tables_.edges;
  const TextNumber key_a = edges.key_number(a);
  const TextNumber key_b = edges.key_number(b);
  if (key_a != kNone && key_b != kNone) return sign(edges.key_texts().get(key_a).compare(edges.key_texts().get(key_b)));
  return sign(edges.key(a).compare(edges.key(b)));
}

bool RowOrder::is_row_less(Kind kind, Row a, Row b) const {
  const VersionTable& versions = kind == Kind::kEdge ? tables_.edge_versions : tables_.node_versions;
  if (const int side = compare_identities(kind, versions.owner(a), versions.owner(b)); side != 0) return side < 0;
  const Micros from_a = versions.valid_from(a);
  const Micros from_b = versions.valid_from(b);
  return from_a != from_b ? from_a < from_b : a < b;
}

std::vector<NodeNumber> nodes_by_uid(const Tables& tables, NodeNumber node_count) {
  struct Keyed {
    uint64_t key;
    NodeNumber node;
  };
  std::vector<NodeNumber> nodes(node_count);
  if (node_count == 0) return nodes;
  const size_t shared = shared_prefix(tables, node_count);
  std::vector<Keyed> keyed(node_count);
  for (NodeNumber node = 0; node < node_count; ++node) keyed[node] = {bytes_key(tables.uids.get(node), shared), node};
  std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.node != b.node && tables.uids.get(a.node) < tables.uids.get(b.node);
  });
  std::transform(keyed.begin(), keyed.end(), nodes.begin(), [](const Keyed& entry) { return entry.node; });
  return nodes;
}

}  // namespace palimpsest
