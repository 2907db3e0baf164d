#include "core/store/time_runs.h"

#include <algorithm>
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

// Runs of like size are joined eight at a time, so there are few of them and each row is copied a handful of times.
constexpr size_t kRunsOfLikeSize = 8;

std::shared_ptr<const SortedRun> merge(const VersionTable& edges, std::span<const std::shared_ptr<const SortedRun>> runs) {
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

  if (!has_tail && !runs.empty()) {
    const SortedRun& last = *runs.back();
    if (last.rows.empty() && last.first + last.count == row_count &&
        is_before(edges, last.at(last.count - 1), row_count)) {
      next.runs.back() = std::make_shared<SortedRun>(SortedRun{last.first, new_row_count - last.first, {}});
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
  if (runs.size() < kRunsOfLikeSize) return 0;
  uint64_t total = 0;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (size_t i = runs.size() - kRunsOfLikeSize; i < runs.size(); ++i) {
    total += runs[i]->count;
    least = std::min<uint64_t>(least, runs[i]->count);
    most = std::max<uint64_t>(most, runs[i]->count);
  }
  return most > least * kRunsOfLikeSize ? 0 : total;
}

TimeRuns TimeRuns::compacted(const VersionTable& edges, uint64_t row_limit) const {
  TimeRuns next = *this;
  for (uint64_t rows = next.joinable_rows(); rows > 0 && rows <= row_limit; rows = next.joinable_rows()) {
    const size_t first = next.runs.size() - kRunsOfLikeSize;
    auto merged = merge(edges, std::span(next.runs).subspan(first));
    next.runs.resize(first);
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
