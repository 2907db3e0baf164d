#include "core/kernels/filter/json_scan.h"

#include <charconv>
#include <string>

namespace palimpsest {

namespace {
int sign_of(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

enum class Rank : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

Rank rank_of(std::string_view json) {
  switch (json.empty() ? 'n' : json[0]) {
    case 'n':
      return Rank::kNull;
    case 't':
    case 'f':
      return Rank::kBool;
    case '"':
      return Rank::kString;
    case '[':
      return Rank::kArray;
    case '{':
      return Rank::kObject;
    default:
      return Rank::kNumber;
  }
}

/// The text that a string token stands for; only what canonical JSON escapes is escaped.
std::string unescaped(std::string_view token) {
  std::string text;
  for (size_t at = 1; at + 1 < token.size(); ++at) {
    if (token[at] != '\\') {
      text.push_back(token[at]);
      continue;
    }
    const char sign = token[++at];
    constexpr std::string_view kSigns = "bfnrt";
    constexpr std::string_view kMeant = "\b\f\n\r\t";
    if (const size_t known = kSigns.find(sign); known != std::string_view::npos) {
      text.push_back(kMeant[known]);
    } else if (sign == 'u') {
      // Control characters alone are written so.
      int code = 0;
      std::from_chars(token.data() + at + 1, token.data() + at + 5, code, 16);
      text.push_back(static_cast<char>(code));
      at += 4;
    } else {
      text.push_back(sign);
    }
  }
  return text;
}

int compare_numbers(std::string_view a, std::string_view b) {
  ExactNumber left{};
  ExactNumber right{};
  read_json_number(a, left);
  read_json_number(b, right);
  return left < right ? -1 : right < left ? 1 : 0;
}

/// The first difference decides, then the shorter is first.
int compare_arrays(std::string_view a, std::string_view b) {
  size_t at_a = 1;
  size_t at_b = 1;
  while (a[at_a] != ']' && b[at_b] != ']') {
    const size_t end_a = end_of_json_value(a, at_a);
    const size_t end_b = end_of_json_value(b, at_b);
    if (const int side = compare_json(a.substr(at_a, end_a - at_a), b.substr(at_b, end_b - at_b)); side != 0)
      return side;
    at_a = a[end_a] == ',' ? end_a + 1 : end_a;
    at_b = b[end_b] == ',' ? end_b + 1 : end_b;
  }
  return static_cast<int>(b[at_b] == ']') - static_cast<int>(a[at_a] == ']');
}
}  // namespace

size_t end_of_json_value(std::string_view json, size_t at) {
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

bool read_json_number(std::string_view token, ExactNumber& out) {
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

int compare_json(std::string_view a, std::string_view b) {
  const Rank rank = rank_of(a);
  if (rank != rank_of(b)) return rank < rank_of(b) ? -1 : 1;
  switch (rank) {
    case Rank::kNull:
      return 0;
    case Rank::kBool:
      return static_cast<int>(a[0] == 't') - static_cast<int>(b[0] == 't');
    case Rank::kNumber:
      return compare_numbers(a, b);
    case Rank::kString:
      return sign_of(unescaped(a).compare(unescaped(b)));
    case Rank::kArray:
      return compare_arrays(a, b);
    case Rank::kObject:
      break;
  }
  return sign_of(a.compare(b));
}

}  // namespace palimpsest
