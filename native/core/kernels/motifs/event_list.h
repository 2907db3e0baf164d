// The events of a motif question as columns in event order: those in the window that pass the filter.
// Chooses how to find them; knows nothing of motifs.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/kernels/motifs/motif_question.h"

namespace palimpsest::motifs {

struct EventList {
  std::vector<Micros> at;
  std::vector<NodeNumber> src;
  std::vector<NodeNumber> dst;
  std::vector<Row> row;
  uint64_t passed = 0;  // all of them, self-loops included

  size_t size() const { return row.size(); }
  void reserve(uint64_t count) {
    at.reserve(count);
    src.reserve(count);
    dst.reserve(count);
    row.reserve(count);
  }
};

/// What `collect_events` will look at: rows of the window, or slots of the nodes that the filter names, where these are
/// so few that events are found at them and the store is not swept.
struct Extent {
  uint64_t count;
  bool is_sweep;
};
Extent extent_of(const Pin& pin, const Filter& filter, ValidWindow window);

/// @param with_loops whether self-loops stand in the columns; they are counted in `passed` in any case
/// @return kCost or kCancelled when `steps` said so
Status collect_events(const Pin& pin, const Filter& filter, ValidWindow window, bool with_loops, StepCounter& steps,
                      EventList& out);

}  // namespace palimpsest::motifs
