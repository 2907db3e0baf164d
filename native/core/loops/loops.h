// Plain loops over flat arrays, compiled once for each level of x86-64 (v2, v3, v4) and chosen when first asked for.
// Every level gives the same results. Knows nothing of rows, events or stores.
#pragma once

#include <cstddef>
#include <cstdint>

namespace palimpsest {

struct Loops {
  const char* level;
  /// Set bits of `count` words.
  uint64_t (*count_bits)(const uint64_t* words, size_t count);
  /// Writes the positions i < count with `from[i] < window_to` and `to[i] > window_from`, ascending; gives how many.
  uint32_t (*select_touching)(const int64_t* from, const int64_t* to, uint32_t count, int64_t window_from,
                              int64_t window_to, uint32_t* positions);
};

/// The best that this processor can run, or the level that PALIMPSEST_CPU names (v2, v3, v4) if it can run that.
const Loops& loops();
/// The loops of one level; null where this processor cannot run it.
const Loops* loops_of(const char* level);

}  // namespace palimpsest
