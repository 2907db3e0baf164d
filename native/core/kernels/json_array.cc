// Membership in a JSON array that is stored as canonical text: no tree is built, members are compared in place.
#include <charconv>

#include "core/kernels/predicate.h"

namespace palimpsest {

namespace {
/// The position behind the value that begins at `at`. The text is canonical JSON, so it is well formed and has no
/// spaces.
size_t end_of_value(std::string_view json, size_t at) {
  size_t depth = 0;
  for (; at < json.size(); ++at) {
    const char sign = json[at];
    if (sign == '"') {
      for (++at; at < json.size() && json[at] != '"'; ++at) {
        if (json[at] == '\\') ++at;
      }
    } else if (sign == '[' || sign == '{') {
      ++depth;
    } else if (sign == ']' || sign == '}') {
      if (depth == 0) return at;
      --depth;
    } else if (sign == ',' && depth == 0) {
      return at;
    }
  }
  return at;
}

/// Reads a number token: without `.` and `e` it is an int64.
bool read_number(std::string_view token, ExactNumber& out) {
  const char* begin = token.data();
  const char* end = begin + token.size();
  if (token.find_first_of(".e") == std::string_view::npos) {
    int64_t integer = 0;
    const auto [stop, error] = std::from_chars(begin, end, integer);
    out = ExactNumber::of_int(integer);
    return error == std::errc{} && stop == end;
  }
  double real = 0;
  const auto [stop, error] = std::from_chars(begin, end, real);
  out = ExactNumber::of_double(real);
  return error == std::errc{} && stop == end;
}
}  // namespace

bool array_contains(std::string_view json, const Operand& operand) {
  if (json.empty() || json[0] != '[') return false;
  for (size_t at = 1; at < json.size() && json[at] != ']';) {
    const size_t end = end_of_value(json, at);
    const std::string_view member = json.substr(at, end - at);
    if (operand.kind == Operand::Class::kNumber) {
      ExactNumber number{};
      const bool may_be_number = member[0] == '-' || (member[0] >= '0' && member[0] <= '9');
      if (may_be_number && read_number(member, number) && number == operand.number) return true;
    } else if (member == operand.member) {
      return true;
    }
    at = end < json.size() && json[end] == ',' ? end + 1 : end;
  }
  return false;
}

}  // namespace palimpsest
