#include "core/store/end_order.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace palimpsest {

EndOrder::~EndOrder() {
  for (uint32_t stretch = 0; stretch < sorted_count_; ++stretch) delete[] orders_.get(stretch);
}

void EndOrder::extend(const VersionTable& versions, Row row_count) {
  std::vector<std::pair<Micros, uint16_t>> ends;
  for (; is_behind(row_count); ++sorted_count_) {
    const Row first = sorted_count_ << kStretchShift;
    ends.clear();
    for (Row i = 0; i < kStretchRows; ++i) ends.emplace_back(versions.valid_to(first + i), static_cast<uint16_t>(i));
    if (!std::is_sorted(ends.begin(), ends.end())) std::sort(ends.begin(), ends.end());
    auto order = std::make_unique<uint16_t[]>(kStretchRows);
    for (Row i = 0; i < kStretchRows; ++i) order[i] = ends[i].second;
    orders_.set_atomic(sorted_count_, order.release());
  }
}

uint64_t EndOrder::count_ended(const VersionTable& versions, Row cut, Micros instant) const {
  const Micros bound = std::min(instant, kOpenEnd - 1) + 1;
  uint64_t total = 0;
  for (Row first = 0; first < cut;) {
    const Row end = cut - first > kStretchRows ? first + kStretchRows : cut;
    const uint16_t* order = end - first == kStretchRows ? orders_.get_atomic(first >> kStretchShift) : nullptr;
    if (order != nullptr) {
      const auto is_before = [&](uint16_t row, Micros until) { return versions.valid_to(first + row) < until; };
      total += static_cast<uint64_t>(std::lower_bound(order, order + kStretchRows, bound, is_before) - order);
    } else {
      total += count_below(versions, versions.valid_tos(), first, end, bound, [](const Zone& zone) {
        return std::pair(zone.min_to, zone.has_open_end != 0 ? kOpenEnd : zone.max_to);
      });
    }
    first = end;
  }
  return total;
}

}  // namespace palimpsest
