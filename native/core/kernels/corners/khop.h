// Breadth-first search from seed nodes in the graph of one corner.
// Used by the snapshot and by the scope of a diff; gives nodes and distances, never edges.
#pragma once

#include <span>
#include <vector>

#include "core/kernels/corners/corner.h"

namespace palimpsest {

/// How a search crosses edges: against their direction, along it, or both.
enum class Orientation : uint8_t { kBoth = 0, kOut = 1, kIn = 2 };

struct KhopQuery {
  std::span<const NodeNumber> seeds;  // distinct
  uint32_t hops = 1;
  Orientation orientation = Orientation::kBoth;
  bool nodes_must_exist = false;  // step only onto, and from, nodes with a version at the corner
};

struct Reached {
  std::vector<NodeNumber> nodes;   // the seeds, then by distance; those of one distance in no order that means anything
  std::vector<uint32_t> hop_ends;  // nodes[0, hop_ends[h]) are at most h away
};

/// Marks every node within reach in `visited` with its position in `reached`.
///
/// @return kCost or kCancelled when `steps` said so; never fails otherwise
///
/// O(slots of the reached nodes that begin by the instant, less the last ring). An edge's end and belief are looked at
/// only when it leads to a new node: those are gathers, the visited mark is not.
Status search_hops(Corner& corner, const KhopQuery& query, NodeMarks& visited, StepCounter& steps, Reached& reached);

}  // namespace palimpsest
