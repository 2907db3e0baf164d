// From numbers of texts to codes of a dictionary that holds only what occurs, in order of first appearance.
// Numbers may be of any table; how they read is the caller's affair.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "core/kernels/columns/column_data.h"

namespace palimpsest {

namespace text_codes_detail {

constexpr uint32_t kMostHoles = 8;  // numbers per row up to which an array is cheaper than a hash

/// Places for codes by number, in one array that is never more than half full: nearly every row may have a text of its
/// own, and a node of memory for each would cost more than all else.
class SparsePlaces {
 public:
  explicit SparsePlaces(size_t most_numbers)
      : shift_(64 - static_cast<unsigned>(std::bit_width(most_numbers * 2 + 1))),
        slots_(size_t{1} << (64 - shift_), Slot{kNone, -1}) {}

  int32_t& operator[](uint32_t number) {
    const size_t mask = slots_.size() - 1;
    size_t at = (number * uint64_t{0x9E3779B97F4A7C15}) >> shift_;
    while (slots_[at].number != number && slots_[at].number != kNone) at = (at + 1) & mask;
    slots_[at].number = number;
    return slots_[at].code;
  }

 private:
  struct Slot {
    uint32_t number;
    int32_t code;
  };
  unsigned shift_;
  std::vector<Slot> slots_;
};

/// `code_of(number)` gives a place for its code, -1 where it has none yet.
template <typename CodeOf>
void number_texts(Array<int32_t>& codes, CodeOf&& code_of, std::vector<uint32_t>& found) {
  for (int32_t& code : codes) {
    const auto number = static_cast<uint32_t>(code);
    if (number == kNone) continue;
    int32_t& place = code_of(number);
    if (place < 0) {
      place = static_cast<int32_t>(found.size());
      found.push_back(number);
    }
    code = place;
  }
}

}  // namespace text_codes_detail

/// On entry `out.codes` holds numbers, kNone for null, which as a code is -1. `write(number, dictionary)` adds the one
/// cell of its text.
template <typename Write>
void encode_texts(ColumnData& out, Write&& write) {
  using namespace text_codes_detail;
  uint32_t bound = 0;
  for (const int32_t code : out.codes) {
    const auto number = static_cast<uint32_t>(code);
    if (number != kNone) bound = std::max(bound, number + 1);
  }
  std::vector<uint32_t> found;
  if (bound / kMostHoles <= out.codes.count) {
    std::vector<int32_t> places(bound, -1);
    number_texts(
        out.codes, [&](uint32_t number) -> int32_t& { return places[number]; }, found);
  } else {
    SparsePlaces places(out.codes.count);
    number_texts(
        out.codes, [&](uint32_t number) -> int32_t& { return places[number]; }, found);
  }
  for (const uint32_t number : found) {
    if (out.dictionary.is_full()) return;
    write(number, out.dictionary);
  }
}

}  // namespace palimpsest
