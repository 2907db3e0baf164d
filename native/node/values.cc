#include "node/values.h"

#include <string>

#include "node/async.h"

namespace palimpsest::node {

namespace {

[[noreturn]] void refuse(Napi::Env env, const std::string& message) {
  throw error_of(env, Status(Code::kInternal, message));
}

template <typename T>
const T* array_arg(const Napi::Value& value, napi_typedarray_type type, size_t length, const char* what) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type ||
      value.As<Napi::TypedArray>().ElementLength() != length) {
    refuse(value.Env(), std::string("column ") + what + " has another type or length than expected");
  }
  const auto array = value.As<Napi::TypedArray>();
  return reinterpret_cast<const T*>(static_cast<const uint8_t*>(array.ArrayBuffer().Data()) + array.ByteOffset());
}

bool is_given(const Napi::Value& value) { return !value.IsUndefined() && !value.IsNull(); }

}  // namespace

Micros micros_arg(const Napi::Value& value) {
  if (!value.IsBigInt()) refuse(value.Env(), "a bigint is expected");
  bool is_lossless = false;
  const Micros micros = value.As<Napi::BigInt>().Int64Value(&is_lossless);
  if (!is_lossless) refuse(value.Env(), "a bigint in the range of int64 is expected");
  return micros;
}

std::span<const uint8_t> bytes_arg(const Napi::Value& value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    refuse(value.Env(), "a Uint8Array is expected");
  }
  const auto array = value.As<Napi::Uint8Array>();
  return {array.Data(), array.ElementLength()};
}

TextColumn text_column_arg(const Napi::Value& value, uint32_t row_count, const char* what) {
  TextColumn column;
  if (!is_given(value)) return column;
  const auto object = value.As<Napi::Object>();
  const auto bytes = bytes_arg(object.Get("bytes"));
  const Napi::Value ends = object.Get("ends");
  if (!ends.IsTypedArray()) refuse(value.Env(), std::string("column ") + what + " has no ends");
  column.text_count = static_cast<uint32_t>(ends.As<Napi::TypedArray>().ElementLength());
  column.bytes = reinterpret_cast<const char*>(bytes.data());
  column.ends = array_arg<uint32_t>(ends, napi_uint32_array, column.text_count, what);
  for (uint32_t i = 0, last = 0; i < column.text_count; last = column.ends[i++]) {
    if (column.ends[i] < last || column.ends[i] > bytes.size()) refuse(value.Env(), std::string("column ") + what + " has bad ends");
  }
  const Napi::Value codes = object.Get("codes");
  const Napi::Value present = object.Get("present");
  if (is_given(codes)) {
    column.codes = array_arg<uint32_t>(codes, napi_uint32_array, row_count, what);
  } else if (column.text_count != row_count) {
    refuse(value.Env(), std::string("column ") + what + " has another length than expected");
  }
  if (is_given(present)) column.present = array_arg<uint8_t>(present, napi_uint8_array, row_count, what);
  return column;
}

EventColumns event_columns_arg(const Napi::Object& object) {
  EventColumns columns;
  columns.row_count = object.Get("rowCount").As<Napi::Number>().Uint32Value();
  const uint32_t rows = columns.row_count;
  columns.src = text_column_arg(object.Get("src"), rows, "src");
  columns.dst = text_column_arg(object.Get("dst"), rows, "dst");
  columns.type = text_column_arg(object.Get("type"), rows, "type");
  columns.key = text_column_arg(object.Get("key"), rows, "key");
  if (!columns.src.is_given() || !columns.dst.is_given() || !columns.type.is_given()) {
    refuse(object.Env(), "columns src, dst and type are required");
  }
  columns.time = array_arg<int64_t>(object.Get("time"), napi_bigint64_array, rows, "time");
  const Napi::Value valid_to = object.Get("validTo");
  if (is_given(valid_to)) columns.valid_to = array_arg<int64_t>(valid_to, napi_bigint64_array, rows, "valid_to");
  const auto props = object.Get("props").As<Napi::Array>();
  for (uint32_t i = 0; i < props.Length(); ++i) {
    const auto entry = props.Get(i).As<Napi::Object>();
    RawProperty property;
    property.name = entry.Get("name").As<Napi::String>().Utf8Value();
    property.kind = static_cast<PropKind>(entry.Get("kind").As<Napi::Number>().Uint32Value());
    const Napi::Value values = entry.Get("values");
    const char* name = property.name.c_str();
    switch (property.kind) {
      case PropKind::kInt64:
        property.ints = array_arg<int64_t>(values, napi_bigint64_array, rows, name);
        break;
      case PropKind::kDouble:
        property.doubles = array_arg<double>(values, napi_float64_array, rows, name);
        break;
      case PropKind::kBool:
        property.bools = array_arg<uint8_t>(values, napi_uint8_array, rows, name);
        break;
      case PropKind::kString:
      case PropKind::kJson:
        property.texts = text_column_arg(values, rows, name);
        break;
      default:
        refuse(object.Env(), "a property has an unknown kind");
    }
    const Napi::Value present = entry.Get("present");
    if (is_given(present)) property.present = array_arg<uint8_t>(present, napi_uint8_array, rows, name);
    columns.props.push_back(std::move(property));
  }
  return columns;
}

}  // namespace palimpsest::node
