#include "core/kernels/filter/predicate.h"

#include <algorithm>

namespace palimpsest {

namespace {
using Class = Operand::Class;

constexpr unsigned kDepthLimit = 64;
constexpr uint8_t kNullTag = 5;  // the others are PropKind

bool is_class(PropKind kind, Class of) {
  switch (of) {
    case Class::kNumber:
      return is_number(kind);
    case Class::kBool:
      return kind == PropKind::kBool;
    case Class::kString:
      return kind == PropKind::kString;
    case Class::kJson:
      return kind == PropKind::kJson;
    case Class::kNull:
      break;
  }
  return false;
}
}  // namespace

Operand read_operand(OpReader& in, const Tables& tables) {
  Operand operand;
  const uint8_t tag = in.u8();
  switch (tag) {
    case static_cast<uint8_t>(PropKind::kInt64):
      operand.kind = Class::kNumber;
      operand.number = ExactNumber::of_int(in.i64());
      return operand;
    case static_cast<uint8_t>(PropKind::kDouble):
      operand.kind = Class::kNumber;
      operand.number = ExactNumber::of_double(in.f64());
      return operand;
    case static_cast<uint8_t>(PropKind::kBool):
      operand.kind = Class::kBool;
      operand.boolean = in.u8() != 0;
      operand.member = operand.boolean ? "true" : "false";
      return operand;
    case static_cast<uint8_t>(PropKind::kString):
      operand.kind = Class::kString;
      operand.text = in.text();
      operand.member = in.text();
      break;
    case static_cast<uint8_t>(PropKind::kJson):
      operand.kind = Class::kJson;
      operand.text = in.text();
      operand.member = operand.text;
      break;
    default:
      operand.member = "null";
      return operand;
  }
  operand.text_number = tables.texts.find(operand.text);
  return operand;
}

Predicate Predicate::read(OpReader& in, const Tables& tables, unsigned depth) {
  Predicate predicate;
  const uint8_t op = in.u8();
  if (depth > kDepthLimit || op > static_cast<uint8_t>(PredOp::kNotNull)) {
    in.fail();
    return predicate;
  }
  predicate.op_ = static_cast<PredOp>(op);
  if (predicate.op_ == PredOp::kAny) {
    predicate.members_ = read_predicates(in, tables, depth + 1);
    return predicate;
  }
  if (predicate.op_ == PredOp::kNot) {
    predicate.members_.push_back(read(in, tables, depth + 1));
    return predicate;
  }
  predicate.name_ = tables.prop_names.find(in.text());
  const uint32_t count = in.u32();
  for (uint32_t i = 0; i < count && in.is_good(); ++i) predicate.operands_.push_back(read_operand(in, tables));
  const size_t needed = predicate.op_ == PredOp::kBetween                                       ? 2
                        : predicate.op_ == PredOp::kIsNull || predicate.op_ == PredOp::kNotNull ? 0
                                                                                                : 1;
  if (predicate.op_ == PredOp::kIn) {
    predicate.prepare_list();
  } else if (predicate.operands_.size() != needed) {
    in.fail();
  }
  return predicate;
}

void Predicate::prepare_list() {
  for (const Operand& operand : operands_) {
    if (operand.kind == Class::kNumber) numbers_.push_back(operand.number);
    if (operand.kind == Class::kString && operand.text_number != kNone) texts_.push_back(operand.text_number);
    if (operand.kind == Class::kBool) (operand.boolean ? has_true_ : has_false_) = true;
  }
  std::sort(numbers_.begin(), numbers_.end());
  std::sort(texts_.begin(), texts_.end());
  operands_.clear();
}

bool Predicate::passes(const VersionTable& versions, const Tables& tables, Row row) const {
  switch (op_) {
    case PredOp::kAny:
      return std::any_of(members_.begin(), members_.end(),
                         [&](const Predicate& member) { return member.passes(versions, tables, row); });
    case PredOp::kNot:
      return !members_.front().passes(versions, tables, row);
    default:
      break;
  }
  PropValue value;
  const bool is_present = row != kNone && name_ != kNone && versions.properties().find(row, name_, value);
  if (op_ == PredOp::kIsNull) return !is_present;
  if (op_ == PredOp::kNotNull) return is_present;
  return is_present && passes_value(value, tables);
}

bool Predicate::passes_value(const PropValue& value, const Tables& tables) const {
  if (op_ == PredOp::kIn) return is_in(value);
  const Operand& operand = operands_.front();
  switch (op_) {
    case PredOp::kEq:
      return equals(operand, value);
    case PredOp::kNe:
      return is_class(value.kind, operand.kind) && !equals(operand, value);
    case PredOp::kContains:
      return contains(value, tables);
    case PredOp::kStartsWith:
      return value.kind == PropKind::kString && operand.kind == Class::kString &&
             tables.texts.get(static_cast<TextNumber>(value.bits)).starts_with(operand.text);
    case PredOp::kEndsWith:
      return value.kind == PropKind::kString && operand.kind == Class::kString &&
             tables.texts.get(static_cast<TextNumber>(value.bits)).ends_with(operand.text);
    default:
      break;
  }
  // What is left is an order, which numbers and strings alone have.
  if (!is_number(value.kind) && value.kind != PropKind::kString) return false;
  if (!is_class(value.kind, operand.kind)) return false;
  const int side = order(operand, value, tables);
  switch (op_) {
    case PredOp::kLt:
      return side < 0;
    case PredOp::kLe:
      return side <= 0;
    case PredOp::kGt:
      return side > 0;
    case PredOp::kGe:
      return side >= 0;
    default:
      return side >= 0 && is_class(value.kind, operands_[1].kind) && order(operands_[1], value, tables) <= 0;
  }
}

/// Equality within one class. Texts are interned, so equal texts have one number.
bool Predicate::equals(const Operand& operand, const PropValue& value) const {
  if (!is_class(value.kind, operand.kind)) return false;
  if (operand.kind == Class::kNumber) return ExactNumber::of_bits(value.kind, value.bits) == operand.number;
  if (operand.kind == Class::kBool) return (value.bits != 0) == operand.boolean;
  return value.bits == operand.text_number;
}

bool Predicate::is_in(const PropValue& value) const {
  switch (value.kind) {
    case PropKind::kInt64:
    case PropKind::kDouble:
      return std::binary_search(numbers_.begin(), numbers_.end(), ExactNumber::of_bits(value.kind, value.bits));
    case PropKind::kBool:
      return value.bits != 0 ? has_true_ : has_false_;
    case PropKind::kString:
      return std::binary_search(texts_.begin(), texts_.end(), static_cast<TextNumber>(value.bits));
    case PropKind::kJson:
      break;
  }
  return false;
}

bool Predicate::contains(const PropValue& value, const Tables& tables) const {
  const Operand& operand = operands_.front();
  if (value.kind == PropKind::kJson) {
    return array_contains(tables.texts.get(static_cast<TextNumber>(value.bits)), operand);
  }
  return value.kind == PropKind::kString && operand.kind == Class::kString &&
         tables.texts.get(static_cast<TextNumber>(value.bits)).find(operand.text) != std::string_view::npos;
}

/// -1, 0 or 1 as the stored value stands before, at or after the operand of the same class (number or string).
int Predicate::order(const Operand& operand, const PropValue& value, const Tables& tables) const {
  if (operand.kind == Class::kNumber) {
    const ExactNumber stored = ExactNumber::of_bits(value.kind, value.bits);
    return stored < operand.number ? -1 : operand.number < stored ? 1 : 0;
  }
  // Bytes of UTF-8 stand in the order of code points.
  const int side = tables.texts.get(static_cast<TextNumber>(value.bits)).compare(operand.text);
  return side < 0 ? -1 : side > 0 ? 1 : 0;
}

std::vector<Predicate> read_predicates(OpReader& in, const Tables& tables, unsigned depth) {
  std::vector<Predicate> predicates;
  const uint32_t count = in.u32();
  for (uint32_t i = 0; i < count && in.is_good(); ++i) predicates.push_back(Predicate::read(in, tables, depth));
  return predicates;
}

bool passes_all(const std::vector<Predicate>& predicates, const VersionTable& versions, const Tables& tables, Row row) {
  return std::all_of(predicates.begin(), predicates.end(),
                     [&](const Predicate& predicate) { return predicate.passes(versions, tables, row); });
}

}  // namespace palimpsest
