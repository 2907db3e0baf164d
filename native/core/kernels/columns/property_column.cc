#include "core/kernels/columns/property_column.h"

#include <bit>
#include <map>
#include <string>

#include "core/kernels/columns/column_loops.h"
#include "core/kernels/columns/text_codes.h"
#include "core/kernels/rows/json_value.h"

namespace palimpsest {

namespace {

using namespace column_loops;

constexpr int64_t kSafeInteger = (int64_t{1} << 53) - 1;
constexpr uint32_t bit_of(PropKind kind) { return 1u << static_cast<unsigned>(kind); }

/// Finds the property in rows; which column of a shape has it is looked up once.
class PropertyReader {
 public:
  PropertyReader(const Properties& properties, PropNumber name) : properties_(properties), name_(name) {}

  bool find(Row row, PropKind& kind, uint64_t& bits) {
    const ShapeNumber shape = properties_.shape(row);
    if (shape >= places_.size()) places_.resize(shape + 1);
    Place& place = places_[shape];
    if (!place.is_known) place = look_up(shape);
    if (!place.has_value) return false;
    kind = place.kind;
    bits = properties_.bits(place.column, row);
    return true;
  }

 private:
  struct Place {
    bool is_known = false;
    bool has_value = false;
    PropKind kind = PropKind::kInt64;
    uint32_t column = 0;
  };
  Place look_up(ShapeNumber shape) const {
    for (const uint32_t column : properties_.columns(shape)) {
      const PropColumnKey key = properties_.key(column);
      if (key.name == name_) return {true, true, key.kind, column};
    }
    return {true};
  }

  const Properties& properties_;
  PropNumber name_;
  std::vector<Place> places_;
};

bool fill_integers(PropertyReader reader, std::span<const RowRef> rows, const StopToken& stop, ColumnData& out) {
  return fill_words_or_null(out, rows, stop, [&](const RowRef& ref) -> std::optional<int64_t> {
    PropKind kind;
    uint64_t bits;
    if (!reader.find(ref.row, kind, bits)) return std::nullopt;
    return static_cast<int64_t>(bits);
  });
}

bool fill_doubles(PropertyReader reader, std::span<const RowRef> rows, const StopToken& stop, ColumnData& out) {
  out.form = ColumnForm::kDoubles;
  out.doubles.allocate(rows.size());
  ValidBits valid(rows.size());
  const bool is_done = each_row(rows.size(), stop, [&](size_t i) {
    PropKind kind;
    uint64_t bits;
    out.doubles[i] = 0;
    if (!reader.find(rows[i].row, kind, bits)) return;
    valid.set(i);
    if (kind == PropKind::kDouble) {
      out.doubles[i] = std::bit_cast<double>(bits);
      return;
    }
    const auto integer = static_cast<int64_t>(bits);
    out.doubles[i] = static_cast<double>(integer);
    if (integer >= -kSafeInteger && integer <= kSafeInteger) return;
    out.wide_rows.push_back(static_cast<uint32_t>(i));
    out.wide_values.push_back(integer);
  });
  valid.give(out);
  return is_done;
}

bool fill_bools(PropertyReader reader, std::span<const RowRef> rows, const StopToken& stop, ColumnData& out) {
  out.form = ColumnForm::kBools;
  out.bools.allocate(rows.size());
  ValidBits valid(rows.size());
  const bool is_done = each_row(rows.size(), stop, [&](size_t i) {
    PropKind kind;
    uint64_t bits = 0;
    if (reader.find(rows[i].row, kind, bits)) valid.set(i);
    out.bools[i] = bits != 0 ? 1 : 0;
  });
  valid.give(out);
  return is_done;
}

/// Values of one class whose bits are numbers of texts.
bool fill_texts(PropertyReader reader, std::span<const RowRef> rows, const StopToken& stop, const Tables& tables,
                ColumnData& out) {
  const bool is_done = fill_numbers(out, rows, stop, [&](const RowRef& ref) {
    PropKind kind;
    uint64_t bits;
    return reader.find(ref.row, kind, bits) ? static_cast<uint32_t>(bits) : kNone;
  });
  encode_texts(out, [&](uint32_t number, RowPack& dictionary) { dictionary.add_text(tables.texts.get(number)); });
  return is_done;
}

/// Values of several classes, as canonical JSON.
bool fill_mixed(PropertyReader reader, std::span<const RowRef> rows, const StopToken& stop, const Tables& tables,
                ColumnData& out) {
  std::map<std::pair<PropKind, uint64_t>, int32_t> code_of;
  std::string text;
  out.codes.allocate(rows.size());
  return each_row(rows.size(), stop, [&](size_t i) {
    PropKind kind;
    uint64_t bits;
    if (!reader.find(rows[i].row, kind, bits)) {
      out.codes[i] = -1;
      return;
    }
    const auto [entry, is_new] = code_of.try_emplace({kind, bits}, static_cast<int32_t>(code_of.size()));
    out.codes[i] = entry->second;
    if (!is_new || out.dictionary.is_full()) return;
    text.clear();
    append_json_value(kind, bits, tables, text);
    out.dictionary.add_text(text);
  });
}

}  // namespace

bool fill_property(const Pin& pin, const RowSelection& selection, const ColumnRequest& request, const StopToken& stop,
                   ColumnData& out) {
  const PropertyReader reader(pin.versions(selection.kind).properties(), request.spec.name);
  const uint32_t classes = request.classes;
  const auto is_within = [classes](uint32_t allowed) { return classes != 0 && (classes & ~allowed) == 0; };
  if (is_within(bit_of(PropKind::kInt64))) return fill_integers(reader, selection.rows, stop, out);
  if (is_within(bit_of(PropKind::kInt64) | bit_of(PropKind::kDouble))) {
    return fill_doubles(reader, selection.rows, stop, out);
  }
  if (is_within(bit_of(PropKind::kBool))) return fill_bools(reader, selection.rows, stop, out);
  const bool is_string = is_within(bit_of(PropKind::kString));
  out.form = is_string ? ColumnForm::kTexts : ColumnForm::kJson;
  if (is_string || is_within(bit_of(PropKind::kJson))) {
    return fill_texts(reader, selection.rows, stop, pin.tables(), out);
  }
  return fill_mixed(reader, selection.rows, stop, pin.tables(), out);
}

}  // namespace palimpsest
