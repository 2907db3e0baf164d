// How many edge rows have ended by an instant: ends in ascending order within stretches of 65,536 rows.
// The writer sorts full stretches when it is off the JavaScript thread; readers scan those that have no order (yet), so
// that counts never depend on what was sorted. Knows nothing of belief.
#pragma once

#include "core/base/chunked.h"
#include "core/store/versions.h"

namespace palimpsest {

class EndOrder {
 public:
  static constexpr uint32_t kStretchShift = 16;
  static constexpr Row kStretchRows = Row{1} << kStretchShift;

  EndOrder() : orders_(nullptr) {}
  EndOrder(const EndOrder&) = delete;
  EndOrder& operator=(const EndOrder&) = delete;
  ~EndOrder();

  /// Rows below `cut` that end at `instant` or before. A binary search for each sorted stretch that the instant
  /// divides.
  uint64_t count_ended(const VersionTable& versions, Row cut, Micros instant) const;

  // --- writer only ---
  /// Whether full stretches below `row_count` wait to be sorted.
  bool is_behind(Row row_count) const { return (row_count >> kStretchShift) > sorted_count_; }
  /// Sorts them: about 4 ms each.
  void extend(const VersionTable& versions, Row row_count);
  uint64_t bytes() const { return uint64_t{sorted_count_} * kStretchRows * sizeof(uint16_t); }

 private:
  ChunkedColumn<const uint16_t*, 10> orders_;  // per stretch: its rows by end, each less the stretch's first
  uint32_t sorted_count_ = 0;
};

/// Rows in [first, end) whose instant in `column` is below the bound. A block is read only where its extremes, which
/// may know later rows of the last one too, leave the answer open.
template <typename Extremes>
uint64_t count_below(const VersionTable& versions, const ColumnView<Micros>& column, Row first, Row end, Micros bound,
                     Extremes&& extremes) {
  Micros scratch[kBlockRows];
  uint64_t total = 0;
  while (first < end) {
    const uint32_t block = first >> kBlockShift;
    const Row count = std::min<Row>(kBlockRows, end - first);
    const auto [least, greatest] = extremes(versions.zone(block));
    first += count;
    if (least >= bound) continue;
    if (greatest < bound) {
      total += count;
      continue;
    }
    const Micros* instants = column.block(block).values(count, scratch);
    for (Row i = 0; i < count; ++i) total += instants[i] < bound ? 1 : 0;
  }
  return total;
}

}  // namespace palimpsest
