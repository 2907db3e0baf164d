// One predicate of docs/contract.md A6 over the properties of a version: comparisons, any, not.
// Compiled against the store's dictionaries; knows nothing of labels, edges or time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/filter/exact_number.h"
#include "core/store/op_buffer.h"
#include "core/store/store_view.h"

namespace palimpsest {

/// Order is that of the buffer that filter-buffer.ts writes.
enum class PredOp : uint8_t {
  kAny = 0,
  kNot = 1,
  kEq = 2,
  kNe = 3,
  kLt = 4,
  kLe = 5,
  kGt = 6,
  kGe = 7,
  kIn = 8,
  kBetween = 9,
  kContains = 10,
  kStartsWith = 11,
  kEndsWith = 12,
  kIsNull = 13,
  kNotNull = 14,
};

/// A value that a caller compares with.
struct Operand {
  enum class Class : uint8_t { kNull, kNumber, kBool, kString, kJson };
  Class kind = Class::kNull;
  ExactNumber number{};
  bool boolean = false;
  std::string text;                // a string, or JSON in canonical form
  TextNumber text_number = kNone;  // of `text` in the store, kNone where no property ever held it
  std::string member;              // the value as it stands in a canonical array; numbers are compared by value instead
};

/// Reads `u8 PropKind (5: null), value`; a string is two texts, itself and itself as canonical JSON.
Operand read_operand(OpReader& in, const Tables& tables);

class Predicate {
 public:
  /// Reads one predicate; the reader is left bad where the buffer is malformed.
  static Predicate read(OpReader& in, const Tables& tables, unsigned depth = 0);

  /// Whether the version in `row` passes; kNone is an entity without a version, which has no properties.
  bool passes(const VersionTable& versions, const Tables& tables, Row row) const;

 private:
  bool passes_value(const PropValue& value, const Tables& tables) const;
  bool equals(const Operand& operand, const PropValue& value) const;
  bool is_in(const PropValue& value) const;
  bool contains(const PropValue& value, const Tables& tables) const;
  int order(const Operand& operand, const PropValue& value, const Tables& tables) const;
  void prepare_list();

  PredOp op_ = PredOp::kAny;
  PropNumber name_ = kNone;
  std::vector<Predicate> members_;  // of kAny and kNot
  std::vector<Operand> operands_;
  // `in`: the operands by class, sorted.
  std::vector<ExactNumber> numbers_;
  std::vector<TextNumber> texts_;
  bool has_false_ = false;
  bool has_true_ = false;
};

/// Reads `u32 count`, then predicates; all of them must pass.
std::vector<Predicate> read_predicates(OpReader& in, const Tables& tables, unsigned depth = 0);
bool passes_all(const std::vector<Predicate>& predicates, const VersionTable& versions, const Tables& tables, Row row);

/// Whether an array in canonical JSON has a member equal to the operand; false for a text that is no array.
bool array_contains(std::string_view json, const Operand& operand);

}  // namespace palimpsest
