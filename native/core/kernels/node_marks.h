// A value per node that is forgotten for nothing: entries are stamped, and a lease of the scratch raises the stamp.
// Scratch is kept per thread; it knows nothing of views, so whoever leases it names the number of nodes.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/types.h"

namespace palimpsest {

/// A map from nodes to u32, empty when made. Costs no memory where no node was marked.
class NodeMarks {
 public:
  explicit NodeMarks(NodeNumber node_count);
  NodeMarks(const NodeMarks&) = delete;
  NodeMarks& operator=(const NodeMarks&) = delete;
  ~NodeMarks();

  bool has(NodeNumber node) const { return (words_[node] >> 32) == stamp_; }
  /// The value of a marked node.
  uint32_t value(NodeNumber node) const { return static_cast<uint32_t>(words_[node]); }
  uint32_t value_or(NodeNumber node, uint32_t fallback) const { return has(node) ? value(node) : fallback; }
  void set(NodeNumber node, uint32_t value) { words_[node] = (stamp_ << 32) | value; }
  /// Marks a node; false when it was marked before (its value stays).
  bool add(NodeNumber node, uint32_t value = 0) {
    if (has(node)) return false;
    set(node, value);
    return true;
  }

  struct Scratch;

 private:
  std::unique_ptr<Scratch> scratch_;
  uint64_t* words_;  // stamp in the high half, value in the low one
  uint64_t stamp_;
};

}  // namespace palimpsest
