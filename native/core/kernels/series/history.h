// The counts right before a bucket: sums for z-scores and, where asked for, their order for medians.
// Moves along one bucket at a time.
#pragma once

#include <algorithm>
#include <vector>

#include "core/kernels/numbers/exact_rounding.h"

namespace palimpsest::series {

class History {
 public:
  History(uint32_t limit, bool is_ordered) : limit_(limit), is_ordered_(is_ordered) { counts_.reserve(limit); }

  uint32_t size() const { return static_cast<uint32_t>(counts_.size()); }
  uint64_t sum() const { return sum_; }
  exact::UInt128 squares() const { return squares_; }
  /// Twice the median, so that it is whole. Not for nothing; needs the order.
  uint64_t twice_median() const { return ordered_[(ordered_.size() - 1) / 2] + ordered_[ordered_.size() / 2]; }

  /// The newest count joins; beyond the limit the oldest leaves.
  void add(uint64_t count) {
    if (counts_.size() == limit_) {
      const uint64_t oldest = counts_[oldest_];
      counts_[oldest_] = count;
      oldest_ = (oldest_ + 1) % limit_;
      sum_ -= oldest;
      squares_ -= exact::UInt128{oldest} * oldest;
      if (is_ordered_) ordered_.erase(std::lower_bound(ordered_.begin(), ordered_.end(), oldest));
    } else {
      counts_.push_back(count);
    }
    sum_ += count;
    squares_ += exact::UInt128{count} * count;
    if (is_ordered_) ordered_.insert(std::upper_bound(ordered_.begin(), ordered_.end(), count), count);
  }

 private:
  uint32_t limit_;
  bool is_ordered_;
  std::vector<uint64_t> counts_;
  size_t oldest_ = 0;
  uint64_t sum_ = 0;
  exact::UInt128 squares_ = 0;
  std::vector<uint64_t> ordered_;
};

}  // namespace palimpsest::series
