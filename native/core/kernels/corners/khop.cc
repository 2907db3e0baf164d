#include "core/kernels/corners/khop.h"

namespace palimpsest {

Status search_hops(Corner& corner, const KhopQuery& query, NodeMarks& visited, StepCounter& steps, Reached& reached) {
  const auto exists = [&](NodeNumber node) { return corner.version_of(Kind::kNode, node) != kNone; };
  for (const NodeNumber seed : query.seeds) {
    if (visited.add(seed, static_cast<uint32_t>(reached.nodes.size()))) reached.nodes.push_back(seed);
  }
  reached.hop_ends.push_back(static_cast<uint32_t>(reached.nodes.size()));

  uint32_t from = 0;
  for (uint32_t hop = 1; hop <= query.hops; ++hop) {
    const auto to = static_cast<uint32_t>(reached.nodes.size());
    for (uint32_t position = from; position < to; ++position) {
      const NodeNumber node = reached.nodes[position];
      if (query.nodes_must_exist && hop == 1 && !exists(node)) continue;
      const bool was_whole = corner.each_begun_slot(node, steps, [&](const Slot& slot) {
        if (query.orientation == (slot.is_incoming() ? Orientation::kOut : Orientation::kIn)) return true;
        const NodeNumber other = slot.other();
        if (visited.has(other) || !corner.is_live(slot.row) || !corner.passes_edge(slot.row)) return true;
        if (query.nodes_must_exist && !exists(other)) return true;
        visited.set(other, static_cast<uint32_t>(reached.nodes.size()));
        reached.nodes.push_back(other);
        return true;
      });
      if (!was_whole) return steps.status();
    }
    reached.hop_ends.push_back(static_cast<uint32_t>(reached.nodes.size()));
    from = to;
  }
  return Status::ok();
}

}  // namespace palimpsest
