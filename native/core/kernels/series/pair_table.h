// Pairs of nodes with a small value each, in one open hash table that a new round empties at no cost.
// As wide as the fullest round needs; knows nothing of events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/stop.h"
#include "core/base/types.h"

namespace palimpsest::series {

class PairTable {
 public:
  static uint64_t key_of(NodeNumber a, NodeNumber b) { return (uint64_t{a} << 32) | b; }

  /// What it holds is counted by `steps`.
  explicit PairTable(StepCounter& steps) : steps_(steps), slots_(kLeast), mask_(kLeast - 1) {}
  PairTable(const PairTable&) = delete;
  ~PairTable() { steps_.let_go(held_); }

  /// Forgets every pair.
  void begin_round() {
    ++round_;
    count_ = 0;
    if (round_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot{});
    round_ = 1;
  }

  /// The value of a pair, `initial` where it is new; valid until the next call. Null where the counter says stop.
  uint32_t* add(uint64_t key, uint32_t initial) {
    if (4 * count_ >= 3 * slots_.size() && !grow()) return nullptr;
    Slot& slot = find_slot(key);
    if (slot.round != round_) {
      slot = {key, round_, initial};
      ++count_;
    }
    return &slot.value;
  }
  /// The value of a pair, or null.
  uint32_t* find(uint64_t key) {
    Slot& slot = find_slot(key);
    return slot.round == round_ ? &slot.value : nullptr;
  }
  uint64_t count() const { return count_; }
  template <typename Visit>
  void each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.round == round_) visit(slot.key, slot.value);
    }
  }

 private:
  static constexpr size_t kLeast = 256;
  struct Slot {
    uint64_t key = 0;
    uint32_t round = 0;
    uint32_t value = 0;
  };

  Slot& find_slot(uint64_t key) {
    for (size_t i = (key * 0x9E3779B97F4A7C15u) >> 20;; ++i) {
      Slot& slot = slots_[i & mask_];
      if (slot.round != round_ || slot.key == key) return slot;
    }
  }
  bool grow() {
    const uint64_t bytes = 2 * slots_.size() * sizeof(Slot);
    if (!steps_.hold(bytes)) return false;
    held_ += bytes;
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.round == round_) find_slot(slot.key) = slot;
    }
    // The table before it goes now.
    const uint64_t freed = std::min(held_ - bytes, bytes / 2);
    steps_.let_go(freed);
    held_ -= freed;
    return true;
  }

  StepCounter& steps_;
  uint64_t held_ = 0;
  std::vector<Slot> slots_;
  size_t mask_;
  uint32_t round_ = 1;
  size_t count_ = 0;
};

}  // namespace palimpsest::series
