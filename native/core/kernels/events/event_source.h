// The events of a pin (operators.md A5: the beginnings of spells) in event order, (at, seq), as columns in blocks.
// Kernels that sweep or count events take them from here and never ask how they are kept.
#pragma once

#include "core/base/stop.h"
#include "core/kernels/filter.h"
#include "core/kernels/window.h"
#include "core/store/store_view.h"

namespace palimpsest {

/// Up to kMostEvents events side by side; valid during the visit alone.
struct EventBlock {
  static constexpr uint32_t kMostEvents = 1024;

  uint32_t count = 0;
  const Micros* at = nullptr;
  const NodeNumber* src = nullptr;
  const NodeNumber* dst = nullptr;
  const TypeNumber* type = nullptr;
  const Row* row = nullptr;  // the spell's first version: its properties are the event's
};

class EventSource {
 public:
  /// Makes what is needed and is not there yet. On a pool thread, where that is more than `is_ready` promises.
  static Status open(const Pin& pin, StepCounter& steps, EventSource& out);
  /// True when `open` has nothing long to do, so that a small question may run at once.
  static bool is_ready(const Pin& pin);

  EventSource() = default;

  /// Events with `from <= at < to`, exact.
  uint64_t count(ValidWindow window) const;
  /// Calls `visit(const EventBlock&)` for the events of the window in event order, a step each. False when the counter
  /// or the visit (by giving false) said stop.
  template <typename Visit>
  bool each_block(ValidWindow window, StepCounter& steps, Visit&& visit) const;
  /// The same from the last block to the first; events inside a block still ascend.
  template <typename Visit>
  bool each_block_backward(ValidWindow window, StepCounter& steps, Visit&& visit) const;

 private:
  struct Scratch;
  std::vector<Row> rows_in(ValidWindow window) const;
  EventBlock fill(const std::vector<Row>& rows, size_t first, Scratch& scratch) const;
  explicit EventSource(const Pin& pin) : pin_(&pin) {}

  const Pin* pin_ = nullptr;  // the caller's, which outlives the source
};

/// Whether an event passes `where` (A6): its first version's content, and its ends at the event's instant.
inline bool passes_event(const Filter& filter, Row row, NodeNumber src, NodeNumber dst, Micros at,
                         NodeNumber spared = kNone) {
  return filter.is_trivial() || (filter.passes_edge(row) && filter.passes_ends(src, dst, at, spared));
}

struct EventSource::Scratch {
  Micros at[EventBlock::kMostEvents];
  NodeNumber src[EventBlock::kMostEvents];
  NodeNumber dst[EventBlock::kMostEvents];
  TypeNumber type[EventBlock::kMostEvents];
  Row row[EventBlock::kMostEvents];
};

template <typename Visit>
bool EventSource::each_block(ValidWindow window, StepCounter& steps, Visit&& visit) const {
  const std::vector<Row> rows = rows_in(window);
  Scratch scratch;
  for (size_t first = 0; first < rows.size(); first += EventBlock::kMostEvents) {
    const EventBlock block = fill(rows, first, scratch);
    if (!steps.add(block.count) || !visit(block)) return false;
  }
  return true;
}

template <typename Visit>
bool EventSource::each_block_backward(ValidWindow window, StepCounter& steps, Visit&& visit) const {
  const std::vector<Row> rows = rows_in(window);
  Scratch scratch;
  for (size_t end = rows.size(); end > 0;) {
    const size_t first = (end - 1) / EventBlock::kMostEvents * EventBlock::kMostEvents;
    const EventBlock block = fill(rows, first, scratch);
    if (!steps.add(block.count) || !visit(block)) return false;
    end = first;
  }
  return true;
}

}  // namespace palimpsest
