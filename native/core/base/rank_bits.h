// A set of positions as bits, with counts of whole blocks, so that any range is counted in constant time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/loops/loops.h"

namespace palimpsest {

class RankBits {
 public:
  RankBits() = default;
  /// All of `size` positions, or none.
  RankBits(uint32_t size, bool is_full) : words_((size_t{size} + 63) / 64, is_full ? ~uint64_t{0} : 0), size_(size) {
    if (is_full && size % 64 != 0) words_.back() = (uint64_t{1} << (size % 64)) - 1;
    count_blocks();
  }

  uint32_t size() const { return size_; }
  bool has(uint32_t position) const { return (words_[position >> 6] >> (position & 63) & 1) != 0; }
  uint64_t word(uint32_t index) const { return words_[index]; }
  /// Positions of the set in [begin, end).
  uint32_t count(uint32_t begin, uint32_t end) const { return count_below(end) - count_below(begin); }
  uint64_t bytes() const { return words_.size() * sizeof(uint64_t) + before_.size() * sizeof(uint32_t); }

  /// Counts are wrong from the first change until `count_blocks`.
  void flip(uint32_t position) { words_[position >> 6] ^= uint64_t{1} << (position & 63); }
  void clear(uint32_t position) { words_[position >> 6] &= ~(uint64_t{1} << (position & 63)); }
  void count_blocks() {
    before_.resize(words_.size() / kBlockWords + 1);
    uint32_t total = 0;
    for (size_t block = 0; block < before_.size(); ++block) {
      before_[block] = total;
      total += bits_of(block * kBlockWords, std::min(words_.size(), (block + 1) * kBlockWords));
    }
  }

 private:
  static constexpr size_t kBlockWords = 8;

  uint32_t bits_of(size_t first, size_t end) const {
    return static_cast<uint32_t>(loops().count_bits(words_.data() + first, end - first));
  }
  uint32_t count_below(uint32_t position) const {
    const size_t end = position >> 6;
    const size_t block = end / kBlockWords;
    uint32_t total = before_[block] + bits_of(block * kBlockWords, end);
    if ((position & 63) != 0) {
      const uint64_t rest = words_[end] & ((uint64_t{1} << (position & 63)) - 1);
      total += static_cast<uint32_t>(loops().count_bits(&rest, 1));
    }
    return total;
  }

  std::vector<uint64_t> words_;
  std::vector<uint32_t> before_;  // in the blocks before each block of kBlockWords words, and after the last
  uint32_t size_ = 0;
};

}  // namespace palimpsest
