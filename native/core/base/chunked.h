// Columns in fixed chunks that never move: the writer appends, readers index below the size that their view names.
// A chunk that was never written reads as the column's fill value, so sparse columns cost nothing where they are
// constant.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/base/types.h"

namespace palimpsest {

/// One value per row. `kDense` columns are written at every row; sparse ones allocate a chunk at the first value that
/// differs from the fill. Chunk pointers are published with release, contents by the size in a store view.
template <typename T, uint32_t kChunkShift = 12>
class ChunkedColumn {
 public:
  static constexpr uint32_t kChunkRows = 1u << kChunkShift;
  static constexpr uint32_t kChunkMask = kChunkRows - 1;

  explicit ChunkedColumn(T fill = T{}) : fill_(fill) {
    // Reserved address space, not memory: pages come with the first pointer written to them.
    void* area =
        mmap(nullptr, kDirectoryBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) throw std::bad_alloc();
    directory_ = static_cast<std::atomic<T*>*>(area);
  }
  ChunkedColumn(const ChunkedColumn&) = delete;
  ChunkedColumn& operator=(const ChunkedColumn&) = delete;
  ~ChunkedColumn() {
    for (uint32_t chunk = 0; chunk < chunk_end_; ++chunk) std::free(directory_[chunk].load(std::memory_order_relaxed));
    munmap(directory_, kDirectoryBytes);
  }

  T fill() const { return fill_; }
  /// The chunk's values, or null where every row holds the fill.
  const T* chunk(uint32_t index) const { return directory_[index].load(std::memory_order_acquire); }
  T get(uint32_t row) const {
    const T* values = chunk(row >> kChunkShift);
    return values ? values[row & kChunkMask] : fill_;
  }
  /// For values that change after they were published (aligned, lock-free).
  T get_atomic(uint32_t row) const {
    T* values = directory_[row >> kChunkShift].load(std::memory_order_acquire);
    return values ? std::atomic_ref<T>(values[row & kChunkMask]).load(std::memory_order_acquire) : fill_;
  }

  // --- writer only ---
  void set(uint32_t row, T value) { *slot(row) = value; }
  void set_sparse(uint32_t row, T value) {
    if (value == fill_ && chunk(row >> kChunkShift) == nullptr) return;
    *slot(row) = value;
  }
  void set_atomic(uint32_t row, T value) { std::atomic_ref<T>(*slot(row)).store(value, std::memory_order_release); }
  T* slot(uint32_t row) {
    const uint32_t index = row >> kChunkShift;
    T* values = directory_[index].load(std::memory_order_relaxed);
    if (values == nullptr) values = allocate(index);
    return values + (row & kChunkMask);
  }
  uint64_t bytes() const { return allocated_ * sizeof(T) * kChunkRows; }

 private:
  static constexpr size_t kDirectoryBytes = ((uint64_t{1} << 31) >> kChunkShift) * sizeof(std::atomic<T*>);

  T* allocate(uint32_t index) {
    T* values = static_cast<T*>(std::aligned_alloc(64, std::max<size_t>(64, sizeof(T) * kChunkRows)));
    if (values == nullptr) throw std::bad_alloc();
    std::fill_n(values, kChunkRows, fill_);
    directory_[index].store(values, std::memory_order_release);
    chunk_end_ = std::max(chunk_end_, index + 1);
    ++allocated_;
    return values;
  }

  std::atomic<T*>* directory_;
  T fill_;
  uint32_t chunk_end_ = 0;
  uint64_t allocated_ = 0;
};

}  // namespace palimpsest
