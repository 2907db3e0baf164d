#include "node/values.h"

#include <string>

#include "node/async.h"

namespace palimpsest::node {

namespace {

[[noreturn]] void refuse(Napi::Env env, const std::string& message) {
  throw error_of(env, Status(Code::kInternal, message));
}

template <typename T>
const T* typed_array_arg(const Napi::Value& value, napi_typedarray_type type, size_t length, const char* what) {
  if (!value.IsTypedArray()) refuse(value.Env(), std::string("column ") + what + " is no typed array");
  const auto array = value.As<Napi::TypedArray>();
  if (array.TypedArrayType() != type || array.ElementLength() != length) {
    refuse(value.Env(), std::string("column ") + what + " has another type or length than expected");
  }
  // Of a shared buffer another thread may change what was checked.
  Napi::ArrayBuffer buffer = array.ArrayBuffer();
  if (!buffer.IsArrayBuffer()) {
    const std::string message = std::string("column ") + what + " stands in a SharedArrayBuffer: give a copy of it";
    throw error_of(value.Env(), Status(Code::kInvalidArg, message));
  }
  if (length == 0) return nullptr;
  return reinterpret_cast<const T*>(static_cast<const uint8_t*>(buffer.Data()) + array.ByteOffset());
}

bool is_given(const Napi::Value& value) { return !value.IsUndefined() && !value.IsNull(); }

}  // namespace

uint32_t number_arg(const Napi::Value& value, uint32_t most) {
  if (!value.IsNumber()) refuse(value.Env(), "a number is expected");
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= 0 && number <= most)) refuse(value.Env(), "a number is out of range");
  return static_cast<uint32_t>(number);
}

uint64_t ordinal_arg(const Napi::Value& value) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0 && number <= 9007199254740991.0)) refuse(value.Env(), "a position in a list is expected");
  return static_cast<uint64_t>(number);
}

std::string text_arg(const Napi::Value& value) {
  if (!value.IsString()) refuse(value.Env(), "a text is expected");
  return value.As<Napi::String>().Utf8Value();
}

Napi::Object object_arg(const Napi::Value& value) {
  if (!value.IsObject()) refuse(value.Env(), "an object is expected");
  return value.As<Napi::Object>();
}

Napi::Array array_arg(const Napi::Value& value) {
  if (!value.IsArray()) refuse(value.Env(), "an array is expected");
  return value.As<Napi::Array>();
}

Napi::Array number_list(Napi::Env env, const std::vector<uint32_t>& values) {
  Napi::Array list = Napi::Array::New(env, values.size());
  for (uint32_t i = 0; i < values.size(); ++i) list.Set(i, values[i]);
  return list;
}

Micros micros_arg(const Napi::Value& value) {
  if (!value.IsBigInt()) refuse(value.Env(), "a bigint is expected");
  bool is_lossless = false;
  const Micros micros = value.As<Napi::BigInt>().Int64Value(&is_lossless);
  if (!is_lossless) refuse(value.Env(), "a bigint in the range of int64 is expected");
  return micros;
}

std::span<const uint8_t> bytes_arg(const Napi::Value& value) { return writable_bytes_arg(value); }

std::span<uint8_t> writable_bytes_arg(const Napi::Value& value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    refuse(value.Env(), "a Uint8Array is expected");
  }
  auto array = value.As<Napi::Uint8Array>();
  return {array.Data(), array.ElementLength()};
}

TextColumn text_column_arg(const Napi::Value& value, uint32_t row_count, const char* what) {
  TextColumn column;
  if (!is_given(value)) return column;
  const auto object = object_arg(value);
  const auto bytes = bytes_arg(object.Get("bytes"));
  const Napi::Value ends = object.Get("ends");
  if (!ends.IsTypedArray()) refuse(value.Env(), std::string("column ") + what + " has no ends");
  if (ends.As<Napi::TypedArray>().ElementLength() > kRowLimit)
    refuse(value.Env(), std::string("column ") + what + " is too long");
  column.text_count = static_cast<uint32_t>(ends.As<Napi::TypedArray>().ElementLength());
  column.bytes = reinterpret_cast<const char*>(bytes.data());
  column.byte_count = bytes.size();
  column.ends = typed_array_arg<uint32_t>(ends, napi_uint32_array, column.text_count, what);
  // A dictionary without texts may have no memory at all, and is there all the same.
  static constexpr uint32_t kNoEnds = 0;
  if (column.ends == nullptr) column.ends = &kNoEnds;
  const Napi::Value codes = object.Get("codes");
  const Napi::Value present = object.Get("present");
  if (is_given(codes)) {
    column.codes = typed_array_arg<uint32_t>(codes, napi_uint32_array, row_count, what);
  } else if (column.text_count != row_count) {
    refuse(value.Env(), std::string("column ") + what + " has another length than expected");
  }
  if (is_given(present)) column.present = typed_array_arg<uint8_t>(present, napi_uint8_array, row_count, what);
  return column;
}

EventColumns event_columns_arg(const Napi::Value& value) {
  const Napi::Object object = object_arg(value);
  EventColumns columns;
  columns.row_count = number_arg(object.Get("rowCount"), kRowLimit);
  const uint32_t rows = columns.row_count;
  columns.src = text_column_arg(object.Get("src"), rows, "src");
  columns.dst = text_column_arg(object.Get("dst"), rows, "dst");
  columns.type = text_column_arg(object.Get("type"), rows, "type");
  columns.key = text_column_arg(object.Get("key"), rows, "key");
  if (!columns.src.is_given() || !columns.dst.is_given() || !columns.type.is_given()) {
    refuse(object.Env(), "columns src, dst and type are required");
  }
  columns.time = typed_array_arg<int64_t>(object.Get("time"), napi_bigint64_array, rows, "time");
  const Napi::Value valid_to = object.Get("validTo");
  if (is_given(valid_to)) columns.valid_to = typed_array_arg<int64_t>(valid_to, napi_bigint64_array, rows, "valid_to");
  const Napi::Array props = array_arg(object.Get("props"));
  for (uint32_t i = 0; i < props.Length(); ++i) {
    const Napi::Object entry = object_arg(props.Get(i));
    RawProperty property;
    property.name = text_arg(entry.Get("name"));
    property.kind = static_cast<PropKind>(number_arg(entry.Get("kind"), static_cast<uint32_t>(PropKind::kJson)));
    const Napi::Value values = entry.Get("values");
    const char* name = property.name.c_str();
    switch (property.kind) {
      case PropKind::kInt64:
        property.ints = typed_array_arg<int64_t>(values, napi_bigint64_array, rows, name);
        break;
      case PropKind::kDouble:
        property.doubles = typed_array_arg<double>(values, napi_float64_array, rows, name);
        break;
      case PropKind::kBool:
        property.bools = typed_array_arg<uint8_t>(values, napi_uint8_array, rows, name);
        break;
      case PropKind::kString:
      case PropKind::kJson:
        property.texts = text_column_arg(values, rows, name);
        if (!property.texts.is_given()) refuse(value.Env(), "a property has no values");
        break;
    }
    const Napi::Value present = entry.Get("present");
    if (is_given(present)) property.present = typed_array_arg<uint8_t>(present, napi_uint8_array, rows, name);
    columns.props.push_back(std::move(property));
  }
  return columns;
}

}  // namespace palimpsest::node
