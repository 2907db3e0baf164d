// The forward scan of a join of intervals: for each left entry the runs of right entries that begin with it or later.
// After Bouros and Mamoulis, "A Forward Scan based Plane Sweep Algorithm for Parallel Interval Joins", PVLDB 10(11),
// 2017; the runs of equal beginnings and of gaps are ours. Knows intervals alone; what begins before comes by turning
// the sides round.
#pragma once

#include <algorithm>
#include <span>

#include "core/base/stop.h"
#include "core/kernels/co_active/groups.h"

namespace palimpsest::co_active {

/// How a right entry lies to a left one that does not begin after it.
enum class Place : uint8_t { kSameBeginning, kInside, kMeets, kBeyond };

struct ScanRule {
  bool has_same_beginning = false;
  bool has_inside = false;  // right begins inside left, after its beginning
  bool has_meets = false;
  bool has_beyond = false;  // right begins after a gap of [least_gap, most_gap]
  Micros least_gap = 1;
  Micros most_gap = 0;
  bool is_empty() const { return !has_same_beginning && !has_inside && !has_meets && !has_beyond; }
};

/// Calls `visit(left entry, first, end, place)` for every run [first, end) of right positions that is not empty. Both
/// sides ascend by `from`. False when the counter or the visit (by giving false) said stop.
template <typename Visit>
bool scan_forward(std::span<const Entry> left, std::span<const Entry> right, const ScanRule& rule, StepCounter& steps,
                  Visit&& visit) {
  if (left.empty() || right.empty() || rule.is_empty()) return true;
  const auto first_from = [&](size_t begin, Micros instant) {
    const auto found = std::lower_bound(right.begin() + static_cast<ptrdiff_t>(begin), right.end(), instant,
                                        [](const Entry& entry, Micros at) { return entry.from < at; });
    return static_cast<size_t>(found - right.begin());
  };
  if (!steps.add(right.size())) return false;
  size_t same = first_from(0, left.front().from);
  size_t later = same;
  for (const Entry& entry : left) {
    if (!steps.add(1)) return false;
    while (same < right.size() && right[same].from < entry.from) ++same;
    later = std::max(later, same);
    while (later < right.size() && right[later].from == entry.from) ++later;
    const auto show = [&](size_t first, size_t end, Place place) {
      return first >= end || visit(entry, first, end, place);
    };
    if (rule.has_same_beginning && !show(same, later, Place::kSameBeginning)) return false;
    if (!rule.has_inside && !rule.has_meets && !rule.has_beyond) continue;
    const size_t meeting = first_from(later, entry.to);
    if (rule.has_inside && !show(later, meeting, Place::kInside)) return false;
    if (rule.has_meets && !show(meeting, first_from(meeting, entry.to + 1), Place::kMeets)) return false;
    if (rule.has_beyond && rule.least_gap <= rule.most_gap) {
      const size_t first = first_from(meeting, entry.to + rule.least_gap);
      if (!show(first, first_from(first, entry.to + rule.most_gap + 1), Place::kBeyond)) return false;
    }
  }
  return true;
}

}  // namespace palimpsest::co_active
