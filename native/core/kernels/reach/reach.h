// O4 `temporal_reachability` at a pin: every subject by itself, one page of all rows in the operator's order.
// Gives node numbers and instants; texts are the glue's.
#pragma once

#include "core/kernels/reach/question.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::reach {

struct AnswerRow {
  uint32_t subject;  // position in the question
  NodeNumber node;
  Micros at;  // arrival, or departure when searched backward
  uint64_t hops;
};

struct Answer {
  std::vector<uint64_t> reached;  // per subject: its rows in the whole list
  std::vector<AnswerRow> rows;    // the page, by (subject, time as searched, uid)
};

/// @return kCost or kCancelled when `counter` said so; never fails otherwise
Status temporal_reachability(const Pin& pin, const Filter& filter, const Question& question, PageSpan page,
                             StepCounter& counter, Answer& answer);

}  // namespace palimpsest::reach
