// Rows of one kind that touch a stretch of valid time, in append order, blocks skipped by their extremes.
// Belief, filters and order are the caller's.
#pragma once

#include "core/base/stop.h"
#include "core/kernels/window.h"
#include "core/loops/loops.h"
#include "core/store/versions.h"

namespace palimpsest {

inline bool may_touch(const Zone& zone, ValidWindow window) {
  return zone.min_from < window.to && (zone.has_open_end != 0 || zone.max_to > window.from);
}

/// Calls `visit(Row)` for each such row in [first, end). False when the counter said stop.
template <typename Visit>
bool each_touching(const VersionTable& versions, Row first, Row end, ValidWindow window, StepCounter& steps,
                   Visit&& visit) {
  const auto froms = versions.valid_froms();
  const auto tos = versions.valid_tos();
  Micros from_scratch[kBlockRows];
  Micros to_scratch[kBlockRows];
  uint32_t positions[kBlockRows];
  for (Row row = first; row < end;) {
    const uint32_t block = row >> kBlockShift;
    const auto block_end = static_cast<Row>(std::min<uint64_t>(end, (uint64_t{block} + 1) << kBlockShift));
    if (!steps.add(window.is_unbounded() || may_touch(versions.zone(block), window) ? block_end - row : 1))
      return false;
    if (window.is_unbounded()) {
      for (; row < block_end; ++row) visit(row);
      continue;
    }
    if (may_touch(versions.zone(block), window)) {
      const auto from = froms.block(block);
      const auto to = tos.block(block);
      const uint32_t begin = row & (kBlockRows - 1);
      const uint32_t count = block_end - row;
      const uint32_t found = loops().select_touching(from.values(begin + count, from_scratch) + begin,
                                                     to.values(begin + count, to_scratch) + begin, count, window.from,
                                                     window.to, positions);
      for (uint32_t i = 0; i < found; ++i) visit(row + positions[i]);
    }
    row = block_end;
  }
  return true;
}

}  // namespace palimpsest
