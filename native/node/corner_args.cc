#include "node/corner_args.h"

#include <algorithm>

#include "node/async.h"
#include "node/values.h"

namespace palimpsest::node {

std::optional<PageRange> page_arg(const Napi::Value& value) {
  if (value.IsNull() || value.IsUndefined()) return std::nullopt;
  const Napi::Array ends = array_arg(value);
  return PageRange{ordinal_arg(ends.Get(0u)), ordinal_arg(ends.Get(1u))};
}

std::vector<NodeNumber> nodes_arg(const Napi::Value& value, const Pin& pin) {
  const Napi::Array uids = array_arg(value);
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
