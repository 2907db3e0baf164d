#include "core/kernels/reach/marks.h"

namespace palimpsest::reach {

namespace {
// Clean columns for the next search of this thread.
thread_local LabelMarks::Columns spare_columns;
}  // namespace

LabelMarks::LabelMarks(NodeNumber node_count) : columns_(std::move(spare_columns)) {
  if (columns_.label.size() >= node_count) return;
  columns_.label.resize(node_count, kNoClock);
  columns_.settled.resize(node_count, 0);
}

LabelMarks::~LabelMarks() {
  for (const NodeNumber node : columns_.touched) {
    columns_.label[node] = kNoClock;
    columns_.settled[node] = 0;
  }
  columns_.touched.clear();
  spare_columns = std::move(columns_);
}

}  // namespace palimpsest::reach
