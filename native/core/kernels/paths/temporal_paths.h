// O5 `temporal_paths` at a pin: the best node-simple paths from one node to another, with the times of their steps.
// Gives rows, node numbers and instants; texts are the glue's.
#pragma once

#include "core/kernels/paths/ranking.h"

namespace palimpsest::paths {

struct Step {
  Row shown;  // the version that is valid at the departure
  NodeNumber tail;
  NodeNumber head;
  Micros valid_from;  // of the span
  Micros valid_to;
  Micros departs;
  Micros arrives;
};

struct Path {
  Trip trip;
  std::vector<Step> steps;
};

struct Answer {
  std::vector<Path> paths;  // in order, at most k
  bool has_more = false;
};

/// @return kCost when the search is too wide to be held; kCost and kCancelled when the counter said so
Status temporal_paths(const Pin& pin, const Filters& filters, const Question& question, StepCounter& counter,
                      Answer& answer);

}  // namespace palimpsest::paths
