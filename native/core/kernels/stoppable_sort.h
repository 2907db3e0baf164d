// A sort that can be stopped: blocks are sorted and then joined, and the counter is asked between.
// Knows nothing of what it sorts.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/stop.h"

namespace palimpsest {

/// Sorts by a total order. False when the counter said stop; the items are then in no order.
template <typename Item, typename Less>
bool sort_stoppable(std::vector<Item>& items, StepCounter& steps, const Less& less) {
  constexpr size_t kBlock = 1 << 15;
  const auto at = [&](size_t position) {
    return items.begin() + static_cast<ptrdiff_t>(std::min(position, items.size()));
  };
  for (size_t from = 0; from < items.size(); from += kBlock) {
    if (!steps.add(std::min(kBlock, items.size() - from))) return false;
    if (!std::is_sorted(at(from), at(from + kBlock), less)) std::sort(at(from), at(from + kBlock), less);
  }
  for (size_t width = kBlock; width < items.size(); width *= 2) {
    for (size_t from = 0; from + width < items.size(); from += 2 * width) {
      if (!steps.add(1)) return false;
      // What was written in order needs no joining.
      if (less(*at(from + width), *(at(from + width) - 1))) {
        std::inplace_merge(at(from), at(from + width), at(from + 2 * width), less);
      }
    }
  }
  return true;
}

}  // namespace palimpsest
