// Neighbours gained, lost and kept between two instants, and the degree at the samples between (docs/contract.md O10).
// From the node's incidence list alone; cost follows its edge versions and the samples.
#pragma once

#include <array>
#include <vector>

#include "core/kernels/corners/khop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/neighborhood/samples.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::neighborhood {

enum class Change : uint8_t { kGained = 0, kKept = 1, kLost = 2 };

struct Question {
  NodeNumber node = kNone;
  Orientation orientation = Orientation::kBoth;
  Micros first = 0;
  Micros last = 0;
  Micros stride = 0;            // 0: equal steps
  Micros lookback = 1;          // an edge counts at t when it is valid at some instant of (t - lookback, t]
  std::array<bool, 3> wants{};  // by Change
};

struct NeighbourRow {
  Change change;
  NodeNumber node;
  uint32_t edges;  // identities, at `last`; at `first` for a neighbour that was lost
};
struct SampleRow {
  Micros at;
  uint32_t degree;      // edge identities, a self-loop once
  uint32_t neighbours;  // other nodes
};

struct Answer {
  std::vector<NeighbourRow> rows;  // the page, by (change, uid)
  std::array<uint64_t, 3> totals{};
  std::vector<SampleRow> series;  // the page
  uint64_t series_total = 0;
};

/// kLimit where there are more than Samples::kMost samples.
Status neighborhood_evolution(const Pin& pin, const Filter& filter, const Question& question, PageSpan rows,
                              PageSpan series, StepCounter& steps, Answer& out);

}  // namespace palimpsest::neighborhood
