// The events of a pin (docs/contract.md A5: the beginnings of spells) in event order, (at, seq), as columns in blocks.
// Kernels that sweep or count events take them from here and never ask how they are kept.
#pragma once

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/named_rows.h"
#include "core/kernels/window.h"
#include "core/store/pin_events.h"

namespace palimpsest {

/// Up to kMostEvents events side by side; valid during the visit alone.
struct EventSlice {
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
  /// The events of the window at named ends alone, from the lists of their nodes: for a filter that no other event
  /// passes. Read forward only.
  static Status open_at(const Pin& pin, const NamedEnds& ends, ValidWindow window, StepCounter& steps,
                        EventSource& out);
  /// True when `open` has nothing long to do, so that a small question may run at once.
  static bool is_ready(const Pin& pin);

  EventSource() = default;

  /// Events with `from <= at < to`, exact. O(log events).
  uint64_t count(ValidWindow window) const {
    return listed_ == nullptr ? events_->count(window.from, window.to) : listed_count(window);
  }
  /// Calls `visit(const EventSlice&)` for the events of the window in event order, a step each. False when the counter
  /// or the visit (by giving false) said stop.
  template <typename Visit>
  bool each_block(ValidWindow window, StepCounter& steps, Visit&& visit) const;
  /// The same from the last block to the first; events inside a block still ascend.
  template <typename Visit>
  bool each_block_backward(ValidWindow window, StepCounter& steps, Visit&& visit) const;

 private:
  using Range = PinEvents::Range;
  /// Positions of the index and of the events added since that belong together.
  struct Stretch {
    Range ranks;
    Range added;
  };
  Stretch stretch_of(ValidWindow window) const;
  /// The first position in `added` that comes at or after a rank.
  uint32_t added_before(uint32_t rank) const;
  /// Those of at most kMostEvents ranks that are events, ascending, into `out`; gives how many.
  uint32_t select(Range ranks, uint32_t* out) const;
  /// Ranks and added events in event order.
  void merge(std::span<const uint32_t> ranks, Range added, SortedEvents& out) const;
  /// The events of a stretch: in place where nothing was added or removed, else gathered into `scratch`.
  EventSlice read(Stretch stretch, SortedEvents& scratch) const;
  template <typename Visit>
  static bool visit_piece(const EventSlice& events, uint32_t first, uint32_t end, StepCounter& steps, Visit& visit);

  /// Of the listed events.
  Range listed_stretch(ValidWindow window) const { return PinEvents::range_of(*listed_, window.from, window.to); }
  uint64_t listed_count(ValidWindow window) const {
    const Range range = listed_stretch(window);
    return range.end - range.begin;
  }
  EventSlice listed_slice() const;

  std::shared_ptr<const PinEvents> events_;
  std::shared_ptr<const SortedEvents> listed_;  // instead of all events
  const Tables* tables_ = nullptr;              // the pin's, which outlives the source
};

/// Whether an event passes `where` (A6): its first version's content, and its ends at the event's instant.
inline bool passes_event(const Filter& filter, Row row, NodeNumber src, NodeNumber dst, Micros at,
                         NodeNumber spared = kNone) {
  return filter.is_trivial() || (filter.passes_edge(row) && filter.passes_ends(src, dst, at, spared));
}

template <typename Visit>
bool EventSource::visit_piece(const EventSlice& events, uint32_t first, uint32_t end, StepCounter& steps,
                              Visit& visit) {
  if (!steps.add(end - first)) return false;
  return visit(EventSlice{end - first, events.at + first, events.src + first, events.dst + first, events.type + first,
                          events.row + first});
}

template <typename Visit>
bool EventSource::each_block(ValidWindow window, StepCounter& steps, Visit&& visit) const {
  if (listed_ != nullptr) {
    const Range range = listed_stretch(window);
    for (uint32_t first = range.begin; first < range.end; first += EventSlice::kMostEvents) {
      const uint32_t end = first + std::min(EventSlice::kMostEvents, range.end - first);
      if (!visit_piece(listed_slice(), first, end, steps, visit)) return false;
    }
    return true;
  }
  SortedEvents scratch;
  const Stretch whole = stretch_of(window);
  Stretch part{{whole.ranks.begin, whole.ranks.begin}, {whole.added.begin, whole.added.begin}};
  while (part.ranks.end < whole.ranks.end || part.added.end < whole.added.end) {
    part.ranks = {part.ranks.end, part.ranks.end + std::min(EventSlice::kMostEvents, whole.ranks.end - part.ranks.end)};
    const bool is_last = part.ranks.end == whole.ranks.end;
    part.added = {part.added.end, is_last ? whole.added.end : added_before(part.ranks.end)};
    const EventSlice events = read(part, scratch);
    for (uint32_t first = 0; first < events.count; first += EventSlice::kMostEvents) {
      const uint32_t end = std::min(events.count, first + EventSlice::kMostEvents);
      if (!visit_piece(events, first, end, steps, visit)) return false;
    }
  }
  return true;
}

template <typename Visit>
bool EventSource::each_block_backward(ValidWindow window, StepCounter& steps, Visit&& visit) const {
  SortedEvents scratch;
  const Stretch whole = stretch_of(window);
  Stretch part{{whole.ranks.end, whole.ranks.end}, {whole.added.end, whole.added.end}};
  while (part.ranks.begin > whole.ranks.begin || part.added.begin > whole.added.begin) {
    part.ranks = {part.ranks.begin - std::min(EventSlice::kMostEvents, part.ranks.begin - whole.ranks.begin),
                  part.ranks.begin};
    const bool is_first = part.ranks.begin == whole.ranks.begin;
    part.added = {is_first ? whole.added.begin : added_before(part.ranks.begin), part.added.begin};
    const EventSlice events = read(part, scratch);
    for (uint32_t end = events.count; end > 0;) {
      const uint32_t first = (end - 1) / EventSlice::kMostEvents * EventSlice::kMostEvents;
      if (!visit_piece(events, first, end, steps, visit)) return false;
      end = first;
    }
  }
  return true;
}

}  // namespace palimpsest
