// Membership in a JSON array that is stored as canonical text: no tree is built, members are compared in place.
#include "core/kernels/filter/json_scan.h"
#include "core/kernels/filter/predicate.h"

namespace palimpsest {

bool array_contains(std::string_view json, const Operand& operand) {
  if (json.empty() || json[0] != '[') return false;
  for (size_t at = 1; at < json.size() && json[at] != ']';) {
    const size_t end = end_of_json_value(json, at);
    const std::string_view member = json.substr(at, end - at);
    if (operand.kind == Operand::Class::kNumber) {
      ExactNumber number{};
      const bool may_be_number = member[0] == '-' || (member[0] >= '0' && member[0] <= '9');
      if (may_be_number && read_json_number(member, number) && number == operand.number) return true;
    } else if (member == operand.member) {
      return true;
    }
    at = end < json.size() && json[end] == ',' ? end + 1 : end;
  }
  return false;
}

}  // namespace palimpsest
