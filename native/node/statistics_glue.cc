// Logical counts and look-ups of one view for JavaScript; what each counts is in core/kernels/statistics.h.
#include "node/statistics_glue.h"

#include "core/kernels/statistics.h"
#include "node/async.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

using Info = const Napi::CallbackInfo&;

Napi::Value number(Info info, uint64_t value) { return Napi::Number::New(info.Env(), static_cast<double>(value)); }
Napi::Value big_or_null(Info info, bool has_value, Micros value) {
  return has_value ? Napi::Value(Napi::BigInt::New(info.Env(), value)) : info.Env().Null();
}

/// The edge number of (src, type, dst, key) in arguments 1 to 4; 0 when it is not known at the pin.
EdgeNumber edge_arg(Info info) {
  return pin_of(info[0]).known_edge(text_arg(info[1]), text_arg(info[2]), text_arg(info[3]), text_arg(info[4]));
}

/// The half-open window in two arguments.
ValidWindow window_arg(Info info, size_t first) { return {micros_arg(info[first]), micros_arg(info[first + 1])}; }

Napi::Value type_shares(Info info) {
  const Pin pin = pin_of(info[0]);
  Napi::Object out = Napi::Object::New(info.Env());
  const auto shares = statistics::type_shares(pin);
  Napi::Array names = Napi::Array::New(info.Env(), shares.size());
  Napi::Array values = Napi::Array::New(info.Env(), shares.size());
  for (uint32_t i = 0; i < shares.size(); ++i) {
    names.Set(i, std::string(pin.tables().types.get(shares[i].type)));
    values.Set(i, shares[i].share);
  }
  out.Set("types", names);
  out.Set("shares", values);
  return out;
}

Napi::Value extent(Info info) {
  const Pin pin = pin_of(info[0]);
  statistics::Extent found = statistics::extent(pin, Kind::kEdge);
  if (info[1].ToBoolean().Value()) {
    const statistics::Extent nodes = statistics::extent(pin, Kind::kNode);
    found.least_from = std::min(found.least_from, nodes.least_from);
    found.greatest_from = std::max(found.greatest_from, nodes.greatest_from);
    found.greatest_to = std::max(found.greatest_to, nodes.greatest_to);
  }
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("leastFrom", big_or_null(info, !found.is_empty(), found.least_from));
  out.Set("greatestFrom", big_or_null(info, !found.is_empty(), found.greatest_from));
  out.Set("greatestTo", big_or_null(info, found.greatest_to != INT64_MIN, found.greatest_to));
  return out;
}

Napi::Value nearest_uids(Info info) {
  const auto names = statistics::nearest_uids(pin_of(info[0]), text_arg(info[1]), 3);
  Napi::Array out = Napi::Array::New(info.Env(), names.size());
  for (uint32_t i = 0; i < names.size(); ++i) out.Set(i, names[i]);
  return out;
}

/// Names in use at the pin: edge types, or labels, sorted by code point. `of` is "types" or "labels".
Napi::Value names(Info info) {
  const Pin pin = pin_of(info[0]);
  const bool is_types = text_arg(info[1]) == "types";
  const auto found = is_types ? statistics::types_in_use(pin) : statistics::labels_in_use(pin);
  Napi::Array out = Napi::Array::New(info.Env(), found.size());
  for (uint32_t i = 0; i < found.size(); ++i) out.Set(i, found[i]);
  return out;
}

}  // namespace

void register_statistics(Napi::Env env, Napi::Object exports) {
  Napi::Object out = Napi::Object::New(env);
  const auto set = [&](const char* name, auto function) {
    out.Set(name, Napi::Function::New(
                      env, [function](Info info) -> Napi::Value { return function(info); }, name));
  };
  set("nodesTouching", [](Info info) {
    const ValidWindow window = window_arg(info, 1);
    return number(info, statistics::rows_touching(pin_of(info[0]), Kind::kNode, window.from, window.to));
  });
  set("edgesTouching", [](Info info) {
    const ValidWindow window = window_arg(info, 1);
    return number(info, statistics::rows_touching(pin_of(info[0]), Kind::kEdge, window.from, window.to));
  });
  set("edgesBeginning", [](Info info) {
    return number(info, statistics::edges_beginning(pin_of(info[0]), micros_arg(info[1]), micros_arg(info[2])));
  });
  set("validChanges", [](Info info) {
    return number(info, statistics::valid_changes(pin_of(info[0]), micros_arg(info[1]), micros_arg(info[2])));
  });
  set("txChanges", [](Info info) {
    const Pin pin = pin_of(info[0]);
    const Tx newest = pin.view().tx;
    return number(info, statistics::tx_changes(pin, number_arg(info[1], newest), number_arg(info[2], newest)));
  });
  set("degree", [](Info info) {
    const Pin pin = pin_of(info[0]);
    const NodeNumber node = pin.known_node(text_arg(info[1]));
    return number(info, node == kNone ? 0 : statistics::degree(pin, node, window_arg(info, 2)));
  });
  set("rowsOfNode", [](Info info) {
    const Pin pin = pin_of(info[0]);
    const NodeNumber node = pin.known_node(text_arg(info[1]));
    return number(info, node == kNone ? 0 : statistics::rows_of(pin, Kind::kNode, node, window_arg(info, 2)));
  });
  set("rowsOfEdge", [](Info info) {
    const EdgeNumber edge = edge_arg(info);
    const Pin pin = pin_of(info[0]);
    return number(info, edge == 0 ? 0 : statistics::rows_of(pin, Kind::kEdge, edge, window_arg(info, 5)));
  });
  set("knowsNode", [](Info info) -> Napi::Value {
    return Napi::Boolean::New(info.Env(), pin_of(info[0]).known_node(text_arg(info[1])) != kNone);
  });
  set("knowsEdge", [](Info info) -> Napi::Value { return Napi::Boolean::New(info.Env(), edge_arg(info) != 0); });
  set("meanDegree", [](Info info) { return Napi::Number::New(info.Env(), statistics::mean_degree(pin_of(info[0]))); });
  set("typeShares", type_shares);
  set("extent", extent);
  set("nearestUids", nearest_uids);
  set("names", names);
  exports.Set("statistics", out);
}

}  // namespace palimpsest::node
