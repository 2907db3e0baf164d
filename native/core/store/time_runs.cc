#include "core/store/time_runs.h"

#include <algorithm>
#include <bit>
#include <span>

namespace palimpsest {

namespace time_runs_detail {

uint32_t lower_bound(const VersionTable& edges, const SortedRun& run, Micros instant) {
  uint32_t low = 0;
  uint32_t high = run.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (edges.valid_from(run.at(middle)) < instant) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::vector<Row> sorted_tail(const VersionTable& edges, Row first, Row end, Micros from, Micros to) {
  std::vector<Row> rows;
  for (Row row = first; row < end; ++row) {
    const Micros begin = edges.valid_from(row);
    if (begin >= from && (begin < to || to == INT64_MAX)) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return is_before(edges, a, b); });
  return rows;
}

}  // namespace time_runs_detail

using time_runs_detail::is_before;
using time_runs_detail::lower_bound;

namespace {

// Sizes within a factor of eight are alike. Eight runs of like size are joined, wherever they stand, so there are at
// most seven of each size and each row is copied a handful of times.
constexpr size_t kRunsOfLikeSize = 8;
constexpr unsigned kSizes = 11;
unsigned size_of(const SortedRun& run) { return (static_cast<unsigned>(std::bit_width(run.count)) - 1) / 3; }

/// The smallest size of which there are eight runs or more; kSizes where there is none.
unsigned joinable_size(std::span<const std::shared_ptr<const SortedRun>> runs) {
  size_t run_counts[kSizes] = {};
  for (const auto& run : runs) ++run_counts[size_of(*run)];
  unsigned size = 0;
  while (size < kSizes && run_counts[size] < kRunsOfLikeSize) ++size;
  return size;
}

std::shared_ptr<const SortedRun> merge(const VersionTable& edges,
                                       std::span<const std::shared_ptr<const SortedRun>> runs) {
  auto merged = std::make_shared<SortedRun>();
  for (const auto& run : runs) {
    const size_t middle = merged->rows.size();
    for (uint32_t i = 0; i < run->count; ++i) merged->rows.push_back(run->at(i));
    std::inplace_merge(merged->rows.begin(), merged->rows.begin() + static_cast<ptrdiff_t>(middle), merged->rows.end(),
                       [&](Row a, Row b) { return is_before(edges, a, b); });
  }
  merged->count = static_cast<uint32_t>(merged->rows.size());
  return merged;
}

}  // namespace

TimeRuns TimeRuns::extended(const VersionTable& edges, Row new_row_count) const {
  TimeRuns next = *this;
  next.row_count = new_row_count;
  if (new_row_count == row_count) return next;
  const bool has_tail = tail_first < row_count;

  if (!has_tail) {
    for (auto& run : next.runs) {
      if (!run->rows.empty() || run->first + run->count != row_count) continue;
      if (!is_before(edges, row_count - 1, row_count)) break;
      run = std::make_shared<SortedRun>(SortedRun{run->first, new_row_count - run->first, {}});
      next.tail_first = new_row_count;
      return next;
    }
  }
  if (new_row_count - tail_first <= kTailLimit && !runs.empty()) return next;

  if (has_tail) {
    auto run = std::make_shared<SortedRun>();
    run->rows = time_runs_detail::sorted_tail(edges, tail_first, row_count, INT64_MIN, INT64_MAX);
    run->count = static_cast<uint32_t>(run->rows.size());
    next.runs.push_back(std::move(run));
  }
  next.runs.push_back(std::make_shared<SortedRun>(SortedRun{row_count, new_row_count - row_count, {}}));
  next.tail_first = new_row_count;
  return next;
}

uint64_t TimeRuns::joinable_rows() const {
  const unsigned size = joinable_size(runs);
  uint64_t total = 0;
  for (const auto& run : runs) total += size_of(*run) == size ? run->count : 0;
  return total;
}

TimeRuns TimeRuns::compacted(const VersionTable& edges, uint64_t row_limit) const {
  TimeRuns next = *this;
  for (uint64_t rows = next.joinable_rows(); rows > 0 && rows <= row_limit; rows = next.joinable_rows()) {
    const unsigned size = joinable_size(next.runs);
    const auto first = std::stable_partition(next.runs.begin(), next.runs.end(),
                                             [&](const auto& run) { return size_of(*run) != size; });
    auto merged = merge(edges, std::span(first, next.runs.end()));
    next.runs.erase(first, next.runs.end());
    next.runs.push_back(std::move(merged));
  }
  return next;
}

uint64_t TimeRuns::count_begun(const VersionTable& edges, Row row_cut, Micros from, Micros to) const {
  uint64_t total = 0;
  for (const auto& run : runs) {
    const uint32_t begin = lower_bound(edges, *run, from);
    const uint32_t end = to == INT64_MAX ? run->count : lower_bound(edges, *run, to);
    if (row_cut >= row_count) {
      total += end - std::min(begin, end);
      continue;
    }
    for (uint32_t i = begin; i < end; ++i) total += run->at(i) < row_cut ? 1 : 0;
  }
  for (Row row = tail_first; row < std::min(row_cut, row_count); ++row) {
    const Micros begin = edges.valid_from(row);
    total += begin >= from && (begin < to || to == INT64_MAX) ? 1 : 0;
  }
  return total;
}

}  // namespace palimpsest
