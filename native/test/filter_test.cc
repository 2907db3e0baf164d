// Predicates on stored values by class, filters on nodes and keys, and the buffer's refusal of nonsense.
#include "core/kernels/filter/filter.h"

#include <array>
#include <string>

#include "core/store/core_store.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

/// Little-endian buffers, as TypeScript writes them.
class Bytes {
 public:
  Bytes& u8(uint8_t value) { return raw(&value, 1); }
  Bytes& u32(uint32_t value) { return raw(&value, 4); }
  Bytes& i64(int64_t value) { return raw(&value, 8); }
  Bytes& f64(double value) { return raw(&value, 8); }
  Bytes& text(const std::string& value) {
    return u32(static_cast<uint32_t>(value.size())).raw(value.data(), value.size());
  }
  Bytes& none() { return u32(0xFFFFFFFFu); }
  Bytes& add(const Bytes& other) { return raw(other.bytes_.data(), other.bytes_.size()); }
  std::span<const uint8_t> span() const { return bytes_; }

 private:
  Bytes& raw(const void* data, size_t size) {
    const auto* from = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
    return *this;
  }
  std::vector<uint8_t> bytes_;
};

Bytes int_value(int64_t value) { return Bytes().u8(0).i64(value); }
Bytes double_value(double value) { return Bytes().u8(1).f64(value); }
Bytes bool_value(bool value) { return Bytes().u8(2).u8(value ? 1 : 0); }
Bytes string_value(const std::string& value) { return Bytes().u8(3).text(value).text("\"" + value + "\""); }
Bytes json_value(const std::string& value) { return Bytes().u8(4).text(value); }
Bytes null_value() { return Bytes().u8(5); }

Bytes pred(PredOp op, const std::string& prop, const std::vector<Bytes>& operands) {
  Bytes out;
  out.u8(static_cast<uint8_t>(op)).text(prop).u32(static_cast<uint32_t>(operands.size()));
  for (const Bytes& operand : operands) out.add(operand);
  return out;
}

/// A filter of one edge predicate.
Bytes edge_filter(const Bytes& predicate) { return Bytes().none().none().u32(1).add(predicate).u8(0).u8(0).u8(0); }

