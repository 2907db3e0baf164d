// O2 `snapshot_subgraph`: the nodes within some hops of the seeds at one corner, and the edges among them.
// Gives numbers of rows and nodes in the operator's order, one page of each list; texts and properties come later.
#pragma once

#include <optional>

#include "core/kernels/corners/identity_page.h"
#include "core/kernels/corners/khop.h"

namespace palimpsest {

struct SnapshotQuery {
  KhopQuery hops;
  std::optional<PageRange> edges;  // a list that is not asked for is not made
  std::optional<PageRange> nodes;
};

struct SnapshotPage {
  struct Node {
    NodeNumber node;
    uint32_t hop;
    Row row;  // of its version at the corner; kNone where it has none
  };
  uint64_t edges_total = 0;
  uint64_t nodes_total = 0;
  std::vector<Row> edges;   // by (src, type, dst, key)
  std::vector<Node> nodes;  // by (hop, uid)
};

/// @return kCost or kCancelled when `steps` said so; never fails otherwise. O(slots of the reached nodes).
Status snapshot_subgraph(Corner& corner, const SnapshotQuery& query, StepCounter& steps, SnapshotPage& page);

}  // namespace palimpsest
