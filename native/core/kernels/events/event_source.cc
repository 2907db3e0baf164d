#include "core/kernels/events/event_source.h"

namespace palimpsest {

Status EventSource::open(const Pin& pin, StepCounter& steps, EventSource& out) {
  out = EventSource(pin);
  return steps.status();
}

bool EventSource::is_ready(const Pin&) { return true; }

uint64_t EventSource::count(ValidWindow window) const {
  const StopToken never;
  StepCounter steps(never);
  uint64_t total = 0;
  each_block(window, steps, [&](const EventBlock& block) {
    total += block.count;
    return true;
  });
  return total;
}

}  // namespace palimpsest
