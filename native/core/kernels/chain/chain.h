// P5 `longest_temporal_chain` at a pin: one backward sweep over the events, then the least of the longest chains.
// Gives rows of events; texts are the glue's.
#pragma once

#include <optional>

#include "core/kernels/events/event_source.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::chain {

struct Question {
  ValidWindow window;
  bool is_strict = true;           // each event later than the one before; else in event order
  std::optional<Micros> max_wait;  // between neighbours
  std::optional<Micros> within;    // from the first to the last
  NodeNumber start = kNone;        // the first tail; kNone: any
  NodeNumber end = kNone;          // the last head
};

struct Answer {
  uint64_t length = 0;
  uint64_t distinct_nodes = 0;
  Micros departure = 0;   // of the first event, where there is one
  Micros arrival = 0;     // of the last
  std::vector<Row> rows;  // the page
};

/// Whether this is work for the pool from the beginning.
bool is_long(const Pin& pin, const Question& question);

/// @return kCost or kCancelled when `steps` said so, kLimit when it has no memory for a number per event
Status longest_chain(const Pin& pin, const Filter& filter, const Question& question, PageSpan page, StepCounter& steps,
                     Answer& answer);

}  // namespace palimpsest::chain
