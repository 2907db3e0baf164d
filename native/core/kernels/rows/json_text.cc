#include "core/kernels/rows/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace palimpsest {

namespace {
constexpr double kTwo53 = 9'007'199'254'740'992.0;

bool needs_escape(unsigned char sign) { return sign < 0x20 || sign == '"' || sign == '\\'; }

void append_escaped(unsigned char sign, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out.push_back('\\');
  switch (sign) {
    case '"':
    case '\\':
      out.push_back(static_cast<char>(sign));
      return;
    case '\b':
      out.push_back('b');
      return;
    case '\t':
      out.push_back('t');
      return;
    case '\n':
      out.push_back('n');
      return;
    case '\f':
      out.push_back('f');
      return;
    case '\r':
      out.push_back('r');
      return;
    default:
      out.append("u00");
      out.push_back(kHex[sign >> 4]);
      out.push_back(kHex[sign & 15]);
  }
}

/// The shortest digits that read back as `value`, and the power of ten of the first.
struct Decimal {
  char digits[24];
  int count = 0;
  int exponent = 0;
};

Decimal shortest(double value) {
  char text[40];
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* at = text;
  for (; at < end && *at != 'e'; ++at) {
    if (*at != '.') decimal.digits[decimal.count++] = *at;
  }
  ++at;
  if (*at == '+') ++at;  // from_chars takes no plus sign
  std::from_chars(at, end, decimal.exponent);
  return decimal;
}

void append_exponent_form(const Decimal& decimal, std::string& out) {
  out.push_back(decimal.digits[0]);
  if (decimal.count > 1) {
    out.push_back('.');
    out.append(decimal.digits + 1, static_cast<size_t>(decimal.count - 1));
  }
  out.push_back('e');
  if (decimal.exponent >= 0) out.push_back('+');
  append_json_int(decimal.exponent, out);
}

unsigned lifted(unsigned char byte) {
  if (byte < 0xEE) return byte;
  // Lead bytes of U+E000..U+FFFF stand above those of four-byte forms, which are surrogates in UTF-16.
  return byte < 0xF0 ? byte + 0x10u : byte - 2u;
}
}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out.push_back('"');
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto sign = static_cast<unsigned char>(text[at]);
    if (!needs_escape(sign)) continue;
    out.append(text.substr(from, at - from));
    append_escaped(sign, out);
    from = at + 1;
  }
  out.append(text.substr(from));
  out.push_back('"');
}

void append_json_int(int64_t value, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_json_double(double value, std::string& out) {
  if (value == 0) {
    out.push_back('0');
    return;
  }
  if (value < 0) {
    out.push_back('-');
    value = -value;
  }
  const Decimal decimal = shortest(value);
  const int point = decimal.exponent + 1;  // digits before the decimal point
  if (value >= kTwo53 || point > 21 || point < -5) {
    append_exponent_form(decimal, out);
    return;
  }
  if (point <= 0) {
    out.append("0.");
    out.append(static_cast<size_t>(-point), '0');
    out.append(decimal.digits, static_cast<size_t>(decimal.count));
    return;
  }
  const int whole = std::min(point, decimal.count);
  out.append(decimal.digits, static_cast<size_t>(whole));
  out.append(static_cast<size_t>(point - whole), '0');
  if (whole < decimal.count) {
    out.push_back('.');
    out.append(decimal.digits + whole, static_cast<size_t>(decimal.count - whole));
  }
}

bool is_utf16_less(std::string_view a, std::string_view b) {
  const size_t shared = std::min(a.size(), b.size());
  for (size_t i = 0; i < shared; ++i) {
    const auto x = static_cast<unsigned char>(a[i]);
    const auto y = static_cast<unsigned char>(b[i]);
    if (x != y) return lifted(x) < lifted(y);
  }
  return a.size() < b.size();
}

}  // namespace palimpsest
