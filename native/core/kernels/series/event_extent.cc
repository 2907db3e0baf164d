#include "core/kernels/series/event_extent.h"

namespace palimpsest::series {

Status event_extent(const Pin& pin, const Population& population, StepCounter& steps, std::optional<EventExtent>& out) {
  PassingEvents events;
  if (Status status = PassingEvents::open(pin, population, steps, events); !status.is_ok()) return status;
  const auto find_first = [&](const Event& event) {
    out = EventExtent{event.at, event.at};
    return false;
  };
  if (!events.each({}, steps, find_first)) return steps.status();
  if (!out) return Status::ok();
  const auto find_last = [&](const Event& event) {
    out->last = event.at;
    return false;
  };
  return events.each_backward({}, steps, find_last) ? Status::ok() : steps.status();
}

}  // namespace palimpsest::series
