// The loops that fill one array from rows: a block at a time, so that a cancelled call ends within one.
// Inlined into the fillers of columns; for nobody else.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "core/base/stop.h"
#include "core/kernels/columns/column_data.h"
#include "core/kernels/rows/fetch.h"

namespace palimpsest::column_loops {

constexpr size_t kRowsPerLook = 1u << 15;

/// Calls `fill(i)` for each position below `count`. False when the call was cancelled.
template <typename Fill>
bool each_row(size_t count, const StopToken& stop, Fill&& fill) {
  for (size_t from = 0; from < count; from += kRowsPerLook) {
    if (from > 0 && stop.is_stopped()) return false;
    const size_t to = std::min(count, from + kRowsPerLook);
    for (size_t i = from; i < to; ++i) fill(i);
  }
  return true;
}

/// The bits of a column whose rows may be null; given to the column only if some are.
class ValidBits {
 public:
  explicit ValidBits(size_t row_count) : row_count_(row_count) {
    bits_.allocate((row_count + 7) / 8);
    std::fill(bits_.begin(), bits_.end(), uint8_t{0});
  }
  void set(size_t row) {
    bits_[row >> 3] = static_cast<uint8_t>(bits_[row >> 3] | 1u << (row & 7));
    ++set_count_;
  }
  void give(ColumnData& out) {
    if (set_count_ < row_count_) out.valid = std::move(bits_);
  }

 private:
  size_t row_count_;
  size_t set_count_ = 0;
  Array<uint8_t> bits_;
};

template <typename Get>
bool fill_words(ColumnData& out, std::span<const RowRef> rows, const StopToken& stop, Get&& get) {
  out.form = ColumnForm::kWords;
  out.words.allocate(rows.size());
  return each_row(rows.size(), stop, [&](size_t i) { out.words[i] = get(rows[i]); });
}

/// `get` gives nothing for null.
template <typename Get>
bool fill_words_or_null(ColumnData& out, std::span<const RowRef> rows, const StopToken& stop, Get&& get) {
  out.form = ColumnForm::kWords;
  out.words.allocate(rows.size());
  ValidBits valid(rows.size());
  const bool is_done = each_row(rows.size(), stop, [&](size_t i) {
    const std::optional<int64_t> value = get(rows[i]);
    out.words[i] = value.value_or(0);
    if (value) valid.set(i);
  });
  valid.give(out);
  return is_done;
}

/// Numbers of texts, kNone for null; `encode_texts` follows.
template <typename Get>
bool fill_numbers(ColumnData& out, std::span<const RowRef> rows, const StopToken& stop, Get&& get) {
  out.codes.allocate(rows.size());
  return each_row(rows.size(), stop, [&](size_t i) { out.codes[i] = static_cast<int32_t>(get(rows[i])); });
}

}  // namespace palimpsest::column_loops
