// Edge rows in valid-time order, as immutable sorted runs and a short unsorted tail.
// A batch that comes in order lengthens the last run; a late one makes a run or joins the tail. Nothing is rebuilt
// whole.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/base/types.h"
#include "core/store/versions.h"

namespace palimpsest {

/// Rows ascending by (valid_from, edge, row). An identity run is `first, first + 1, …` and keeps no list.
struct SortedRun {
  Row first = 0;
  uint32_t count = 0;
  std::vector<Row> rows;  // empty for an identity run

  Row at(uint32_t position) const { return rows.empty() ? first + position : rows[position]; }
};

struct TimeRuns {
  static constexpr uint32_t kTailLimit = 4096;

  std::vector<std::shared_ptr<const SortedRun>> runs;
  Row tail_first = 0;  // rows [tail_first, row_count) are in no run
  Row row_count = 0;

  /// The runs after rows [row_count, new_row_count) were appended, which ascend among themselves by (valid_from, edge).
  TimeRuns extended(const VersionTable& edges, Row new_row_count) const;

  /// Joins runs of like size, eight or more at a time, as long as the joined one has at most `row_limit` rows.
  TimeRuns compacted(const VersionTable& edges, uint64_t row_limit) const;
  /// Rows of the smallest runs of like size that `compacted` would join first; 0 where there are none.
  uint64_t joinable_rows() const;

  /// Calls `visit(Row)` in order of (valid_from, edge, row) for every row below `row_cut` with `from <= valid_from <
  /// to`, believed or not; stops when it gives false.
  template <typename Visit>
  void each_begun(const VersionTable& edges, Row row_cut, Micros from, Micros to, Visit&& visit) const;

  /// How many rows below `row_cut` begin in [from, to). O(log) where no row is at or above the cut, else O(slice).
  uint64_t count_begun(const VersionTable& edges, Row row_cut, Micros from, Micros to) const;
};

namespace time_runs_detail {

inline bool is_before(const VersionTable& edges, Row a, Row b) {
  const Micros from_a = edges.valid_from(a);
  const Micros from_b = edges.valid_from(b);
  if (from_a != from_b) return from_a < from_b;
  const uint32_t edge_a = edges.owner(a);
  const uint32_t edge_b = edges.owner(b);
  return edge_a != edge_b ? edge_a < edge_b : a < b;
}

/// The first position of a run whose row begins at or after `instant`.
uint32_t lower_bound(const VersionTable& edges, const SortedRun& run, Micros instant);

/// The tail's rows in [from, to), below the cut, sorted.
std::vector<Row> sorted_tail(const VersionTable& edges, Row first, Row end, Micros from, Micros to);

}  // namespace time_runs_detail

template <typename Visit>
void TimeRuns::each_begun(const VersionTable& edges, Row row_cut, Micros from, Micros to, Visit&& visit) const {
  using namespace time_runs_detail;
  struct Cursor {
    const SortedRun* run;
    uint32_t position;
    uint32_t end;
    Row row() const { return run->at(position); }
  };
  std::vector<Cursor> cursors;
  for (const auto& run : runs) {
    const uint32_t begin = lower_bound(edges, *run, from);
    const uint32_t end = to == INT64_MAX ? run->count : lower_bound(edges, *run, to);
    if (begin < end) cursors.push_back({run.get(), begin, end});
  }
  SortedRun tail;
  tail.rows = sorted_tail(edges, tail_first, std::min(row_cut, row_count), from, to);
  tail.count = static_cast<uint32_t>(tail.rows.size());
  if (tail.count > 0) cursors.push_back({&tail, 0, tail.count});

  const auto is_later = [&](const Cursor& a, const Cursor& b) { return is_before(edges, b.row(), a.row()); };
  std::make_heap(cursors.begin(), cursors.end(), is_later);
  while (!cursors.empty()) {
    std::pop_heap(cursors.begin(), cursors.end(), is_later);
    Cursor cursor = cursors.back();
    cursors.pop_back();
    // The earliest cursor runs on alone until another one's first row is due: runs overlap little or not at all.
    const Row due = cursors.empty() ? kNone : cursors.front().row();
    do {
      const Row row = cursor.row();
      if (due != kNone && !is_before(edges, row, due)) break;
      if (row < row_cut && !visit(row)) return;
    } while (++cursor.position < cursor.end);
    if (cursor.position < cursor.end) {
      cursors.push_back(cursor);
      std::push_heap(cursors.begin(), cursors.end(), is_later);
    }
  }
}

}  // namespace palimpsest
