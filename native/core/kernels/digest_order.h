// The order of the store digest (docs/contract.md "Store digest"): nodes by uid, then edges by (src, type, dst, key),
// the versions of one identity by (tx_from, valid_from). Sorted per node, so that memory follows a node's degree.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/store/store_view.h"

namespace palimpsest {

class DigestOrder {
 public:
  /// An edge version by what orders it among those of its src; `order` is (type, dst).
  struct EdgeRow {
    uint64_t order;
    EdgeNumber edge;
    Row row;
  };

  explicit DigestOrder(const Pin& pin) : pin_(pin) {}

  /// Ranks nodes and types; before anything else.
  void begin();
  bool is_begun() const { return is_begun_; }
  /// All nodes, by uid.
  const std::vector<NodeNumber>& nodes() const { return nodes_; }
  /// Replaces `out` by all versions of a node up to the pin.
  void node_rows(NodeNumber node, std::vector<Row>& out) const;
  /// Replaces `out` by all versions of the edges that leave a node, up to the pin.
  void edge_rows(NodeNumber src, StepCounter& steps, std::vector<EdgeRow>& out) const;

 private:
  Pin pin_;
  std::vector<NodeNumber> nodes_;
  std::vector<uint32_t> node_ranks_;  // where each stands there
  std::vector<uint32_t> type_ranks_;  // by type number
  bool is_begun_ = false;
};

}  // namespace palimpsest