/// One edge a -R-> b with every kind of property, and one node a with labels.
std::shared_ptr<const StoreView> make_store(CoreStore& core) {
  Bytes ops;
  ops.u32(2);
  ops.u8(2).text("a").text("R").text("b").text("k").i64(0).i64(100).none().none().none();
  ops.u32(7);
  ops.text("i").u8(0).i64(9'007'199'254'740'993);
  ops.text("d").u8(1).f64(9'007'199'254'740'992.0);
  ops.text("f").u8(1).f64(0.5);
  ops.text("b").u8(2).u8(1);
  ops.text("s").u8(3).text("Ada");
  ops.text("j").u8(4).text(R"([1,"a,]",null,[2],{"x":[3]},9007199254740993,9.007199254740992e+15])");
  ops.text("o").u8(4).text(R"({"x":1})");
  ops.u8(1).text("a").i64(10).i64(20).none().none().none().u32(2).text("P").text("Q").u32(1).text("n").u8(0).i64(7);
  CHECK(core.stage().apply(ops.span(), 0).is_ok());
  core.seal(1);
  core.publish(std::array<uint8_t, 32>{});
  return core.view();
}

bool passes(const Pin& pin, const Bytes& predicate) {
  const Bytes bytes = edge_filter(predicate);
  const auto filter = Filter::parse(bytes.span(), pin);
  CHECK(filter.is_ok());
  return filter.value().passes_edge(0);
}

void check_numbers(const Pin& pin) {
  // 2^53 + 1 as int64 and 2^53 as double are neighbours, not equals.
  CHECK(passes(pin, pred(PredOp::kEq, "i", {int_value(9'007'199'254'740'993)})));
  CHECK(!passes(pin, pred(PredOp::kEq, "i", {double_value(9'007'199'254'740'992.0)})));
  CHECK(passes(pin, pred(PredOp::kGt, "i", {double_value(9'007'199'254'740'992.0)})));
  CHECK(passes(pin, pred(PredOp::kEq, "d", {int_value(9'007'199'254'740'992)})));
  CHECK(passes(pin, pred(PredOp::kLt, "d", {int_value(9'007'199'254'740'993)})));
  CHECK(passes(pin, pred(PredOp::kIn, "d", {string_value("x"), int_value(9'007'199'254'740'992)})));
  CHECK(passes(pin, pred(PredOp::kBetween, "f", {int_value(0), int_value(1)})));
  CHECK(passes(pin, pred(PredOp::kBetween, "f", {double_value(0.5), double_value(0.5)})));
  CHECK(!passes(pin, pred(PredOp::kBetween, "f", {int_value(0), string_value("1")})));
  CHECK(passes(pin, pred(PredOp::kLt, "i", {double_value(1e300)})));
  CHECK(passes(pin, pred(PredOp::kGt, "i", {double_value(-1e300)})));
  CHECK(passes(pin, pred(PredOp::kGe, "f", {double_value(-0.5)})));
}

void check_classes(const Pin& pin) {
  CHECK(!passes(pin, pred(PredOp::kNe, "i", {string_value("9")})));  // another class is false, `ne` included
  CHECK(!passes(pin, pred(PredOp::kNe, "gone", {int_value(1)})));
  CHECK(passes(pin, Bytes().u8(1).add(pred(PredOp::kEq, "gone", {int_value(1)}))));
  CHECK(passes(pin, pred(PredOp::kIsNull, "gone", {})));
  CHECK(passes(pin, pred(PredOp::kNotNull, "b", {})));
  CHECK(!passes(pin, pred(PredOp::kEq, "b", {null_value()})));
  CHECK(passes(pin, pred(PredOp::kEq, "b", {bool_value(true)})));
  CHECK(!passes(pin, pred(PredOp::kLe, "b", {bool_value(true)})));
  CHECK(passes(pin, pred(PredOp::kNe, "s", {string_value("ada")})));
  CHECK(passes(pin, pred(PredOp::kLt, "s", {string_value("ada")})));
  CHECK(passes(pin, pred(PredOp::kStartsWith, "s", {string_value("Ad")})));
  CHECK(passes(pin, pred(PredOp::kEndsWith, "s", {string_value("")})));
  CHECK(passes(pin, pred(PredOp::kContains, "s", {string_value("da")})));
  CHECK(!passes(pin, pred(PredOp::kContains, "s", {int_value(1)})));
  CHECK(passes(pin, pred(PredOp::kEq, "o", {json_value(R"({"x":1})")})));
  CHECK(!passes(pin, pred(PredOp::kIn, "o", {json_value(R"({"x":1})")})));
  CHECK(!passes(pin, pred(PredOp::kContains, "o", {int_value(1)})));
}

void check_arrays(const Pin& pin) {
  const auto contains = [&](const Bytes& value) { return passes(pin, pred(PredOp::kContains, "j", {value})); };
  CHECK(contains(int_value(1)));
  CHECK(contains(double_value(1.0)));
  CHECK(!contains(int_value(2)));
  CHECK(!contains(int_value(3)));
  CHECK(contains(string_value("a,]")));
  CHECK(!contains(string_value("a")));
  CHECK(contains(null_value()));
  CHECK(contains(json_value("[2]")));
  CHECK(contains(json_value(R"({"x":[3]})")));
  CHECK(!contains(bool_value(true)));
  CHECK(contains(int_value(9'007'199'254'740'993)));
  CHECK(contains(int_value(9'007'199'254'740'992)));  // the double of that value
}

void check_nodes_and_keys(const Pin& pin) {
  // where.node: all labels of P and Q; at an instant without a version there are none.
  const Bytes labels = Bytes().none().none().u32(0).u8(0).u8(0).u8(1).none().u32(2).text("P").text("Q").none().u32(0);
  const auto both = Filter::parse(labels.span(), pin);
  CHECK(both.is_ok());
  const NodeNumber a = pin.known_node("a");
  CHECK(both.value().passes_node(a, 10));
  CHECK(!both.value().passes_node(a, 20));
  CHECK(!both.value().passes_ends(a, pin.known_node("b"), 10));
  CHECK(both.value().passes_ends(a, pin.known_node("b"), 10, pin.known_node("b")));
  CHECK(both.value().passes_node_row(0));

  const auto keyed = [&](const std::string& key) {
    const Bytes bytes = Bytes().none().u32(1).text(key).u32(0).u8(0).u8(0).u8(0);
    return Filter::parse(bytes.span(), pin).value().passes_edge(0);
  };
  CHECK(keyed("k"));
  CHECK(!keyed("#1"));
  const Bytes nothing = Bytes().u32(0).none().u32(0).u8(0).u8(0).u8(0);
  CHECK(!Filter::parse(nothing.span(), pin).value().passes_edge(0));

  const Bytes cut = Bytes().none().none().u32(1).u8(2);
  CHECK(!Filter::parse(cut.span(), pin).is_ok());
  CHECK(Filter::parse({}, pin).value().is_trivial());
}

}  // namespace

int main() {
  CoreStore core;
  const Pin pin(make_store(core), 1);
  check_numbers(pin);
  check_classes(pin);
  check_arrays(pin);
  check_nodes_and_keys(pin);
  return 0;
}
