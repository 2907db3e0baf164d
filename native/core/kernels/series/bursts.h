// Buckets that stand out from the ones right before them (docs/contract.md O9), judged over a series of counts.
// Sums are exact; a trailing window moves along, so the cost does not grow with the length of the history.
#pragma once

#include <vector>

#include "core/kernels/rows/page_selector.h"
#include "core/kernels/series/buckets.h"
#include "core/kernels/series/population.h"

namespace palimpsest::series {

struct BurstRules {
  bool is_ratio = false;  // else z-scores
  bool wants_up = true;
  bool wants_down = false;
  uint32_t history = 10;     // at most so many buckets
  uint32_t min_history = 3;  // fewer: not judged
  double threshold = 3;      // z or r
  uint64_t min_change = 1;
  bool is_first_partial = false;  // such a bucket is neither judged nor history
  bool is_last_partial = false;
};

struct Burst {
  uint32_t bucket;
  uint64_t value;
  double baseline;
  double spread;  // NaN: there is none
  double score;   // NaN: its divisor is 0
  bool is_up;
  uint32_t history;
};

struct BurstAnswer {
  std::vector<Burst> rows;  // the page
  uint64_t total = 0;
  uint64_t judged = 0;
};

Status bursts(const Pin& pin, const Population& population, const Buckets& buckets, const BurstRules& rules,
              PageSpan page, StepCounter& steps, BurstAnswer& out);

}  // namespace palimpsest::series
