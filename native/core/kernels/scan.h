// The base tables of `scan` (P7) that rest on version rows: nodes, edges, events and endpoints; one page and the count.
// The belief log is version_log.h; commits and buckets need no kernel.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/fetch.h"
#include "core/kernels/rows/page_selector.h"
#include "core/kernels/window.h"

namespace palimpsest {

enum class ScanTable : uint8_t { kNodes = 0, kEdges = 1, kEvents = 2, kEndpoints = 3 };

struct ScanQuery {
  ScanTable table;
  ValidWindow window;  // an instant is the microsecond that it begins
  PageSpan page;
  bool has_order = true;  // false: a list that is taken whole may come as it is found
};

struct ScanAnswer {
  std::vector<RowRef> rows;
  uint64_t total = 0;
};

/// Nodes by (uid, valid_from), edges by (src, type, dst, key, valid_from): believed versions that touch the window.
/// Events by (at, seq), endpoints with src before dst: beginnings in the window. `names` is a second filter.
Status scan_table(const Pin& pin, const ScanQuery& query, const Filter& filter, const Filter& names,
                  const StopToken& stop, ScanAnswer& out);

/// About how many rows the scan will look at.
uint64_t scan_row_bound(const Pin& pin, ScanTable table, const Filter& filter);

}  // namespace palimpsest
