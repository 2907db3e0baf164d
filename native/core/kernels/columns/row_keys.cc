#include "core/kernels/columns/row_keys.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "core/kernels/stoppable_sort.h"

namespace palimpsest {

namespace {

constexpr unsigned kWordBits = 64;
constexpr uint64_t kSign = uint64_t{1} << 63;

uint64_t of_word(int64_t word) { return static_cast<uint64_t>(word) ^ kSign; }

/// Ascending as the numbers are; both zeros are one.
uint64_t of_double(double number) {
  const auto bits = std::bit_cast<uint64_t>(number == 0 ? 0.0 : number);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

std::string_view text_of(const GivenColumn& column, uint32_t code) {
  const auto from = static_cast<size_t>(column.text_offsets[code]);
  const auto to = static_cast<size_t>(column.text_offsets[code + 1]);
  return {reinterpret_cast<const char*>(column.text_bytes.data()) + from, to - from};
}

/// The first bytes of a text as a number that is ordered like them.
uint64_t head_of(std::string_view text) {
  uint64_t head = 0;
  for (size_t i = 0; i < 8; ++i) head = head << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
  return head;
}

}  // namespace

uint64_t RowKeys::ordered_value(const GivenColumn& column, const uint32_t* ranks, size_t row) {
  switch (column.form) {
    case ColumnForm::kWords:
      return of_word(column.words[row]);
    case ColumnForm::kDoubles:
      return of_double(column.doubles[row]);
    case ColumnForm::kBools:
      return column.bools[row] != 0 ? 1 : 0;
    case ColumnForm::kTexts:
    case ColumnForm::kJson:
      break;
  }
  return ranks[column.codes[row]];
}

bool RowKeys::rank_texts(const GivenColumn& column, StepCounter& steps, std::vector<uint32_t>& ranks) const {
  struct Entry {
    uint64_t head;
    uint32_t code;
  };
  std::vector<Entry> entries(column.text_count());
  for (uint32_t code = 0; code < entries.size(); ++code) entries[code] = {head_of(text_of(column, code)), code};
  const auto is_less = [&](const Entry& a, const Entry& b) {
    return a.head != b.head ? a.head < b.head : text_of(column, a.code) < text_of(column, b.code);
  };
  if (!sort_stoppable(entries, steps, is_less)) return false;
  ranks.resize(entries.size());
  for (uint32_t rank = 0; rank < entries.size(); ++rank) ranks[entries[rank].code] = rank;
  return true;
}

void RowKeys::add_field(Field field, unsigned bits) {
  if (bits == 0) return;
  if (word_count_ == 0 || word_bits_.back() + bits > kWordBits) {
    word_bits_.push_back(0);
    ++word_count_;
  }
  field.word = word_count_ - 1;
  // Fields before it in the word weigh more; their shifts are corrected as the word grows.
  for (Field& before : fields_) {
    if (before.word == field.word) before.shift += bits;
  }
  field.shift = 0;
  word_bits_.back() += bits;
  fields_.push_back(field);
}

Status RowKeys::prepare(std::span<const GivenColumn> columns, size_t row_count, std::span<const SortKey> order,
                        StepCounter& steps) {
  ranks_.resize(columns.size());
  for (const SortKey& key : order) {
    const GivenColumn& column = columns[key.column];
    std::vector<uint32_t>& ranks = ranks_[key.column];
    if (column.has_texts() && ranks.empty()) {
      if (!steps.hold(column.text_count() * (sizeof(uint64_t) * 2 + sizeof(uint32_t)))) return steps.status();
      if (!rank_texts(column, steps, ranks)) return steps.status();
    }
    uint64_t least = UINT64_MAX;
    uint64_t greatest = 0;
    size_t value_count = 0;
    if (!steps.add(row_count)) return steps.status();
    for (size_t row = 0; row < row_count; ++row) {
      if (!column.has_value(row)) continue;
      const uint64_t value = ordered_value(column, ranks.data(), row);
      least = std::min(least, value);
      greatest = std::max(greatest, value);
      ++value_count;
    }
    if (value_count == 0) continue;
    if (value_count < row_count) add_field({&column, nullptr, 0, 0, 0, true, !key.is_null_first}, 1);
    const uint64_t base = key.is_descending ? greatest : least;
    add_field({&column, ranks.data(), base, 0, 0, false, key.is_descending},
              static_cast<unsigned>(std::bit_width(greatest - least)));
  }
  return Status::ok();
}

uint64_t RowKeys::word(size_t word, size_t row) const {
  uint64_t key = 0;
  for (const Field& field : fields_) {
    if (field.word != word) continue;
    const bool has_value = field.column->has_value(row);
    uint64_t bits = 0;
    if (field.is_presence) {
      bits = has_value != field.is_reversed ? 1 : 0;
    } else if (has_value) {
      const uint64_t value = ordered_value(*field.column, field.ranks, row);
      bits = field.is_reversed ? field.base - value : value - field.base;
    }
    key |= bits << field.shift;
  }
  return key;
}

}  // namespace palimpsest
