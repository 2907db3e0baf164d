#include "core/kernels/numbers/exact_rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace palimpsest::exact {

namespace {

constexpr int kDigits = 53;
constexpr int kLeastExponent = -1074;
constexpr uint64_t kBillion = 1'000'000'000;
constexpr int kTwosInBillion = 9;  // 10^9 = 2^9 * 5^9

int bit_length(UInt128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<uint64_t>(value)));
}

/// value / 2^shift to the nearest whole number, half to even; `has_rest` as in `nearest_double`.
UInt128 shifted(UInt128 value, int shift, bool has_rest) {
  if (shift > 128) return 0;
  const UInt128 kept = shift == 128 ? 0 : value >> shift;
  const UInt128 half = UInt128{1} << (shift - 1);
  const UInt128 rest = value & ((half - 1) | half);
  const bool is_up = rest > half || (rest == half && (has_rest || (kept & 1) != 0));
  return kept + (is_up ? 1 : 0);
}

Int128 with_sign(UInt128 magnitude, bool is_negative) {
  return is_negative ? -static_cast<Int128>(magnitude) : static_cast<Int128>(magnitude);
}

}  // namespace

double nearest_double(UInt128 magnitude, int exponent, bool has_rest) {
  if (magnitude == 0) return 0;
  const int unit = std::max(bit_length(magnitude) + exponent - kDigits, kLeastExponent);
  const int shift = unit - exponent;
  if (shift <= 0) return std::ldexp(static_cast<double>(magnitude), exponent);
  return std::ldexp(static_cast<double>(shifted(magnitude, shift, has_rest)), unit);
}

double quotient(Int128 num, uint64_t den) {
  if (num == 0) return 0;
  // As many bits as there is room for: the quotient then has 64 or more.
  const UInt128 magnitude = magnitude_of(num);
  const int shift = 128 - bit_length(magnitude);
  const UInt128 whole = (magnitude << shift) / den;
  const double value = nearest_double(whole, -shift, whole * den != magnitude << shift);
  return num < 0 ? -value : value;
}

Int128 nearest_whole(Int128 num, uint64_t den) {
  const UInt128 magnitude = magnitude_of(num);
  UInt128 whole = magnitude / den;
  const UInt128 twice_rest = 2 * (magnitude - whole * den);
  if (twice_rest > den || (twice_rest == den && (whole & 1) != 0)) ++whole;
  return with_sign(whole, num < 0);
}

double rounded(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  exponent -= kDigits;
  // What has no finer unit than 2^-9 is a whole number of billionths; infinities stay what they are.
  if (value == 0 || exponent >= -kTwosInBillion || !std::isfinite(value)) return value == 0 ? 0 : value;
  const auto mantissa = static_cast<UInt128>(std::ldexp(fraction, kDigits));
  const UInt128 billionths = shifted(mantissa * kBillion, -exponent, false);
  return quotient(with_sign(billionths, value < 0), kBillion);
}

uint64_t whole_root(UInt128 value) {
  if (value == 0) return 0;
  // The root in double is right to 52 bits or so; one step of Newton's makes it right to one, from above.
  auto root = static_cast<UInt128>(std::sqrt(static_cast<double>(value)));
  root = std::min<UInt128>((root + value / root) / 2, UINT64_MAX);
  while (root * root > value) --root;
  while (root < UINT64_MAX && (root + 1) * (root + 1) <= value) ++root;
  return static_cast<uint64_t>(root);
}

double zscore(Int128 x, Int128 sum, UInt128 squares, uint64_t count) {
  const auto distance = static_cast<double>(static_cast<Int128>(count) * x - sum);
  return rounded(distance / std::sqrt(static_cast<double>(scaled_variance(sum, squares, count))));
}

}  // namespace palimpsest::exact
