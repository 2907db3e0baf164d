// A column in which most rows have no value: chunks of 1024 rows under a tree of small tables.
// An empty one costs a kilobyte; a ChunkedColumn reserves address space, of which a process has some 65,000 pieces.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "core/base/types.h"

namespace palimpsest {

/// The writer sets a row once, before its view is published; readers ask only for rows that were set.
template <typename T>
class SparseColumn {
 public:
  SparseColumn() = default;
  SparseColumn(const SparseColumn&) = delete;
  SparseColumn& operator=(const SparseColumn&) = delete;
  ~SparseColumn() {
    for (auto& middle : root_) {
      Middle* table = middle.load(std::memory_order_relaxed);
      if (table == nullptr) continue;
      for (auto& leaf : *table) {
        Leaf* chunks = leaf.load(std::memory_order_relaxed);
        if (chunks == nullptr) continue;
        for (auto& chunk : *chunks) delete chunk.load(std::memory_order_relaxed);
        delete chunks;
      }
      delete table;
    }
  }

  T get(Row row) const {
    const Middle& middle = *root_[row >> kRootShift].load(std::memory_order_acquire);
    const Leaf& leaf = *middle[(row >> kMiddleShift) & kTableMask].load(std::memory_order_acquire);
    return (*leaf[(row >> kChunkShift) & kTableMask].load(std::memory_order_acquire))[row & kChunkMask];
  }

  // --- writer only ---
  void set(Row row, T value) {
    Middle& middle = child(root_[row >> kRootShift]);
    Leaf& leaf = child(middle[(row >> kMiddleShift) & kTableMask]);
    child(leaf[(row >> kChunkShift) & kTableMask])[row & kChunkMask] = value;
  }
  uint64_t bytes() const { return sizeof *this + allocated_; }

 private:
  static constexpr uint32_t kChunkShift = 10;
  static constexpr uint32_t kTableShift = 7;
  static constexpr uint32_t kMiddleShift = kChunkShift + kTableShift;
  static constexpr uint32_t kRootShift = kMiddleShift + kTableShift;
  static constexpr uint32_t kChunkMask = (1u << kChunkShift) - 1;
  static constexpr uint32_t kTableMask = (1u << kTableShift) - 1;
  static_assert(kRowLimit >> kRootShift <= kTableMask);

  template <typename Child>
  using Table = std::array<std::atomic<Child*>, 1u << kTableShift>;
  using Chunk = std::array<T, 1u << kChunkShift>;
  using Leaf = Table<Chunk>;
  using Middle = Table<Leaf>;

  template <typename Child>
  Child& child(std::atomic<Child*>& place) {
    Child* found = place.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = new Child{};
      allocated_ += sizeof(Child);
      place.store(found, std::memory_order_release);
    }
    return *found;
  }

  Table<Middle> root_{};
  uint64_t allocated_ = 0;
};

}  // namespace palimpsest
