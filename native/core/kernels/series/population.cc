#include "core/kernels/series/population.h"

namespace palimpsest::series {

Status PassingEvents::open(const Pin& pin, const Population& population, StepCounter& steps, PassingEvents& out) {
  out.pin_ = &pin;
  out.population_ = population;
  return population.has_node ? Status::ok() : EventSource::open(pin, steps, out.source_);
}

}  // namespace palimpsest::series
