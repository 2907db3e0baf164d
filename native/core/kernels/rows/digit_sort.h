// Sorts numbered items by whole-number keys, digit by digit: for lists so long that comparing texts would take longer.
// Knows nothing of what the keys mean.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/stop.h"

namespace palimpsest {

struct KeyedItem {
  uint64_t key;
  uint32_t item;
};

/// Ascending by key, items of equal keys as they stood; keys are below 2^key_bits. False when the call was cancelled.
bool sort_by_digits(std::vector<KeyedItem>& items, unsigned key_bits, const StopToken& stop);

}  // namespace palimpsest
