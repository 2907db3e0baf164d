#include "core/kernels/columns/sort_columns.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/base/parallel.h"
#include "core/kernels/rows/digit_sort.h"

namespace palimpsest {

namespace {

constexpr unsigned kDigitBits = 8;
constexpr size_t kDigits = size_t{1} << kDigitBits;
constexpr size_t kFewRows = 512;           // are sorted by comparing
constexpr size_t kRowsPerTask = 1u << 15;  // a multiple of 8: no two tasks write one byte of bits
constexpr unsigned kFirstDigitBits = 11;   // cuts a table into parts for the threads
constexpr uint32_t kPartsPerTask = 1u << 4;

/// Sorts parts of a list of rows whose keys are the word `word` of each.
class PartSorter {
 public:
  PartSorter(const RowKeys& keys, std::span<KeyedItem> items, std::span<KeyedItem> scratch)
      : keys_(keys), items_(items), scratch_(scratch) {}

  /// Bits of `word` from `bits` on upwards are the same in [from, to).
  bool sort(size_t from, size_t to, size_t word, unsigned bits, WorkerSteps& steps) const {
    if (to - from < 2) return true;
    if (!steps.add(to - from)) return false;
    if (bits == 0) {
      if (word + 1 == keys_.word_count()) return true;
      for (size_t i = from; i < to; ++i) items_[i].key = keys_.word(word + 1, items_[i].item);
      return sort(from, to, word + 1, keys_.word_bits(word + 1), steps);
    }
    if (to - from <= kFewRows) {
      compare(from, to, word);
      return true;
    }
    const unsigned digit_bits = std::min(bits, kDigitBits);
    std::array<size_t, kDigits + 1> places{};
    split(from, to, bits - digit_bits, digit_bits, places);
    for (size_t digit = 0; digit < kDigits; ++digit) {
      if (!sort(places[digit], places[digit + 1], word, bits - digit_bits, steps)) return false;
    }
    return true;
  }

  /// Puts rows with the same digit together, as they stood; `places` has one more than there are digits.
  void split(size_t from, size_t to, unsigned shift, unsigned digit_bits, std::span<size_t> places) const {
    const uint64_t mask = (uint64_t{1} << digit_bits) - 1;
    for (size_t i = from; i < to; ++i) ++places[(items_[i].key >> shift & mask) + 1];
    places[0] = from;
    for (size_t digit = 1; digit < places.size(); ++digit) places[digit] += places[digit - 1];
    std::vector<size_t> next(places.begin(), places.end() - 1);
    for (size_t i = from; i < to; ++i) scratch_[next[items_[i].key >> shift & mask]++] = items_[i];
    std::copy(scratch_.begin() + static_cast<ptrdiff_t>(from), scratch_.begin() + static_cast<ptrdiff_t>(to),
              items_.begin() + static_cast<ptrdiff_t>(from));
  }

 private:
  void compare(size_t from, size_t to, size_t word) const {
    std::sort(items_.begin() + static_cast<ptrdiff_t>(from), items_.begin() + static_cast<ptrdiff_t>(to),
              [&](const KeyedItem& a, const KeyedItem& b) {
                if (a.key != b.key) return a.key < b.key;
                for (size_t next = word + 1; next < keys_.word_count(); ++next) {
                  const uint64_t key_a = keys_.word(next, a.item);
                  const uint64_t key_b = keys_.word(next, b.item);
                  if (key_a != key_b) return key_a < key_b;
                }
                return a.item < b.item;
              });
  }

  const RowKeys& keys_;
  std::span<KeyedItem> items_;
  std::span<KeyedItem> scratch_;
};

uint32_t tasks_of(size_t row_count) { return static_cast<uint32_t>((row_count + kRowsPerTask - 1) / kRowsPerTask); }

/// The rows in their new order.
Status sort_rows(const RowKeys& keys, std::vector<KeyedItem>& items, StepCounter& steps) {
  const size_t row_count = items.size();
  std::atomic<bool> is_sorted{true};
  const Task read_keys = [&](unsigned, uint32_t task, WorkerSteps& own) {
    const size_t from = task * kRowsPerTask;
    const size_t to = std::min(row_count, from + kRowsPerTask);
    const bool has_keys = keys.word_count() > 0;
    bool is_ascending = true;
    for (size_t row = from; row < to; ++row) {
      items[row] = {has_keys ? keys.word(0, row) : 0, static_cast<uint32_t>(row)};
      is_ascending = is_ascending && (row == from || items[row - 1].key < items[row].key);
    }
    if (!is_ascending) is_sorted.store(false, std::memory_order_relaxed);
    return own.add(to - from);
  };
  if (Status status = run_tasks(tasks_of(row_count), steps, read_keys); !status.is_ok()) return status;
  for (size_t row = kRowsPerTask; row < row_count; row += kRowsPerTask) {
    if (items[row - 1].key >= items[row].key) is_sorted.store(false, std::memory_order_relaxed);
  }
  if (keys.word_count() == 0 || is_sorted.load(std::memory_order_relaxed)) return Status::ok();

  std::vector<KeyedItem> scratch(row_count);
  const PartSorter sorter(keys, items, scratch);
  const unsigned bits = keys.word_bits(0);
  const unsigned digit_bits = std::min(bits, kFirstDigitBits);
  std::vector<size_t> places((size_t{1} << digit_bits) + 1);
  sorter.split(0, row_count, bits - digit_bits, digit_bits, places);
  const auto part_count = static_cast<uint32_t>(places.size() - 1);
  const Task sort_parts = [&](unsigned, uint32_t task, WorkerSteps& own) {
    const uint32_t end = std::min(part_count, (task + 1) * kPartsPerTask);
    for (uint32_t part = task * kPartsPerTask; part < end; ++part) {
      if (!sorter.sort(places[part], places[part + 1], 0, bits - digit_bits, own)) return false;
    }
    return true;
  };
  return run_tasks((part_count + kPartsPerTask - 1) / kPartsPerTask, steps, sort_parts);
}

/// What rows [from, to) of a new column hold.
class Gatherer {
 public:
  Gatherer(const GivenColumn& column, std::span<const KeyedItem> rows, SortedColumn& out)
      : column_(column), rows_(rows), data_(out.data) {}

