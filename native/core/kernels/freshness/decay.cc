#include "core/kernels/freshness/decay.h"

#include <bit>
#include <cmath>

namespace palimpsest::freshness {

namespace {

using UInt128 = unsigned __int128;
constexpr int kMantissaBits = 53;

/// magnitude times 2^exponent.
struct Scaled {
  UInt128 magnitude;
  int exponent;

  int bit_length() const {
    const auto high = static_cast<uint64_t>(magnitude >> 64);
    return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                     : static_cast<int>(std::bit_width(static_cast<uint64_t>(magnitude)));
  }
};

Scaled product(int64_t age, double half_life) {
  int exponent = 0;
  const double fraction = std::frexp(half_life, &exponent);
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, kMantissaBits));
  return {static_cast<UInt128>(age < 0 ? -age : age) * mantissa, exponent - kMantissaBits};
}

int compare(Scaled a, Scaled b) {
  const int top_a = a.bit_length() + a.exponent;
  const int top_b = b.bit_length() + b.exponent;
  if (top_a != top_b) return top_a < top_b ? -1 : 1;
  // Their highest bits stand at one place, so the one of the greater unit has room to be written in the lesser one.
  if (a.exponent > b.exponent) a.magnitude <<= a.exponent - b.exponent;
  if (b.exponent > a.exponent) b.magnitude <<= b.exponent - a.exponent;
  return a.magnitude == b.magnitude ? 0 : a.magnitude < b.magnitude ? -1 : 1;
}

}  // namespace

int compare_decay(int64_t age_a, double half_life_a, int64_t age_b, double half_life_b) {
  const auto sign = [](int64_t age) { return age == 0 ? 0 : age < 0 ? -1 : 1; };
  if (half_life_a == half_life_b || sign(age_a) != sign(age_b) || age_a == 0) {
    return age_a == age_b ? 0 : age_a < age_b ? -1 : 1;
  }
  const int order = compare(product(age_a, half_life_b), product(age_b, half_life_a));
  return age_a < 0 ? -order : order;
}

}  // namespace palimpsest::freshness
