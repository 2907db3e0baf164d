// aggregate_events (docs/contract.md P1): events that pass, put into groups, each group measured; one page of groups.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/kernels/aggregate/question.h"
#include "core/kernels/columns/column_data.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/page_selector.h"
#include "core/kernels/rows/row_pack.h"
#include "core/kernels/window.h"

namespace palimpsest::aggregate {

struct Answer {
  std::vector<ColumnForm> forms = {};  // asked for: the form of each column, or nothing, and there are rows
  RowPack page = {};                   // the cells of each row, in the order of the columns
  std::vector<ColumnData> columns = {};
  uint64_t row_count = 0;
  uint64_t total = 0;
  uint64_t events = 0;
  std::vector<uint64_t> skipped = {};  // per counted property
};

/// Rows stand in the order of the question's orderings, then of the dimensions' cells. kLimit where groups are too
/// many, what they keep passes the ceiling of memory, or a sum leaves its range. A step per event of the window, two
/// with `is_reciprocal`, and one per group.
Status aggregate_events(const Pin& pin, const Filter& filter, const Question& question, ValidWindow window,
                        PageSpan page, const StopToken& stop, Answer& out);

/// Whether a question about this window is answered in a fraction of a millisecond.
bool is_small(const Pin& pin, const Filter& filter, ValidWindow window);

}  // namespace palimpsest::aggregate
