// The instants at which neighborhood_evolution looks: from the first to the last, both among them.
// Few or many, ascending without ties.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/types.h"

namespace palimpsest::neighborhood {

class Samples {
 public:
  static constexpr uint64_t kMost = 100'000;
  static constexpr uint64_t kEqualSteps = 20;

  /// How many there are; `stride` 0 stands for equal steps, each point floored to a microsecond. `first < last`.
  static uint64_t count_of(Micros first, Micros last, Micros stride) {
    const auto length = static_cast<uint64_t>(last - first);
    if (stride == 0) return std::min(kEqualSteps, length) + 1;
    return (length - 1) / static_cast<uint64_t>(stride) + 2;
  }

  Samples(Micros first, Micros last, Micros stride) {
    const auto length = static_cast<unsigned __int128>(last - first);
    const uint64_t before_last = stride == 0 ? kEqualSteps : count_of(first, last, stride) - 1;
    for (uint64_t i = 0; i < before_last; ++i) {
      const Micros at =
          first + static_cast<Micros>(stride == 0 ? i * length / kEqualSteps : i * static_cast<uint64_t>(stride));
      if (points_.empty() || points_.back() != at) points_.push_back(at);
    }
    points_.push_back(last);
  }

  uint32_t count() const { return static_cast<uint32_t>(points_.size()); }
  Micros at(uint32_t i) const { return points_[i]; }
  /// The first sample at or after the instant; `count()` where there is none.
  uint32_t first_from(Micros instant) const {
    return static_cast<uint32_t>(std::lower_bound(points_.begin(), points_.end(), instant) - points_.begin());
  }

 private:
  std::vector<Micros> points_;
};

}  // namespace palimpsest::neighborhood
