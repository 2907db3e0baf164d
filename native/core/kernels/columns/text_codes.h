// From numbers of texts to codes of a dictionary that holds only what occurs, in order of first appearance.
// Numbers may be of any table; how they read is the caller's affair.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/kernels/columns/column_data.h"

namespace palimpsest {

namespace text_codes_detail {

constexpr uint32_t kMostHoles = 8;  // numbers per row up to which an array is cheaper than a hash

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
    std::unordered_map<uint32_t, int32_t> places;
    const auto code_of = [&](uint32_t number) -> int32_t& { return places.try_emplace(number, -1).first->second; };
    number_texts(out.codes, code_of, found);
  }
  for (const uint32_t number : found) {
    if (out.dictionary.is_full()) return;
    write(number, out.dictionary);
  }
}

}  // namespace palimpsest
