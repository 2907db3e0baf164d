#include "core/kernels/corners/identity_page.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/kernels/node_marks.h"

namespace palimpsest {

namespace {

/// A node that sorts by one integer unless two uids agree in the eight bytes after what all of them share.
struct KeyedNode {
  uint64_t prefix;
  NodeNumber node;
  uint32_t weight;  // entries of the list that it stands for
};

class UidOrder {
 public:
  explicit UidOrder(const TextTable& uids) : uids_(uids) {}

  void key(std::span<KeyedNode> nodes) const {
    if (nodes.empty()) return;
    const std::string_view first = uids_.get(nodes.front().node);
    size_t shared = first.size();
    for (const KeyedNode& node : nodes) {
      const std::string_view uid = uids_.get(node.node);
      shared = std::min(shared, uid.size());
      if (std::memcmp(uid.data(), first.data(), shared) == 0) continue;
      shared = 0;
      while (uid[shared] == first[shared]) ++shared;
    }
    for (KeyedNode& node : nodes) {
      const std::string_view rest = uids_.get(node.node).substr(shared);
      node.prefix = 0;
      for (size_t i = 0; i < std::min<size_t>(rest.size(), 8); ++i) {
        node.prefix |= uint64_t{static_cast<uint8_t>(rest[i])} << (56 - 8 * i);
      }
    }
  }
  bool operator()(const KeyedNode& a, const KeyedNode& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return a.node != b.node && uids_.get(a.node) < uids_.get(b.node);
  }

 private:
  const TextTable& uids_;
};

uint64_t weight_of(std::span<const KeyedNode> nodes) {
  uint64_t total = 0;
  for (const KeyedNode& node : nodes) total += node.weight;
  return total;
}

struct Selected {
  size_t first;
  size_t end;
  uint64_t first_ordinal;  // of the first entry of the first node
};

/// Parts `nodes` so that those which hold entries of the page stand in one range, in order; the others outside it.
Selected select_nodes(const UidOrder& order, std::span<KeyedNode> nodes, PageRange page) {
  constexpr size_t kSmall = 32;
  const auto at = [&](size_t position) { return nodes.begin() + static_cast<ptrdiff_t>(position); };
  const auto half = [&](size_t from, size_t to) {
    const size_t middle = from + (to - from) / 2;
    std::nth_element(at(from), at(middle), at(to), order);
    return middle;
  };
  Selected selected{0, nodes.size(), 0};
  // As long as the page lies in one half, the other half is dropped; once it lies in both, each end is narrowed alone.
  size_t lower_end = 0;
  size_t upper_first = nodes.size();
  uint64_t upper_ordinal = 0;
  while (selected.end - selected.first > kSmall && lower_end == 0) {
    const size_t middle = half(selected.first, selected.end);
    const uint64_t ordinal = selected.first_ordinal + weight_of(nodes.subspan(selected.first, middle - selected.first));
    if (ordinal <= page.from) {
      selected.first = middle;
      selected.first_ordinal = ordinal;
    } else if (ordinal >= page.to) {
      selected.end = middle;
    } else {
      lower_end = upper_first = middle;
      upper_ordinal = ordinal;
    }
  }
  while (lower_end > selected.first + kSmall) {
    const size_t middle = half(selected.first, lower_end);
    const uint64_t ordinal = selected.first_ordinal + weight_of(nodes.subspan(selected.first, middle - selected.first));
    if (ordinal <= page.from) {
      selected.first = middle;
      selected.first_ordinal = ordinal;
    } else {
      lower_end = middle;
    }
  }
  while (selected.end > upper_first + kSmall) {
    const size_t middle = half(upper_first, selected.end);
    const uint64_t ordinal = upper_ordinal + weight_of(nodes.subspan(upper_first, middle - upper_first));
    if (ordinal >= page.to) {
      selected.end = middle;
    } else {
      upper_first = middle;
      upper_ordinal = ordinal;
    }
  }
  std::sort(at(selected.first), at(selected.end), order);
  return selected;
}

struct EdgeEntry {
  uint32_t src_order;
  TypeNumber type;
  NodeNumber dst;
  EdgeNumber edge;
  uint32_t position;
};

}  // namespace

std::vector<NodeNumber> node_page(const Tables& tables, std::span<const NodeNumber> nodes, PageRange page) {
  page.to = std::min<uint64_t>(page.to, nodes.size());
  if (page.from >= page.to) return {};
  std::vector<KeyedNode> keyed(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) keyed[i] = {0, nodes[i], 1};
  const UidOrder order(tables.uids);
  order.key(keyed);
  const Selected selected = select_nodes(order, keyed, page);
  std::vector<NodeNumber> ordered;
  for (uint64_t i = page.from; i < page.to; ++i) {
    ordered.push_back(keyed[selected.first + (i - selected.first_ordinal)].node);
  }
  return ordered;
}

std::vector<uint32_t> edge_page(const Tables& tables, NodeNumber node_count, std::span<const EdgeNumber> edges,
                                PageRange page) {
  page.to = std::min<uint64_t>(page.to, edges.size());
  if (page.from >= page.to) return {};
  const EdgeTable& identities = tables.edges;

  // First a tail's mark counts its edges, so that one small array is all that is touched at random.
  NodeMarks marks(node_count);
  std::vector<KeyedNode> tails;
  for (const EdgeNumber edge : edges) {
    const NodeNumber src = identities.src(edge);
    if (marks.add(src, 1)) {
      tails.push_back({0, src, 0});
    } else {
      marks.set(src, marks.value(src) + 1);
    }
  }
  for (KeyedNode& tail : tails) tail.weight = marks.value(tail.node);
  const UidOrder order(tables.uids);
  order.key(tails);
  const Selected selected = select_nodes(order, tails, page);

  // Then it says where the tail stands on the page.
  for (const KeyedNode& tail : tails) marks.set(tail.node, kNone);
  for (size_t i = selected.first; i < selected.end; ++i) {
    marks.set(tails[i].node, static_cast<uint32_t>(i - selected.first));
  }
  std::vector<EdgeEntry> entries;
  for (size_t i = 0; i < edges.size(); ++i) {
    const EdgeNumber edge = edges[i];
    const uint32_t src_order = marks.value(identities.src(edge));
    if (src_order == kNone) continue;
    entries.push_back({src_order, identities.type(edge), identities.dst(edge), edge, static_cast<uint32_t>(i)});
  }

  std::string key_a;
  std::string key_b;
  const auto is_before = [&](const EdgeEntry& a, const EdgeEntry& b) {
    if (a.src_order != b.src_order) return a.src_order < b.src_order;
    if (a.type != b.type) return tables.types.get(a.type) < tables.types.get(b.type);
    if (a.dst != b.dst) return tables.uids.get(a.dst) < tables.uids.get(b.dst);
    if (a.edge == b.edge) return false;
    key_a.clear();
    key_b.clear();
    identities.append_key(a.edge, key_a);
    identities.append_key(b.edge, key_b);
    return key_a < key_b;
  };
  const auto at = [&](uint64_t ordinal) {
    return entries.begin() + static_cast<ptrdiff_t>(ordinal - selected.first_ordinal);
  };
  if (at(page.from) != entries.begin()) std::nth_element(entries.begin(), at(page.from), entries.end(), is_before);
  if (at(page.to) != entries.end()) std::nth_element(at(page.from), at(page.to), entries.end(), is_before);
  std::sort(at(page.from), at(page.to), is_before);
  std::vector<uint32_t> positions;
  for (auto entry = at(page.from); entry != at(page.to); ++entry) positions.push_back(entry->position);
  return positions;
}

}  // namespace palimpsest
