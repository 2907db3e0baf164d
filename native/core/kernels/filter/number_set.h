// A set of node, type or other numbers that filters ask again and again: sorted once, hashed when it is large.
// Its size follows what the caller named, never the store.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.h"

namespace palimpsest {

class NumberSet {
 public:
  NumberSet() = default;
  explicit NumberSet(std::vector<uint32_t> numbers) : sorted_(std::move(numbers)) {
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    if (sorted_.size() <= kScanLimit) return;
    slots_.assign(std::bit_ceil(sorted_.size() * 2), kNone);
    mask_ = static_cast<uint32_t>(slots_.size() - 1);
    for (const uint32_t number : sorted_) {
      uint32_t slot = hash(number);
      while (slots_[slot] != kNone) slot = (slot + 1) & mask_;
      slots_[slot] = number;
    }
  }

  bool has(uint32_t number) const {
    if (slots_.empty()) {
      for (const uint32_t member : sorted_) {
        if (member == number) return true;
      }
      return false;
    }
    for (uint32_t slot = hash(number);; slot = (slot + 1) & mask_) {
      if (slots_[slot] == number) return true;
      if (slots_[slot] == kNone) return false;
    }
  }
  /// The members, ascending.
  std::span<const uint32_t> sorted() const { return sorted_; }

 private:
  static constexpr size_t kScanLimit = 8;
  uint32_t hash(uint32_t number) const { return (number * 0x9E3779B1u >> 7) & mask_; }

  std::vector<uint32_t> sorted_;
  std::vector<uint32_t> slots_;
  uint32_t mask_ = 0;
};

}  // namespace palimpsest
