// The order of a table's rows as whole numbers: what each row is compared by, packed into words of 64 bits.
// Made of ranges that occur and not of types, so that mostly one word decides. Knows nothing of who sorts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/columns/column_data.h"

namespace palimpsest {

/// A column that is there already; views of arrays of others. Only the spans of its form are filled.
struct GivenColumn {
  ColumnForm form = ColumnForm::kWords;
  std::span<const int64_t> words;
  std::span<const double> doubles;
  std::span<const uint8_t> bools;
  std::span<const int32_t> codes;  // below text_count() and at least -1
  std::span<const uint8_t> valid;  // a bit per row; empty where every row has a value
  std::span<const uint8_t> text_bytes;
  std::span<const int32_t> text_offsets;  // one more than there are texts

  bool has_texts() const { return form == ColumnForm::kTexts || form == ColumnForm::kJson; }
  size_t text_count() const { return text_offsets.empty() ? 0 : text_offsets.size() - 1; }
  bool has_value(size_t row) const {
    if (has_texts()) return codes[row] >= 0;
    return valid.empty() || (valid[row >> 3] >> (row & 7) & 1) != 0;
  }
};

/// One key of the order: words and doubles by value, false before true, texts by their bytes.
struct SortKey {
  uint32_t column = 0;
  bool is_descending = false;
  bool is_null_first = false;
};

class RowKeys {
 public:
  /// kLimit and kCancelled as `steps` says.
  Status prepare(std::span<const GivenColumn> columns, size_t row_count, std::span<const SortKey> order,
                 StepCounter& steps);

  size_t word_count() const { return word_count_; }
  /// Bits of a word that may differ.
  unsigned word_bits(size_t word) const { return word_bits_[word]; }
  uint64_t word(size_t word, size_t row) const;

 private:
  /// Some bits of a word: whether there is a value, or the value itself as its distance from the least or the greatest.
  struct Field {
    const GivenColumn* column;
    const uint32_t* ranks;  // of texts
    uint64_t base;
    size_t word;
    unsigned shift;
    bool is_presence;
    bool is_reversed;
  };

  bool rank_texts(const GivenColumn& column, StepCounter& steps, std::vector<uint32_t>& ranks) const;
  void add_field(Field field, unsigned bits);
  static uint64_t ordered_value(const GivenColumn& column, const uint32_t* ranks, size_t row);

  std::vector<Field> fields_;  // in order of their weight
  std::vector<std::vector<uint32_t>> ranks_;
  std::vector<unsigned> word_bits_;
  size_t word_count_ = 0;
};

}  // namespace palimpsest
