// The unordered pairs of nodes that some event joins, and in which directions: for `pairs: "reciprocal"`.
// Grows with the pairs, never with the store; knows nothing of events.
#pragma once

#include <vector>

#include "core/base/types.h"

namespace palimpsest::aggregate {

class PairSet {
 public:
  PairSet() : slots_(1024, 0) {}

  void add(NodeNumber src, NodeNumber dst) {
    uint64_t& slot = slots_[find(key_of(src, dst))];
    if (slot == 0) ++count_;
    slot = key_of(src, dst) | (slot & kDirections) | direction(src, dst);
    if (count_ * 2 > slots_.size()) grow();
  }
  /// Whether events in both directions were added; a self-loop is both.
  bool has_both(NodeNumber src, NodeNumber dst) const {
    return src == dst || (slots_[find(key_of(src, dst))] & kDirections) == kDirections;
  }
  uint64_t bytes() const { return slots_.capacity() * sizeof(uint64_t); }

 private:
  // Node numbers have 31 bits, so that a pair and its directions are one word, which is never zero.
  static constexpr uint64_t kDirections = 3;
  static uint64_t key_of(NodeNumber src, NodeNumber dst) {
    const uint64_t low = src < dst ? src : dst;
    const uint64_t high = src < dst ? dst : src;
    return (low << 33) | (high << 2);
  }
  static uint64_t direction(NodeNumber src, NodeNumber dst) { return src < dst ? 1 : src > dst ? 2 : 3; }

  /// The slot of a key, or the empty one where it belongs.
  size_t find(uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = (key * 0x9E3779B97F4A7C15u) >> 20 & mask;
    while (slots_[slot] != 0 && (slots_[slot] & ~kDirections) != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<uint64_t> old(slots_.size() * 2, 0);
    old.swap(slots_);
    for (const uint64_t entry : old) {
      if (entry != 0) slots_[find(entry & ~kDirections)] = entry;
    }
  }

  std::vector<uint64_t> slots_;
  uint64_t count_ = 0;
};

}  // namespace palimpsest::aggregate
