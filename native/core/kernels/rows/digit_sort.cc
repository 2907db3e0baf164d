#include "core/kernels/rows/digit_sort.h"

#include <array>
#include <utility>

namespace palimpsest {

bool sort_by_digits(std::vector<KeyedItem>& items, unsigned key_bits, const StopToken& stop) {
  constexpr unsigned kDigitBits = 11;
  constexpr size_t kDigits = size_t{1} << kDigitBits;
  std::vector<KeyedItem> sorted(items.size());
  for (unsigned shift = 0; shift < key_bits; shift += kDigitBits) {
    if (stop.is_stopped()) return false;
    std::array<size_t, kDigits> places{};
    const auto digit = [shift](uint64_t key) { return key >> shift & (kDigits - 1); };
    for (const KeyedItem& entry : items) ++places[digit(entry.key)];
    size_t before = 0;
    for (size_t& place : places) before += std::exchange(place, before);
    for (const KeyedItem& entry : items) sorted[places[digit(entry.key)]++] = entry;
    items.swap(sorted);
  }
  return true;
}

}  // namespace palimpsest
