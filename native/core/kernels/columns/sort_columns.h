// The rows of a table by columns in another order: digit by digit from the front, and what is still equal by comparing.
// Shared with the pool. Knows nothing of the store, nor of where the columns come from.
#pragma once

#include <span>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/columns/column_data.h"
#include "core/kernels/columns/row_keys.h"

namespace palimpsest {

/// A column in its new order. Of texts the codes are numbered anew, by their first row.
struct SortedColumn {
  ColumnData data;
  std::vector<uint32_t> texts;  // of each new code, the one that it had
};

/// The first `shown_count` columns, with rows in `order`; rows that it does not tell apart stay as they stood. A row
/// without a value holds zero. kLimit where that would pass the ceiling of memory.
Status sort_columns(std::span<const GivenColumn> columns, size_t row_count, std::span<const SortKey> order,
                    size_t shown_count, const StopToken& stop, std::vector<SortedColumn>& out);

}  // namespace palimpsest
