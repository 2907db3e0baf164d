// An aggregate: takes the entries of batches in event order, and gives a cell or two per group in the end.
// Groups are known by number; a measure knows nothing of what they were grouped by.
#pragma once

#include <memory>

#include "core/base/stop.h"
#include "core/kernels/aggregate/batch.h"
#include "core/kernels/aggregate/cell.h"
#include "core/kernels/aggregate/event_feed.h"
#include "core/kernels/aggregate/group_table.h"
#include "core/kernels/aggregate/value_log.h"

namespace palimpsest::aggregate {

class Measure {
 public:
  virtual ~Measure() = default;
  /// `groups`: how many there are by now; every group of the batch is below it.
  virtual void add(const Batch& batch, uint32_t groups) = 0;
  /// What it holds by now, roughly.
  virtual uint64_t bytes() const = 0;
  /// After the last batch. kLimit where a result is out of range.
  virtual Status finish(StepCounter&, uint32_t /*groups*/) { return Status::ok(); }
  virtual Cell cell(uint32_t group, uint32_t column) const = 0;
};

/// What measures are made from; all of it outlives them.
struct MeasureNeeds {
  const Pin& pin;
  EventFeed& feed;
  LogBook& logs;
  uint64_t minor_range;  // of the group table
  bool has_monotone;     // whether a minor has several groups, one after the other
};

std::unique_ptr<Measure> make_measure(const Agg& agg, const MeasureNeeds& needs);

/// Number and distinct values of events.
std::unique_ptr<Measure> make_count(const Agg& agg, const MeasureNeeds& needs);
/// min, max, sum, mean, stddev.
std::unique_ptr<Measure> make_extreme(const Agg& agg, const MeasureNeeds& needs);
std::unique_ptr<Measure> make_sum(const Agg& agg, const MeasureNeeds& needs);
/// What follows from the order of events: first, last, gaps, sessions.
std::unique_ptr<Measure> make_sequence(const Agg& agg, const MeasureNeeds& needs);
/// What needs all values of a group side by side: median, percentile, max_in_span.
std::unique_ptr<Measure> make_gathered(const Agg& agg, const MeasureNeeds& needs);

/// What a statistic of a source is shown as.
inline CellKind kind_of(Of of) {
  return of == Of::kAt ? CellKind::kInstant : of == Of::kDuration ? CellKind::kDuration : CellKind::kInt;
}

}  // namespace palimpsest::aggregate
