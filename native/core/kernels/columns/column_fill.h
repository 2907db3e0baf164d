// Fills typed columns from version rows, one column at a time in flat loops: the columnar twin of RowFetcher.
// Shows nothing learnt after the pin. Knows no operator and no order; large work is shared with the pool, by columns.
#pragma once

#include <span>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/columns/column_data.h"
#include "core/kernels/rows/fetch.h"

namespace palimpsest {

/// A column that is wanted, and of a property the classes of values (bits of PropKind) that decide its type.
struct ColumnRequest {
  ColumnSpec spec;
  uint32_t classes = 0;
};

struct RowSelection {
  Kind kind = Kind::kEdge;
  std::span<const RowRef> rows;  // all of that kind
  RowFetcher::Clamp clamp = {};
};

/// One column per request. kLimit where the texts of one column are longer than JavaScript can hold, or the columns
/// pass the ceiling of memory.
Status fill_columns(const Pin& pin, const RowSelection& selection, std::span<const ColumnRequest> requests,
                    const StopToken& stop, std::vector<ColumnData>& out);

}  // namespace palimpsest
