// The orders in which rows stand in answers: nodes by uid, edges by (src, type, dst, key), then valid_from, then row.
// Strings order by code point, which is the byte order of UTF-8.
#pragma once

#include <vector>

#include "core/store/store_view.h"

namespace palimpsest {

class RowOrder {
 public:
  /// `row_bound`: about how many rows will be asked for their key; where they are many, keys are made once per node.
  RowOrder(const Pin& pin, uint64_t row_bound);

  /// A number that orders nodes by uid, but that different uids may share.
  uint64_t key_of_node(NodeNumber node) const { return keys_.empty() ? make_key(node) : keys_[node]; }
  uint64_t key_of_row(Kind kind, Row row) const;

  /// -1, 0 or 1.
  int compare_nodes(NodeNumber a, NodeNumber b) const;
  int compare_edges(EdgeNumber a, EdgeNumber b) const;
  int compare_identities(Kind kind, uint32_t a, uint32_t b) const {
    return kind == Kind::kEdge ? compare_edges(a, b) : compare_nodes(a, b);
  }
  /// By (identity, valid_from, row).
  bool is_row_less(Kind kind, Row a, Row b) const;

 private:
  uint64_t make_key(NodeNumber node) const;
  int compare_keys(EdgeNumber a, EdgeNumber b) const;

  const Tables& tables_;
  std::vector<uint64_t> keys_;
  size_t shared_bytes_ = 0;  // at the beginning of every uid; only where keys_ is filled
};

/// All nodes below `node_count`, by uid.
std::vector<NodeNumber> nodes_by_uid(const Tables& tables, NodeNumber node_count);

}  // namespace palimpsest
