// Rows on their way to JavaScript: one text, one array of small numbers and one of doubles for a whole answer.
// Cells stand in the order in which they were added; who reads them knows the columns
// (src/operators/native/row-reader.ts).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/types.h"

namespace palimpsest {

class RowPack {
 public:
  static constexpr int32_t kNull = -1;
  /// JavaScript holds no longer string.
  static constexpr size_t kTextLimit = (size_t{1} << 29) - (size_t{1} << 20);

  /// A text cell: its length in UTF-16 units, the text itself standing behind all texts before it.
  void add_text(std::string_view text) {
    cells_.push_back(utf16_length(text));
    text_.append(text);
  }
  void add_ascii(std::string_view text) {
    cells_.push_back(static_cast<int32_t>(text.size()));
    text_.append(text);
  }
  void add_null() { cells_.push_back(kNull); }
  void add_number(uint32_t number) { cells_.push_back(static_cast<int32_t>(number)); }
  void add_double(double value) { doubles_.push_back(value); }
  void add_instant(Micros instant);
  /// An end: null when it is open.
  void add_end(Micros end) { end == kOpenEnd ? add_null() : add_instant(end); }
  void add_duration(Micros duration);

  bool is_full() const { return text_.size() > kTextLimit; }
  const std::string& text() const { return text_; }
  bool is_ascii() const { return is_ascii_; }
  const std::vector<int32_t>& cells() const { return cells_; }
  const std::vector<double>& doubles() const { return doubles_; }

 private:
  int32_t utf16_length(std::string_view text);

  std::string text_;
  std::vector<int32_t> cells_;
  std::vector<double> doubles_;
  bool is_ascii_ = true;
};

}  // namespace palimpsest
