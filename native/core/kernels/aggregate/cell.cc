#include "core/kernels/aggregate/cell.h"

#include <bit>

#include "core/kernels/filter/json_scan.h"
#include "core/kernels/rows/json_text.h"
#include "core/kernels/rows/json_value.h"
#include "core/kernels/rows/value_cell.h"

namespace palimpsest::aggregate {

namespace {
constexpr uint64_t kSignBit = uint64_t{1} << 63;

int sign_of(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

/// Classes in their standing order; an array stands before an object, which `compare_json` sees to.
int rank_of(const Cell& cell) {
  switch (cell.kind) {
    case CellKind::kNull:
      return 0;
    case CellKind::kBool:
      return 1;
    case CellKind::kInt:
    case CellKind::kDouble:
    case CellKind::kInstant:
    case CellKind::kDuration:
      return 2;
    case CellKind::kString:
    case CellKind::kNode:
    case CellKind::kType:
    case CellKind::kPeriod:
      return 3;
    case CellKind::kJson:
    case CellKind::kLabels:
      break;
  }
  return 4;
}
}  // namespace

Cell Cell::of_double(double value) {
  const ExactNumber number = ExactNumber::of_double(value);
  // A double that is a safe integer is one class with int64, as everywhere in the store.
  constexpr int64_t kSafe = (int64_t{1} << 53) - 1;
  if (number.is_int && number.integer >= -kSafe && number.integer <= kSafe) return of_int(number.integer);
  return of(CellKind::kDouble, std::bit_cast<uint64_t>(value));
}

ExactNumber Cell::number() const {
  return kind == CellKind::kDouble ? ExactNumber::of_double(std::bit_cast<double>(bits))
                                   : ExactNumber::of_int(static_cast<int64_t>(bits));
}

int CellBook::compare(const Cell& a, const Cell& b) const {
  const int rank = rank_of(a);
  if (rank != rank_of(b)) return rank < rank_of(b) ? -1 : 1;
  switch (rank) {
    case 0:
      return 0;
    case 1:
      return static_cast<int>(a.bits) - static_cast<int>(b.bits);
    case 2: {
      const ExactNumber left = a.number();
      const ExactNumber right = b.number();
      return left < right ? -1 : right < left ? 1 : 0;
    }
    default:
      break;
  }
  if (a.kind == b.kind && a.bits == b.bits) return 0;
  if (a.kind == CellKind::kNode && b.kind == CellKind::kNode) {
    return order_.compare_nodes(static_cast<NodeNumber>(a.bits), static_cast<NodeNumber>(b.bits));
  }
  std::string left;
  std::string right;
  if (rank == 3) return sign_of(text(a, left).compare(text(b, right)));
  return compare_json(json(a, left), json(b, right));
}

uint64_t CellBook::sort_key(const Cell& cell) const {
  switch (cell.kind) {
    case CellKind::kInt:
    case CellKind::kInstant:
    case CellKind::kDuration:
      return cell.bits ^ kSignBit;
    case CellKind::kNode:
      return order_.key_of_node(static_cast<NodeNumber>(cell.bits));
    default:
      return 0;
  }
}

void CellBook::write(const Cell& cell, RowPack& out) const {
  switch (cell.kind) {
    case CellKind::kNull:
      return out.add_null();
    case CellKind::kInstant:
      return out.add_instant(static_cast<Micros>(cell.bits));
    case CellKind::kDuration:
      return out.add_duration(static_cast<Micros>(cell.bits));
    case CellKind::kNode:
    case CellKind::kType:
    case CellKind::kPeriod: {
      std::string scratch;
      return out.add_text(text(cell, scratch));
    }
    case CellKind::kLabels: {
      const auto labels = tables_.label_set(static_cast<uint32_t>(cell.bits));
      out.add_number(static_cast<uint32_t>(labels.size()));
      for (const TextNumber label : labels) out.add_text(tables_.labels.get(label));
      return;
    }
    default:
      return add_value_cell({kNone, static_cast<PropKind>(cell.kind), cell.bits}, tables_, out);
  }
}

std::string_view CellBook::text(const Cell& cell, std::string& scratch) const {
  switch (cell.kind) {
    case CellKind::kNode:
      return tables_.uids.get(static_cast<NodeNumber>(cell.bits));
    case CellKind::kType:
      return tables_.types.get(static_cast<TextNumber>(cell.bits));
    case CellKind::kPeriod:
      scratch.clear();
      append_period(cell.unit, static_cast<int64_t>(cell.bits), scratch);
      return scratch;
    default:
      return tables_.texts.get(static_cast<TextNumber>(cell.bits));
  }
}

std::string_view CellBook::canonical(const Cell& cell, std::string& scratch) const {
  if (is_json(cell)) return json(cell, scratch);
  if (!is_text(cell)) {
    append_json_value(static_cast<PropKind>(cell.kind), cell.bits, tables_, scratch);
    return scratch;
  }
  std::string plain;
  append_json_string(text(cell, plain), scratch);
  return scratch;
}

std::string_view CellBook::json(const Cell& cell, std::string& scratch) const {
  if (cell.kind == CellKind::kJson) return tables_.texts.get(static_cast<TextNumber>(cell.bits));
  scratch = "[";
  for (const TextNumber label : tables_.label_set(static_cast<uint32_t>(cell.bits))) {
    if (scratch.size() > 1) scratch.push_back(',');
    append_json_string(tables_.labels.get(label), scratch);
  }
  scratch.push_back(']');
  return scratch;
}

}  // namespace palimpsest::aggregate
