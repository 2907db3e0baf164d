// O6 count_temporal_motifs and O7 find_temporal_motifs at a pin. Gives counts, rows and cells; texts are the glue's.
#pragma once

#include "core/base/stop.h"
#include "core/kernels/motifs/motif_question.h"

namespace palimpsest::motifs {

struct CountAnswer {
  std::vector<uint64_t> counts;  // by cell of the grid, or one for a pattern of its own
  uint64_t total = 0;
  uint64_t events = 0;  // in the window that pass the filter, self-loops included
};

/// A page of instances; each has as many rows as its motif has edges.
struct FindAnswer {
  std::vector<Row> rows;        // the event's first versions, in pattern order, instance by instance
  std::vector<uint32_t> cells;  // per instance: the cell of the grid, 0 for a pattern of its own
  std::vector<Micros> spans;    // per instance: from its first to its last event
  uint64_t total = 0;
};

/// @return kLimit when a count passes 2^63 - 1; kCost or kCancelled when `steps` said so
Status count_motifs(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps,
                    CountAnswer& answer);
Status find_motifs(const Pin& pin, const Filter& filter, const Question& question, PageSpan page, StepCounter& steps,
                   FindAnswer& answer);

/// Whether the question is surely a matter for the pool: a long sweep stands before anything else.
bool is_long(const Pin& pin, const Filter& filter, const Question& question);

}  // namespace palimpsest::motifs
