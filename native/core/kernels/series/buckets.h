// Consecutive buckets of time as their boundaries, and the bucket of an instant.
// Which boundaries those are is for calendars and strides elsewhere.
#pragma once

#include <algorithm>
#include <vector>

#include "core/kernels/window.h"

namespace palimpsest::series {

/// Boundaries ascend strictly; bucket i is [boundary i, boundary i + 1). At least one bucket.
class Buckets {
 public:
  explicit Buckets(std::vector<Micros> boundaries) : boundaries_(std::move(boundaries)) {}

  static bool is_legal(const std::vector<Micros>& boundaries) {
    if (boundaries.size() < 2) return false;
    const auto is_not_before = [](Micros a, Micros b) { return a >= b; };
    return std::adjacent_find(boundaries.begin(), boundaries.end(), is_not_before) == boundaries.end();
  }

  uint32_t count() const { return static_cast<uint32_t>(boundaries_.size() - 1); }
  ValidWindow window() const { return {boundaries_.front(), boundaries_.back()}; }
  ValidWindow window_of(uint32_t bucket) const { return {boundaries_[bucket], boundaries_[bucket + 1]}; }
  /// From the first bucket's beginning to just after the last one's.
  ValidWindow window_of_starts() const { return {boundaries_.front(), boundaries_[count() - 1] + 1}; }
  bool holds(Micros instant) const { return window().holds(instant); }

  /// Finds buckets; quick where instants come nearly in order.
  class Finder {
   public:
    explicit Finder(const Buckets& buckets) : boundaries_(buckets.boundaries_) {}
    /// The first bucket that begins at or after the instant; `count()` where none does.
    uint32_t first_from(Micros instant) {
      const size_t count = boundaries_.size() - 1;
      if (is_first_from(hint_, instant)) return hint_;
      if (hint_ < count && is_first_from(hint_ + 1, instant)) return ++hint_;
      const auto end = boundaries_.end() - 1;
      hint_ = static_cast<uint32_t>(std::lower_bound(boundaries_.begin(), end, instant) - boundaries_.begin());
      return hint_;
    }
    /// The bucket of an instant that one holds.
    uint32_t of(Micros instant) { return first_from(instant + 1) - 1; }

   private:
    bool is_first_from(uint32_t bucket, Micros instant) const {
      return (bucket == 0 || boundaries_[bucket - 1] < instant) &&
             (bucket + 1 == boundaries_.size() || boundaries_[bucket] >= instant);
    }
    const std::vector<Micros>& boundaries_;
    uint32_t hint_ = 0;
  };

 private:
  std::vector<Micros> boundaries_;
};

}  // namespace palimpsest::series
