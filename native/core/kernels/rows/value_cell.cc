#include "core/kernels/rows/value_cell.h"

#include <bit>

#include "core/kernels/rows/json_text.h"

namespace palimpsest {

namespace {
constexpr int64_t kSafeInteger = (int64_t{1} << 53) - 1;

/// How the value of a property cell reads; order is that of VALUE_KINDS in row-reader.ts.
enum class ValueCell : uint8_t {
  kSmallInt = 0,
  kDouble = 1,
  kFalse = 2,
  kTrue = 3,
  kString = 4,
  kJson = 5,
  kBigInt = 6
};
}  // namespace

void add_value_cell(const PropValue& value, const Tables& tables, RowPack& out) {
  const auto kind_is = [&](ValueCell cell) { out.add_number(static_cast<uint32_t>(cell)); };
  switch (value.kind) {
    case PropKind::kInt64: {
      const auto integer = static_cast<int64_t>(value.bits);
      if (integer >= INT32_MIN && integer <= INT32_MAX) {
        kind_is(ValueCell::kSmallInt);
        return out.add_number(static_cast<uint32_t>(integer));
      }
      if (integer >= -kSafeInteger && integer <= kSafeInteger) {
        kind_is(ValueCell::kDouble);
        return out.add_double(static_cast<double>(integer));
      }
      kind_is(ValueCell::kBigInt);
      std::string digits;
      append_json_int(integer, digits);
      return out.add_ascii(digits);
    }
    case PropKind::kDouble:
      kind_is(ValueCell::kDouble);
      return out.add_double(std::bit_cast<double>(value.bits));
    case PropKind::kBool:
      return kind_is(value.bits != 0 ? ValueCell::kTrue : ValueCell::kFalse);
    case PropKind::kString:
    case PropKind::kJson:
      kind_is(value.kind == PropKind::kString ? ValueCell::kString : ValueCell::kJson);
      return out.add_text(tables.texts.get(static_cast<TextNumber>(value.bits)));
  }
}

}  // namespace palimpsest