  void allocate() {
    data_.form = column_.form;
    switch (column_.form) {
      case ColumnForm::kWords:
        return data_.words.allocate(rows_.size());
      case ColumnForm::kDoubles:
        return data_.doubles.allocate(rows_.size());
      case ColumnForm::kBools:
        return data_.bools.allocate(rows_.size());
      case ColumnForm::kTexts:
      case ColumnForm::kJson:
        return data_.codes.allocate(rows_.size());
    }
  }
  void allocate_bits() {
    if (column_.has_texts() || column_.valid.empty()) return;
    data_.valid.allocate((rows_.size() + 7) / 8);
    std::fill(data_.valid.begin(), data_.valid.end(), uint8_t{0});
  }

  void gather(size_t from, size_t to) {
    switch (column_.form) {
      case ColumnForm::kWords:
        return copy(column_.words, data_.words, from, to);
      case ColumnForm::kDoubles:
        return copy(column_.doubles, data_.doubles, from, to);
      case ColumnForm::kBools:
        return copy(column_.bools, data_.bools, from, to);
      case ColumnForm::kTexts:
      case ColumnForm::kJson:
        for (size_t i = from; i < to; ++i) data_.codes[i] = column_.codes[rows_[i].item];
    }
  }

 private:
  template <typename T>
  void copy(std::span<const T> values, Array<T>& out, size_t from, size_t to) {
    if (column_.valid.empty()) {
      for (size_t i = from; i < to; ++i) out[i] = values[rows_[i].item];
      return;
    }
    for (size_t i = from; i < to; ++i) {
      const bool has_value = column_.has_value(rows_[i].item);
      out[i] = has_value ? values[rows_[i].item] : T{};
      if (has_value) data_.valid[i >> 3] = static_cast<uint8_t>(data_.valid[i >> 3] | 1u << (i & 7));
    }
  }

  const GivenColumn& column_;
  std::span<const KeyedItem> rows_;
  ColumnData& data_;
};

/// Numbers the texts of a column by their first row, and leaves those out that no row has.
void renumber_texts(size_t text_count, SortedColumn& column) {
  std::vector<int32_t> new_codes(text_count, -1);
  for (int32_t& code : column.data.codes) {
    if (code < 0) continue;
    int32_t& new_code = new_codes[static_cast<size_t>(code)];
    if (new_code < 0) {
      new_code = static_cast<int32_t>(column.texts.size());
      column.texts.push_back(static_cast<uint32_t>(code));
    }
    code = new_code;
  }
}

uint64_t bytes_of(const GivenColumn& column, size_t row_count) {
  const uint64_t width = column.has_texts() ? sizeof(int32_t) : column.form == ColumnForm::kBools ? 1 : sizeof(int64_t);
  return row_count * width + column.valid.size() + column.text_count() * 2 * sizeof(int32_t);
}

}  // namespace

Status sort_columns(std::span<const GivenColumn> columns, size_t row_count, std::span<const SortKey> order,
                    size_t shown_count, const StopToken& stop, std::vector<SortedColumn>& out) {
  StepCounter steps(stop);
  uint64_t bytes = row_count * 2 * sizeof(KeyedItem);
  for (size_t i = 0; i < shown_count; ++i) bytes += bytes_of(columns[i], row_count);
  if (!steps.hold(bytes)) return steps.status();
  RowKeys keys;
  if (Status status = keys.prepare(columns, row_count, order, steps); !status.is_ok()) return status;
  std::vector<KeyedItem> rows(row_count);
  if (Status status = sort_rows(keys, rows, steps); !status.is_ok()) return status;

  out.clear();
  out.resize(shown_count);
  std::vector<Gatherer> gatherers;
  for (size_t i = 0; i < shown_count; ++i) {
    gatherers.emplace_back(columns[i], rows, out[i]);
    gatherers.back().allocate();
    gatherers.back().allocate_bits();
  }
  const uint32_t stretches = tasks_of(row_count);
  const Task gather = [&](unsigned, uint32_t task, WorkerSteps& own) {
    const size_t from = task % stretches * kRowsPerTask;
    const size_t to = std::min(row_count, from + kRowsPerTask);
    gatherers[task / stretches].gather(from, to);
    return own.add(to - from);
  };
  const auto shown = static_cast<uint32_t>(shown_count);
  if (Status status = run_tasks(stretches * shown, steps, gather); !status.is_ok()) return status;
  const Task renumber = [&](unsigned, uint32_t task, WorkerSteps& own) {
    if (columns[task].has_texts()) renumber_texts(columns[task].text_count(), out[task]);
    return own.add(1);
  };
  return run_tasks(shown, steps, renumber);
}

}  // namespace palimpsest
