#include "core/kernels/aggregate/aggregate.h"

#include <optional>

#include "core/kernels/aggregate/group_page.h"
#include "core/kernels/aggregate/parts.h"

namespace palimpsest::aggregate {

namespace {
constexpr uint64_t kFewEvents = 200;  // one may cost a microsecond where many measures look at it

/// One event of a list costs as much as a sweep over so many: it is looked up, judged, and put in order.
constexpr uint64_t kWorthOfListedEvent = 32;

/// The ends at which all passing events are, where their lists are much shorter than the window.
std::optional<NamedEnds> short_ends(const Pin& pin, const Filter& filter, ValidWindow window) {
  const auto ends = named_ends(pin, filter);
  if (!ends) return std::nullopt;
  const TimeRuns& runs = pin.view().runs;
  const uint64_t begun = runs.count_begun(pin.tables().edge_versions, runs.row_count, window.from, window.to);
  return ends->slot_count * kWorthOfListedEvent <= begun ? ends : std::nullopt;
}

/// The pairs that the events of the window join, after the filter.
Status collect_pairs(const Filter& filter, const EventSource& events, ValidWindow window, StepCounter& steps,
                     HeldBytes& held, PairSet& out) {
  uint64_t held_bytes = 0;
  const bool is_done = events.each_block(window, steps, [&](const EventSlice& block) {
    for (uint32_t i = 0; i < block.count; ++i) {
      if (passes_event(filter, block.row[i], block.src[i], block.dst[i], block.at[i]))
        out.add(block.src[i], block.dst[i]);
    }
    const uint64_t more = out.bytes() - held_bytes;
    held_bytes += more;
    return more == 0 || held.hold(more);
  });
  if (is_done) return Status::ok();
  return steps.status().is_ok() ? held.status() : steps.status();
}
}  // namespace

bool is_small(const Pin& pin, const Filter& filter, ValidWindow window) {
  if (const auto ends = short_ends(pin, filter, window)) return ends->slot_count <= kFewEvents;
  const TimeRuns& runs = pin.view().runs;
  return EventSource::is_ready(pin) &&
         runs.count_begun(pin.tables().edge_versions, runs.row_count, window.from, window.to) <= kFewEvents;
}

Status aggregate_events(const Pin& pin, const Filter& filter, const Question& question, ValidWindow window,
                        PageSpan page, const StopToken& stop, Answer& out) {
  StepCounter steps(stop);
  EventSource events;
  const auto ends = short_ends(pin, filter, window);
  const Status opened =
      ends ? EventSource::open_at(pin, *ends, window, steps, events) : EventSource::open(pin, steps, events);
  if (!opened.is_ok()) return opened;
  HeldBytes held(stop);
  std::optional<PairSet> pairs;
  if (question.is_reciprocal) {
    pairs.emplace();
    if (Status status = collect_pairs(filter, events, window, steps, held, *pairs); !status.is_ok()) return status;
  }
  Parts parts;
  const PairSet* reciprocal = pairs ? &*pairs : nullptr;
  if (Status status = parts.run(pin, filter, question, reciprocal, events, window, steps, held); !status.is_ok()) {
    return status;
  }
  out.events = parts.event_count();
  out.skipped = parts.skipped();
  return write_page(pin, question, parts, page, steps, out);
}

}  // namespace palimpsest::aggregate
