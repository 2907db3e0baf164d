// One page of a list in the order of identities: nodes by uid, edges by (src, type, dst, key), by code point.
// Selects before it sorts: a page of a hundred out of a million reads each uid once and sorts a few hundred entries.
#pragma once

#include <span>
#include <vector>

#include "core/store/store_view.h"

namespace palimpsest {

/// Half-open range of ordinals in a list; may reach beyond its end.
struct PageRange {
  uint64_t from = 0;
  uint64_t to = 0;
};

/// The nodes on the page of `nodes` ordered by uid; the input's order does not matter, no node stands in it twice.
std::vector<NodeNumber> node_page(const Tables& tables, std::span<const NodeNumber> nodes, PageRange page);

/// Positions in `edges` of the edges on the page ordered by identity; no edge stands in it twice.
/// `node_count` is that of a view which knows all of them.
std::vector<uint32_t> edge_page(const Tables& tables, NodeNumber node_count, std::span<const EdgeNumber> edges,
                                PageRange page);

}  // namespace palimpsest
