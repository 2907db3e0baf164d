// From the first to the last event of a population: where open ends of a bucketed window lie (docs/contract.md A10).
#pragma once

#include <optional>

#include "core/kernels/series/population.h"

namespace palimpsest::series {

struct EventExtent {
  Micros first;
  Micros last;
};

/// `out` stays empty where nothing passes.
Status event_extent(const Pin& pin, const Population& population, StepCounter& steps, std::optional<EventExtent>& out);

}  // namespace palimpsest::series
