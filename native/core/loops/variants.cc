// The bodies of the loops. Compiled several times with different PALIMPSEST_LOOPS_LEVEL and instruction sets, so
// nothing may be included whose inline functions could be shared with code for other processors.
#include <cstddef>
#include <cstdint>

namespace palimpsest {

namespace PALIMPSEST_LOOPS_LEVEL {

uint64_t count_bits(const uint64_t* words, size_t count) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i) total += static_cast<uint64_t>(__builtin_popcountll(words[i]));
  return total;
}

uint32_t select_touching(const int64_t* from, const int64_t* to, uint32_t count, int64_t window_from, int64_t window_to,
                         uint32_t* positions) {
  constexpr uint32_t kPart = 64;
  uint32_t found = 0;
  uint32_t first = 0;
  for (; first + kPart <= count; first += kPart) {
    uint8_t touches[kPart];
    uint32_t any = 0;
    for (uint32_t i = 0; i < kPart; ++i) {
      touches[i] = static_cast<uint8_t>((from[first + i] < window_to) & (to[first + i] > window_from));
      any |= touches[i];
    }
    if (any == 0) continue;
    for (uint32_t i = 0; i < kPart; ++i) {
      positions[found] = first + i;
      found += touches[i];
    }
  }
  for (; first < count; ++first) {
    positions[found] = first;
    found += static_cast<uint32_t>((from[first] < window_to) & (to[first] > window_from));
  }
  return found;
}

}  // namespace PALIMPSEST_LOOPS_LEVEL

}  // namespace palimpsest
