#include "node/kernel_args.h"

#include "node/corner_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {
constexpr uint64_t kInlineRows = 10'000;
}

RunMode mode_for(uint64_t rows) { return rows > kInlineRows ? RunMode::kPool : RunMode::kInline; }

Kind kind_arg(const Napi::Value& value) {
  return static_cast<Kind>(number_arg(value, static_cast<uint32_t>(Kind::kEdge)));
}

std::span<const uint32_t> numbers_arg(const Napi::Value& value, uint64_t bound) {
  const Napi::Env env = value.Env();
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    throw error_of(env, Status(Code::kInternal, "a Uint32Array is expected"));
  }
  const auto array = value.As<Napi::Uint32Array>();
  const std::span<const uint32_t> numbers(array.Data(), array.ElementLength());
  for (const uint32_t number : numbers) {
    if (number >= bound) throw error_of(env, Status(Code::kInternal, "a number is out of range"));
  }
  return numbers;
}

ValidWindow window_arg(const Napi::Value& from, const Napi::Value& to) {
  ValidWindow window;
  if (from.IsBigInt()) window.from = micros_arg(from);
  if (to.IsBigInt()) window.to = micros_arg(to);
  return window;
}

PageSpan page_arg(const Napi::Value& ordinal, const Napi::Value& limit) {
  return {ordinal_arg(ordinal), ordinal_arg(limit)};
}

std::vector<ColumnSpec> columns_arg(const Napi::Value& value, const Pin& pin) {
  auto columns = read_columns(bytes_arg(value), pin.tables());
  check(value.Env(), columns.status());
  return std::move(columns.value());
}

std::shared_ptr<Filter> shared_filter_arg(const Napi::Value& value, const Pin& pin) {
  return std::make_shared<Filter>(filter_arg(value, pin));
}

Identity identity_arg(const Napi::Value& value, const Pin& pin) {
  const Napi::Array parts = array_arg(value);
  const auto part = [&](uint32_t i) { return text_arg(parts.Get(i)); };
  Identity identity;
  if (parts.Length() == 1) {
    const NodeNumber node = pin.known_node(part(0));
    if (node != kNone) identity.number = node;
    return identity;
  }
  identity.kind = Kind::kEdge;
  const EdgeNumber edge = pin.known_edge(part(0), part(1), part(2), part(3));
  if (edge != 0) identity.number = edge;
  return identity;
}

Napi::Value PageResult::value(Napi::Env env) const {
  Napi::Array out = Napi::Array::New(env, 2);
  out.Set(0u, row_pack_value(env, pack));
  out.Set(1u, Napi::Number::New(env, static_cast<double>(total)));
  return out;
}

}  // namespace palimpsest::node
