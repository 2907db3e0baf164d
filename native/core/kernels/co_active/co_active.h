// O11 `co_active`: pairs of facts of two selections whose intervals stand in given relations.
// Counts the pairs and makes those of one page; all the pairs never stand in memory.
#pragma once

#include <vector>

#include "core/kernels/co_active/allen.h"
#include "core/kernels/co_active/facts.h"
#include "core/kernels/co_active/groups.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::co_active {

struct Question {
  Selection a;
  Selection b;
  bool is_one_selection = false;  // a and b are the same
  Relations relations = {};
  KeyRule keys = {};
  Micros min_gap = 1;  // of kBefore and kAfter
  Micros max_gap = 0;
  ValidWindow window = {};
  bool is_unordered = false;  // only pairs with a before b in the order of facts
};

struct Pair {
  Fact a;
  Fact b;
};

struct Answer {
  uint64_t total = 0;
  std::vector<Pair> rows;  // the page, by (a's order, b's order)
};

/// @return kCost or kCancelled when `steps` said so; never fails otherwise
Status co_active(const Pin& pin, const Question& question, PageSpan page, StepCounter& steps, Answer& answer);

}  // namespace palimpsest::co_active
