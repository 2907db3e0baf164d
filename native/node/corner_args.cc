#include "node/corner_args.h"

#include <algorithm>

#include "node/async.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {
[[noreturn]] void refuse(const Napi::Value& value, const char* what) {
  throw error_of(value.Env(), Status(Code::kInternal, what));
}
}  // namespace

uint32_t number_arg(const Napi::Value& value, uint32_t most) {
  if (!value.IsNumber()) refuse(value, "a number is expected");
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= 0 && number <= most)) refuse(value, "a number is out of range");
  return static_cast<uint32_t>(number);
}

std::optional<PageRange> page_arg(const Napi::Value& value) {
  if (value.IsNull() || value.IsUndefined()) return std::nullopt;
  if (!value.IsArray()) refuse(value, "a page is expected");
  const auto ends = value.As<Napi::Array>();
  const auto end = [&](uint32_t index) {
    const Napi::Value number = ends.Get(index);
    const double ordinal = number.IsNumber() ? number.As<Napi::Number>().DoubleValue() : -1;
    if (!(ordinal >= 0 && ordinal <= 9007199254740991.0)) refuse(value, "a page's end is out of range");
    return static_cast<uint64_t>(ordinal);
  };
  return PageRange{end(0), end(1)};
}

std::vector<NodeNumber> nodes_arg(const Napi::Value& value, const Pin& pin) {
  if (!value.IsArray()) refuse(value, "an array of uids is expected");
  const auto uids = value.As<Napi::Array>();
  std::vector<NodeNumber> nodes(uids.Length());
  for (uint32_t i = 0; i < uids.Length(); ++i) {
    const Napi::Value uid = uids.Get(i);
    nodes[i] = uid.IsString() ? pin.known_node(uid.As<Napi::String>().Utf8Value()) : kNone;
    if (nodes[i] == kNone) throw error_of(value.Env(), Status(Code::kNotFound, "a uid is not known at the pin", i));
  }
  return nodes;
}

Orientation orientation_arg(const Napi::Value& value) { return static_cast<Orientation>(number_arg(value, 2)); }

Filter filter_arg(const Napi::Value& value, const Pin& pin) {
  Result<Filter> filter = Filter::parse(bytes_arg(value), pin);
  check(value.Env(), filter.status());
  return std::move(filter.value());
}

Napi::Value numbers_value(Napi::Env env, const std::vector<uint32_t>& numbers) {
  Napi::Uint32Array array = Napi::Uint32Array::New(env, numbers.size());
  std::copy(numbers.begin(), numbers.end(), array.Data());
  return array;
}

}  // namespace palimpsest::node
