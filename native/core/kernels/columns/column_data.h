// What a table by columns is made of: one typed array per column, filled flat and handed over without a copy.
// Plain data; knows nothing of rows, of the store or of Node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/kernels/rows/row_pack.h"

namespace palimpsest {

/// A plain array that another owner can take over as it is. Its values are not set.
template <typename T>
struct Array {
  std::unique_ptr<T[]> values;
  size_t count = 0;

  void allocate(size_t new_count) {
    values = std::make_unique_for_overwrite<T[]>(new_count);
    count = new_count;
  }
  T* begin() { return values.get(); }
  T* end() { return values.get() + count; }
  T& operator[](size_t i) { return values[i]; }
};

/// Order is that of COLUMN_FORMS in src/native/columns.ts.
enum class ColumnForm : uint8_t { kWords = 0, kDoubles = 1, kBools = 2, kTexts = 3, kJson = 4 };

struct ColumnData {
  ColumnForm form = ColumnForm::kWords;
  Array<int64_t> words;
  Array<double> doubles;
  Array<uint8_t> bools;
  Array<int32_t> codes;  // of texts and JSON: positions in the dictionary, -1 for null
  Array<uint8_t> valid;  // a bit per row, the least significant first; empty where every row has a value
  RowPack dictionary;    // of texts and JSON: distinct, each one cell
  // Rows of doubles that hold an int64 which is no safe integer, ascending, and what they hold.
  std::vector<uint32_t> wide_rows;
  std::vector<int64_t> wide_values;

  /// Bytes of the arrays.
  uint64_t bytes() const {
    return words.count * 8 + doubles.count * 8 + bools.count + codes.count * 4 + valid.count +
           dictionary.text().size() + dictionary.cells().size() * 4 + wide_rows.size() * 12;
  }
};

}  // namespace palimpsest
