#include <algorithm>

#include "core/kernels/aggregate/cell.h"

namespace palimpsest::aggregate {

namespace {
using Class = Operand::Class;

bool is_class(const Cell& cell, Class of, const CellBook& book) {
  switch (of) {
    case Class::kNumber:
      return cell.is_number();
    case Class::kBool:
      return cell.kind == CellKind::kBool;
    case Class::kString:
      return book.is_text(cell);
    case Class::kJson:
      return book.is_json(cell);
    case Class::kNull:
      break;
  }
  return false;
}
}  // namespace

CellCondition::CellCondition(const Condition& condition) : condition_(condition) {
  if (condition.op != PredOp::kIn) return;
  for (const Operand& operand : condition.operands) {
    if (operand.kind == Class::kNumber) numbers_.push_back(operand.number);
    if (operand.kind == Class::kString) texts_.push_back(operand.text);
    if (operand.kind == Class::kBool) (operand.boolean ? has_true_ : has_false_) = true;
  }
  std::sort(numbers_.begin(), numbers_.end());
  std::sort(texts_.begin(), texts_.end());
}

bool CellCondition::passes(const Cell& cell, const CellBook& book) const {
  if (condition_.is_never || cell.is_null()) return false;
  switch (condition_.op) {
    case PredOp::kIn:
      return is_in(cell, book);
    case PredOp::kEq:
      return equals(condition_.operands.front(), cell, book);
    case PredOp::kNe:
      return is_class(cell, condition_.operands.front().kind, book) && !equals(condition_.operands.front(), cell, book);
    case PredOp::kContains:
    case PredOp::kStartsWith:
    case PredOp::kEndsWith:
      return contains(cell, book);
    default:
      return is_ordered(cell, book);
  }
}

bool CellCondition::is_in(const Cell& cell, const CellBook& book) const {
  if (cell.is_number()) return std::binary_search(numbers_.begin(), numbers_.end(), cell.number());
  if (cell.kind == CellKind::kBool) return cell.bits != 0 ? has_true_ : has_false_;
  if (!book.is_text(cell)) return false;
  std::string scratch;
  return std::binary_search(texts_.begin(), texts_.end(), book.text(cell, scratch));
}

bool CellCondition::equals(const Operand& operand, const Cell& cell, const CellBook& book) const {
  if (!is_class(cell, operand.kind, book)) return false;
  if (operand.kind == Class::kNumber) return cell.number() == operand.number;
  if (operand.kind == Class::kBool) return (cell.bits != 0) == operand.boolean;
  std::string scratch;
  return (operand.kind == Class::kString ? book.text(cell, scratch) : book.json(cell, scratch)) == operand.text;
}

/// The three that look inside a text; `contains` also asks for a member of an array.
bool CellCondition::contains(const Cell& cell, const CellBook& book) const {
  const Operand& operand = condition_.operands.front();
  std::string scratch;
  if (book.is_json(cell)) {
    return condition_.op == PredOp::kContains && array_contains(book.json(cell, scratch), operand);
  }
  if (!book.is_text(cell) || operand.kind != Class::kString) return false;
  const std::string_view text = book.text(cell, scratch);
  switch (condition_.op) {
    case PredOp::kStartsWith:
      return text.starts_with(operand.text);
    case PredOp::kEndsWith:
      return text.ends_with(operand.text);
    default:
      return text.find(operand.text) != std::string_view::npos;
  }
}

/// An order, which numbers and texts alone have.
bool CellCondition::is_ordered(const Cell& cell, const CellBook& book) const {
  if (!cell.is_number() && !book.is_text(cell)) return false;
  const Operand& operand = condition_.operands.front();
  if (!is_class(cell, operand.kind, book)) return false;
  const int side = order(operand, cell, book);
  switch (condition_.op) {
    case PredOp::kLt:
      return side < 0;
    case PredOp::kLe:
      return side <= 0;
    case PredOp::kGt:
      return side > 0;
    case PredOp::kGe:
      return side >= 0;
    default:
      return side >= 0 && is_class(cell, condition_.operands[1].kind, book) &&
             order(condition_.operands[1], cell, book) <= 0;
  }
}

/// -1, 0 or 1 as the cell stands before, at or after the operand of its class.
int CellCondition::order(const Operand& operand, const Cell& cell, const CellBook& book) const {
  if (operand.kind == Class::kNumber) {
    const ExactNumber number = cell.number();
    return number < operand.number ? -1 : operand.number < number ? 1 : 0;
  }
  std::string scratch;
  const int side = book.text(cell, scratch).compare(operand.text);
  return side < 0 ? -1 : side > 0 ? 1 : 0;
}

}  // namespace palimpsest::aggregate
