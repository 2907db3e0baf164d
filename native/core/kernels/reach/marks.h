// Earliest labels of all nodes of a store, and which of them are final: long columns, kept per thread and cleaned by
// touch. Serves the search over the whole store, whose inner loop is one look at a byte per end of an edge.
#pragma once

#include <vector>

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

class LabelMarks {
 public:
  explicit LabelMarks(NodeNumber node_count);
  ~LabelMarks();
  LabelMarks(const LabelMarks&) = delete;
  LabelMarks& operator=(const LabelMarks&) = delete;

  bool is_settled(NodeNumber node) const { return columns_.settled[node] != 0; }
  /// The earliest arrival known so far, final once the node is settled; kNoClock where there is none.
  Clock label(NodeNumber node) const { return columns_.label[node]; }
  void set_label(NodeNumber node, Clock label) {
    if (columns_.label[node] == kNoClock) columns_.touched.push_back(node);
    columns_.label[node] = label;
  }
  void drop_label(NodeNumber node) { columns_.label[node] = kNoClock; }
  void settle(NodeNumber node, Clock label) {
    set_label(node, label);
    columns_.settled[node] = 1;
    ++settled_count_;
  }
  uint32_t settled_count() const { return settled_count_; }
  /// Every node that ever had a label, some of them twice; those that were not settled, too.
  const std::vector<NodeNumber>& touched() const { return columns_.touched; }

  struct Columns {
    std::vector<Clock> label;
    std::vector<uint8_t> settled;
    std::vector<NodeNumber> touched;
  };

 private:
  Columns columns_;
  uint32_t settled_count_ = 0;
};

}  // namespace palimpsest::reach
