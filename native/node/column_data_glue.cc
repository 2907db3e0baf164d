#include "node/column_data_glue.h"

#include <algorithm>
#include <cstring>

#include "node/row_pack_glue.h"

namespace palimpsest::node {

namespace {

/// The bytes of an array in a buffer of JavaScript's: the array itself, or a copy where the runtime takes no memory of
/// others.
template <typename T>
Napi::ArrayBuffer buffer_value(Napi::Env env, Array<T> array) {
  const size_t bytes = array.count * sizeof(T);
  if (bytes == 0) return Napi::ArrayBuffer::New(env, 0);
  T* values = array.values.get();
  napi_value buffer;
  const auto free_values = [](napi_env, void* data, void*) { delete[] static_cast<T*>(data); };
  const napi_status status = napi_create_external_arraybuffer(env, values, bytes, free_values, nullptr, &buffer);
  if (status == napi_ok) {
    array.values.release();
    return Napi::ArrayBuffer(env, buffer);
  }
  Napi::ArrayBuffer copy = Napi::ArrayBuffer::New(env, bytes);
  std::memcpy(copy.Data(), values, bytes);
  return copy;
}

template <typename View, typename T>
Napi::Value view_value(Napi::Env env, Array<T> array) {
  const size_t count = array.count;
  return View::New(env, count, buffer_value(env, std::move(array)), 0);
}

Napi::Value values_of(Napi::Env env, ColumnData& column) {
  switch (column.form) {
    case ColumnForm::kWords:
      return view_value<Napi::BigInt64Array>(env, std::move(column.words));
    case ColumnForm::kDoubles:
      return view_value<Napi::Float64Array>(env, std::move(column.doubles));
    case ColumnForm::kBools:
      return view_value<Napi::Uint8Array>(env, std::move(column.bools));
    case ColumnForm::kTexts:
    case ColumnForm::kJson:
      break;
  }
  return view_value<Napi::Int32Array>(env, std::move(column.codes));
}

template <typename View, typename T>
Napi::Value copied(Napi::Env env, const std::vector<T>& values) {
  View out = View::New(env, values.size());
  std::copy(values.begin(), values.end(), out.Data());
  return out;
}

/// Cells count UTF-16 units; where all is ASCII these are bytes.
size_t bytes_of_units(const std::string& text, size_t from, int32_t units) {
  size_t at = from;
  while (units > 0) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    units -= bytes == 4 ? 2 : 1;
    at += bytes;
  }
  return at - from;
}

Napi::Value dictionary_bytes(Napi::Env env, const RowPack& pack) {
  const std::string& text = pack.text();
  Array<uint8_t> bytes;
  bytes.allocate(text.size());
  std::copy(text.begin(), text.end(), bytes.begin());
  Array<int32_t> offsets;
  offsets.allocate(pack.cells().size() + 1);
  size_t end = 0;
  offsets[0] = 0;
  for (size_t i = 0; i < pack.cells().size(); ++i) {
    const int32_t units = pack.cells()[i];
    end += pack.is_ascii() ? static_cast<size_t>(units) : bytes_of_units(text, end, units);
    offsets[i + 1] = static_cast<int32_t>(end);
  }
  Napi::Array out = Napi::Array::New(env, 2);
  out.Set(0u, view_value<Napi::Uint8Array>(env, std::move(bytes)));
  out.Set(1u, view_value<Napi::Int32Array>(env, std::move(offsets)));
  return out;
}

}  // namespace

Napi::Value columns_value(Napi::Env env, std::vector<ColumnData> columns, DictionaryForm form) {
  Napi::Array out = Napi::Array::New(env, columns.size());
  for (uint32_t i = 0; i < columns.size(); ++i) {
    ColumnData& column = columns[i];
    const bool has_texts = column.form == ColumnForm::kTexts || column.form == ColumnForm::kJson;
    Napi::Array parts = Napi::Array::New(env, 6);
    parts.Set(0u, Napi::Number::New(env, static_cast<double>(column.form)));
    parts.Set(1u, values_of(env, column));
    parts.Set(2u, column.valid.count == 0 ? env.Null() : view_value<Napi::Uint8Array>(env, std::move(column.valid)));
    parts.Set(3u, !has_texts                       ? env.Null()
                  : form == DictionaryForm::kBytes ? dictionary_bytes(env, column.dictionary)
                                                   : row_pack_value(env, column.dictionary));
    parts.Set(4u, column.wide_rows.empty() ? env.Null() : copied<Napi::Uint32Array>(env, column.wide_rows));
    parts.Set(5u, column.wide_rows.empty() ? env.Null() : copied<Napi::BigInt64Array>(env, column.wide_values));
    out.Set(i, parts);
  }
  return out;
}

}  // namespace palimpsest::node
