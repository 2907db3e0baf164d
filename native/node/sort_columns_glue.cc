// Tables by columns in another order. Thin: the arrays of JavaScript are read where they lie, while the call holds
// them; the order is that of core/kernels/columns/sort_columns.h.
#include "core/kernels/columns/sort_columns.h"
#include "node/column_data_glue.h"
#include "node/kernel_args.h"
#include "node/scan_glue.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kMostColumns = 1u << 12;
constexpr uint32_t kNumbersPerKey = 3;

[[noreturn]] void refuse(Napi::Env env, const char* message) { throw error_of(env, Status(Code::kInternal, message)); }

template <typename T>
std::span<const T> span_arg(const Napi::Value& value, napi_typedarray_type type, size_t least_count) {
  if (value.IsNull()) return {};
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    refuse(value.Env(), "a column holds another kind of array than its form says");
  }
  auto array = value.As<Napi::TypedArray>();
  const size_t count = array.ElementLength();
  if (count < least_count) refuse(value.Env(), "an array of a column is too short");
  if (count == 0) return {};
  const auto* bytes = static_cast<const uint8_t*>(array.ArrayBuffer().Data()) + array.ByteOffset();
  return {reinterpret_cast<const T*>(bytes), count};
}

/// [form, values or codes, valid or null, bytes of texts or null, their offsets or null]
GivenColumn column_arg(const Napi::Value& value, size_t row_count) {
  const Napi::Array parts = array_arg(value);
  GivenColumn column;
  column.form = static_cast<ColumnForm>(number_arg(parts.Get(0u), static_cast<uint32_t>(ColumnForm::kJson)));
  const Napi::Value values = parts.Get(1u);
  if (values.IsNull()) refuse(value.Env(), "a column has no values");
  column.valid = span_arg<uint8_t>(parts.Get(2u), napi_uint8_array, (row_count + 7) / 8);
  switch (column.form) {
    case ColumnForm::kWords:
      column.words = span_arg<int64_t>(values, napi_bigint64_array, row_count);
      break;
    case ColumnForm::kDoubles:
      column.doubles = span_arg<double>(values, napi_float64_array, row_count);
      break;
    case ColumnForm::kBools:
      column.bools = span_arg<uint8_t>(values, napi_uint8_array, row_count);
      break;
    case ColumnForm::kTexts:
    case ColumnForm::kJson:
      column.codes = span_arg<int32_t>(values, napi_int32_array, row_count);
      column.text_bytes = span_arg<uint8_t>(parts.Get(3u), napi_uint8_array, 0);
      column.text_offsets = span_arg<int32_t>(parts.Get(4u), napi_int32_array, 1);
      break;
  }
  return column;
}

bool has_good_texts(const GivenColumn& column, size_t row_count) {
  if (!column.has_texts()) return true;
  int32_t end = 0;
  for (const int32_t offset : column.text_offsets) {
    if (offset < end) return false;
    end = offset;
  }
  if (static_cast<size_t>(end) > column.text_bytes.size()) return false;
  for (const int32_t code : column.codes.first(row_count)) {
    if (code < -1 || (code >= 0 && static_cast<size_t>(code) >= column.text_count())) return false;
  }
  return true;
}

std::vector<SortKey> order_arg(const Napi::Value& value, uint32_t column_count) {
  const auto numbers = numbers_arg(value, std::max(column_count, 2u));
  if (numbers.size() % kNumbersPerKey != 0) refuse(value.Env(), "an order has three numbers for each key");
  std::vector<SortKey> order;
  for (size_t i = 0; i < numbers.size(); i += kNumbersPerKey) {
    if (numbers[i] >= column_count) refuse(value.Env(), "an order names no column");
    order.push_back({numbers[i], numbers[i + 1] != 0, numbers[i + 2] != 0});
  }
  return order;
}

Napi::Value sorted_value(Napi::Env env, std::vector<SortedColumn>& sorted) {
  std::vector<ColumnData> columns;
  for (SortedColumn& column : sorted) columns.push_back(std::move(column.data));
  Napi::Array texts = Napi::Array::New(env, sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i) {
    Napi::Uint32Array numbers = Napi::Uint32Array::New(env, sorted[i].texts.size());
    std::copy(sorted[i].texts.begin(), sorted[i].texts.end(), numbers.Data());
    texts.Set(i, numbers);
  }
  Napi::Array out = Napi::Array::New(env, 2);
  out.Set(0u, columns_value(env, std::move(columns)));
  out.Set(1u, texts);
  return out;
}

/// sortColumns(rowCount, columns, order, shownCount, stop): [columns, of each the numbers that its texts had], or a
/// promise of it. The dictionaries of the columns are empty.
Napi::Value sort_columns_call(const Napi::CallbackInfo& info) {
  const uint32_t row_count = number_arg(info[0], kRowLimit);
  const Napi::Array given = array_arg(info[1]);
  if (given.Length() > kMostColumns) refuse(info.Env(), "a table has too many columns");
  auto columns = std::make_shared<std::vector<GivenColumn>>();
  size_t text_count = 0;
  for (uint32_t i = 0; i < given.Length(); ++i) {
    columns->push_back(column_arg(given.Get(i), row_count));
    text_count += columns->back().text_count();
  }
  auto order = std::make_shared<const std::vector<SortKey>>(order_arg(info[2], given.Length()));
  const uint32_t shown_count = number_arg(info[3], given.Length());
  auto sorted = std::make_shared<std::vector<SortedColumn>>();
  return run_kernel(
      info.Env(), mode_for(row_count + text_count), stop_of(info[4]),
      [row_count, columns, order, shown_count, sorted](StopToken& stop) -> Status {
        for (const GivenColumn& column : *columns) {
          if (!has_good_texts(column, row_count)) return Status(Code::kInternal, "a column of texts has wrong numbers");
        }
        return sort_columns(*columns, row_count, *order, shown_count, stop, *sorted);
      },
      [sorted](Napi::Env env) { return sorted_value(env, *sorted); }, given);
}

}  // namespace

void add_column_sorts(Napi::Env env, Napi::Object tables) {
  tables.Set("sortColumns", Napi::Function::New(env, sort_columns_call, "sortColumns"));
}

}  // namespace palimpsest::node
