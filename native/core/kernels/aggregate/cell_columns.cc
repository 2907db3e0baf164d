#include "core/kernels/aggregate/cell_columns.h"

#include <bit>
#include <map>

#include "core/kernels/columns/column_loops.h"
#include "core/kernels/columns/text_codes.h"

namespace palimpsest::aggregate {

namespace {

using column_loops::ValidBits;

constexpr int64_t kSafeInteger = (int64_t{1} << 53) - 1;

bool fill_words(std::span<const Cell> cells, ColumnData& out) {
  out.words.allocate(cells.size());
  ValidBits valid(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    out.words[i] = cell.is_null() ? 0 : static_cast<int64_t>(cell.bits);
    if (cell.is_null()) continue;
    if (cell.kind != CellKind::kInt && cell.kind != CellKind::kInstant && cell.kind != CellKind::kDuration)
      return false;
    valid.set(i);
  }
  valid.give(out);
  return true;
}

bool fill_doubles(std::span<const Cell> cells, ColumnData& out) {
  out.doubles.allocate(cells.size());
  ValidBits valid(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    out.doubles[i] = 0;
    if (cell.is_null()) continue;
    valid.set(i);
    if (cell.kind == CellKind::kDouble) {
      out.doubles[i] = std::bit_cast<double>(cell.bits);
      continue;
    }
    if (cell.kind != CellKind::kInt) return false;
    const auto integer = static_cast<int64_t>(cell.bits);
    out.doubles[i] = static_cast<double>(integer);
    if (integer >= -kSafeInteger && integer <= kSafeInteger) continue;
    out.wide_rows.push_back(static_cast<uint32_t>(i));
    out.wide_values.push_back(integer);
  }
  valid.give(out);
  return true;
}

/// Whether the cells that are not null name texts of one table by its numbers.
bool has_one_table(std::span<const Cell> cells) {
  CellKind kind = CellKind::kNull;
  for (const Cell& cell : cells) {
    if (cell.is_null()) continue;
    if (kind == CellKind::kNull) kind = cell.kind;
    if (cell.kind != kind) return false;
  }
  return kind == CellKind::kNode || kind == CellKind::kType || kind == CellKind::kString || kind == CellKind::kJson ||
         kind == CellKind::kLabels;
}

class TextWriter {
 public:
  TextWriter(const CellBook& book, bool is_json) : book_(book), is_json_(is_json) {}

  void write(const Cell& cell, RowPack& dictionary) {
    scratch_.clear();
    if (is_json_) {
      dictionary.add_text(book_.canonical(cell, scratch_));
    } else {
      dictionary.add_text(book_.text(cell, scratch_));
    }
  }
  /// Whether a column of texts may hold the cell.
  bool takes(const Cell& cell) const { return is_json_ || cell.is_null() || book_.is_text(cell); }

 private:
  const CellBook& book_;
  bool is_json_;
  std::string scratch_;
};

bool fill_texts(const CellBook& book, std::span<const Cell> cells, ColumnData& out) {
  TextWriter writer(book, out.form == ColumnForm::kJson);
  out.codes.allocate(cells.size());
  for (const Cell& cell : cells) {
    if (!writer.takes(cell)) return false;
  }
  if (has_one_table(cells)) {
    CellKind kind = CellKind::kNull;
    for (size_t i = 0; i < cells.size(); ++i) {
      out.codes[i] = static_cast<int32_t>(cells[i].is_null() ? kNone : static_cast<uint32_t>(cells[i].bits));
      if (!cells[i].is_null()) kind = cells[i].kind;
    }
    encode_texts(out, [&](uint32_t number, RowPack& texts) { writer.write(Cell::of(kind, number), texts); });
    return true;
  }
  std::map<std::pair<CellKind, uint64_t>, int32_t> codes;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].is_null()) {
      out.codes[i] = -1;
      continue;
    }
    const auto [entry, is_new] = codes.try_emplace({cells[i].kind, cells[i].bits}, static_cast<int32_t>(codes.size()));
    out.codes[i] = entry->second;
    if (is_new && !out.dictionary.is_full()) writer.write(cells[i], out.dictionary);
  }
  return true;
}

bool fill(const CellBook& book, std::span<const Cell> cells, ColumnData& out) {
  switch (out.form) {
    case ColumnForm::kWords:
      return fill_words(cells, out);
    case ColumnForm::kDoubles:
      return fill_doubles(cells, out);
    case ColumnForm::kTexts:
    case ColumnForm::kJson:
      return fill_texts(book, cells, out);
    case ColumnForm::kBools:
      break;
  }
  return false;
}

}  // namespace

Status write_columns(const CellBook& book, const Parts& groups, std::span<const uint32_t> shown,
                     std::span<const ColumnForm> forms, StepCounter& steps, std::vector<ColumnData>& out) {
  const uint64_t bytes = shown.size() * (sizeof(Cell) + forms.size() * sizeof(int64_t));
  if (!steps.hold(bytes)) return steps.status();
  std::vector<Cell> cells(shown.size());
  out.clear();
  for (uint32_t column = 0; column < forms.size(); ++column) {
    if (steps.token().is_stopped()) return Status(Code::kCancelled, "the call was cancelled");
    for (size_t i = 0; i < shown.size(); ++i) cells[i] = groups.cell(shown[i], column);
    ColumnData& data = out.emplace_back();
    data.form = forms[column];
    if (!fill(book, cells, data)) return Status(Code::kInternal, "a cell is not of its column's form");
    if (data.dictionary.is_full()) {
      return Status(Code::kLimit, "a column holds more than 511 MiB of text; ask for fewer rows");
    }
  }
  return Status::ok();
}

}  // namespace palimpsest::aggregate
