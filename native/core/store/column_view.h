// The one way in which kernels read a column: a block is packed, a raw chunk, or one constant.
// Blocks are 1024 rows. Kernels never ask which form they meet; sealing a range changes none of them.
#pragma once

#include <cstdint>

#include "core/base/chunked.h"
#include "core/codec/packed.h"

namespace palimpsest {

inline constexpr uint32_t kBlockShift = 10;
inline constexpr uint32_t kBlockRows = 1u << kBlockShift;

/// One block of a column, readable at any position in O(1) or unpacked as a whole.
template <typename T>
class BlockView {
 public:
  enum class Form : uint8_t { kConstant, kRaw, kPacked };

  static BlockView constant(T value) {
    BlockView view(Form::kConstant);
    view.value_ = value;
    return view;
  }
  static BlockView raw(const T* values) {
    BlockView view(Form::kRaw);
    view.values_ = values;
    return view;
  }
  static BlockView packed(const PackedBlock* block) {
    BlockView view(Form::kPacked);
    view.block_ = block;
    return view;
  }

  Form form() const { return form_; }
  bool is_constant() const { return form_ == Form::kConstant; }
  T constant_value() const { return value_; }
  T at(uint32_t index) const {
    switch (form_) {
      case Form::kConstant:
        return value_;
      case Form::kRaw:
        return values_[index];
      case Form::kPacked:
        break;
    }
    return static_cast<T>(block_->at(index));
  }
  /// The first `count` values side by side: in place where they stand raw, else written to `scratch`.
  const T* values(uint32_t count, T* scratch) const {
    if (form_ == Form::kRaw) return values_;
    for (uint32_t i = 0; i < count; ++i) scratch[i] = at(i);
    return scratch;
  }

 private:
  explicit BlockView(Form form) : form_(form) {}

  Form form_;
  T value_{};
  const T* values_ = nullptr;
  const PackedBlock* block_ = nullptr;
};

/// A column as kernels see it. `at` for gathers; `block` once per 1024 rows for scans.
template <typename T, uint32_t kChunkShift = 12>
class ColumnView {
 public:
  explicit ColumnView(const ChunkedColumn<T, kChunkShift>& column) : column_(&column) {}

  T at(uint32_t row) const { return column_->get(row); }
  BlockView<T> block(uint32_t block_index) const {
    static_assert(kChunkShift >= kBlockShift);
    constexpr uint32_t kShift = kChunkShift - kBlockShift;
    const T* values = column_->chunk(block_index >> kShift);
    if (values == nullptr) return BlockView<T>::constant(column_->fill());
    return BlockView<T>::raw(values + ((block_index & ((1u << kShift) - 1)) << kBlockShift));
  }

 private:
  const ChunkedColumn<T, kChunkShift>* column_;
};

}  // namespace palimpsest
