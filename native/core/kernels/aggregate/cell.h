// One value of an output column, small and typed: compared, tested and written without becoming text first.
// A cell names things by their numbers in the store; a CellBook knows how they read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/aggregate/question.h"
#include "core/kernels/rows/row_order.h"
#include "core/kernels/rows/row_pack.h"

namespace palimpsest::aggregate {

/// The first five are PropKind.
enum class CellKind : uint8_t {
  kInt = 0,
  kDouble = 1,
  kBool = 2,
  kString = 3,
  kJson = 4,
  kNull,
  kNode,
  kType,
  kPeriod,
  kLabels,
  kInstant,
  kDuration,
};

struct Cell {
  CellKind kind = CellKind::kNull;
  PeriodUnit unit = PeriodUnit::kYear;  // of a kPeriod
  uint64_t bits = 0;

  static Cell of(CellKind kind, uint64_t bits) { return {kind, PeriodUnit::kYear, bits}; }
  static Cell of_int(int64_t value) { return of(CellKind::kInt, static_cast<uint64_t>(value)); }
  static Cell of_double(double value);
  static Cell of_instant(Micros at) { return of(CellKind::kInstant, static_cast<uint64_t>(at)); }
  static Cell of_duration(Micros length) { return of(CellKind::kDuration, static_cast<uint64_t>(length)); }
  static Cell of_value(PropKind kind, uint64_t bits) { return of(static_cast<CellKind>(kind), bits); }

  bool is_null() const { return kind == CellKind::kNull; }
  bool is_number() const {
    return kind == CellKind::kInt || kind == CellKind::kDouble || kind == CellKind::kInstant ||
           kind == CellKind::kDuration;
  }
  ExactNumber number() const;
};

class CellBook {
 public:
  /// `cell_bound`: about how many cells of nodes will be compared.
  CellBook(const Pin& pin, uint64_t cell_bound) : tables_(pin.tables()), order_(pin, cell_bound) {}

  /// -1, 0 or 1 in the standing order: null, bools, numbers, strings by code point, arrays, objects.
  int compare(const Cell& a, const Cell& b) const;
  /// A number that orders cells of one column as `compare` does, but that different cells may share.
  uint64_t sort_key(const Cell& cell) const;
  void write(const Cell& cell, RowPack& out) const;

  bool is_text(const Cell& cell) const {
    return cell.kind == CellKind::kString || cell.kind == CellKind::kNode || cell.kind == CellKind::kType ||
           cell.kind == CellKind::kPeriod;
  }
  bool is_json(const Cell& cell) const { return cell.kind == CellKind::kJson || cell.kind == CellKind::kLabels; }
  /// Of a text; `scratch` may hold it.
  std::string_view text(const Cell& cell, std::string& scratch) const;
  /// Canonical JSON of any cell that an instant or a duration is not.
  std::string_view canonical(const Cell& cell, std::string& scratch) const;
  /// Canonical JSON of a value that is an array or an object.
  std::string_view json(const Cell& cell, std::string& scratch) const;

 private:
  const Tables& tables_;
  RowOrder order_;
};

/// A condition of `having`, made ready to be asked of many cells.
class CellCondition {
 public:
  explicit CellCondition(const Condition& condition);
  bool passes(const Cell& cell, const CellBook& book) const;

 private:
  bool is_in(const Cell& cell, const CellBook& book) const;
  bool equals(const Operand& operand, const Cell& cell, const CellBook& book) const;
  bool contains(const Cell& cell, const CellBook& book) const;
  bool is_ordered(const Cell& cell, const CellBook& book) const;
  int order(const Operand& operand, const Cell& cell, const CellBook& book) const;

  const Condition& condition_;
  // `in`: the operands by class, sorted.
  std::vector<ExactNumber> numbers_;
  std::vector<std::string_view> texts_;
  bool has_false_ = false;
  bool has_true_ = false;
};

}  // namespace palimpsest::aggregate
