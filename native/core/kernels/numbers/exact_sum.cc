#include "core/kernels/numbers/exact_sum.h"

#include <bit>
#include <cmath>

namespace palimpsest::exact {

namespace {

constexpr int kLimbBits = 64;
constexpr int kDigits = 53;
constexpr int kRootBits = 119;  // of a radicand, so that its root has 60 or more

int limb_of(int exponent) { return exponent >= 0 ? exponent / kLimbBits : -((-exponent + kLimbBits - 1) / kLimbBits); }

struct Parts {
  uint64_t mantissa;
  int exponent;
};

Parts parts_of(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return {static_cast<uint64_t>(std::ldexp(fraction, kDigits)), exponent - kDigits};
}

}  // namespace

void ExactSum::add(double value) {
  const Parts parts = parts_of(value);
  add(UInt128{parts.mantissa}, parts.exponent, value < 0);
}

void ExactSum::add_square(double value) {
  const Parts parts = parts_of(value);
  add(UInt128{parts.mantissa} * parts.mantissa, 2 * parts.exponent, false);
}

void ExactSum::make_room(int first, int end) {
  if (limbs_.empty()) {
    low_ = first;
    limbs_.assign(static_cast<size_t>(end - first), 0);
    return;
  }
  if (first < low_) {
    limbs_.insert(limbs_.begin(), static_cast<size_t>(low_ - first), 0);
    low_ = first;
  }
  const auto size = static_cast<size_t>(end - low_);
  if (limbs_.size() < size) limbs_.resize(size, is_negative() ? UINT64_MAX : 0);
}

void ExactSum::add(UInt128 magnitude, int exponent, bool is_subtracted) {
  if (magnitude == 0) return;
  const int first = limb_of(exponent);
  const int shift = exponent - first * kLimbBits;
  const UInt128 low = magnitude << shift;
  const uint64_t parts[3] = {static_cast<uint64_t>(low), static_cast<uint64_t>(low >> kLimbBits),
                             shift == 0 ? 0 : static_cast<uint64_t>(magnitude >> (128 - shift))};
  make_room(first, first + 4);
  uint64_t carry = 0;
  for (size_t i = static_cast<size_t>(first - low_), part = 0; i < limbs_.size(); ++i, ++part) {
    const uint64_t operand = part < 3 ? parts[part] : 0;
    if (part >= 3 && carry == 0) break;
    uint64_t& limb = limbs_[i];
    const UInt128 moved = is_subtracted ? UInt128{limb} - operand - carry : UInt128{limb} + operand + carry;
    limb = static_cast<uint64_t>(moved);
    carry = static_cast<uint64_t>(moved >> kLimbBits) != 0 ? 1 : 0;
  }
  // The last limb holds little but the sign: widened long before it could overflow.
  const auto top = static_cast<int64_t>(limbs_.back());
  if (top >= INT64_MAX / 2 || top <= INT64_MIN / 2) limbs_.push_back(is_negative() ? UINT64_MAX : 0);
  while (!limbs_.empty() && limbs_.back() == 0 && (limbs_.size() == 1 || limbs_[limbs_.size() - 2] == 0)) {
    limbs_.pop_back();
  }
}

std::vector<uint64_t> ExactSum::magnitude() const {
  std::vector<uint64_t> out = limbs_;
  if (is_negative()) {
    uint64_t carry = 1;
    for (uint64_t& limb : out) {
      limb = ~limb + carry;
      carry = carry != 0 && limb == 0 ? 1 : 0;
    }
  }
  while (!out.empty() && out.back() == 0) out.pop_back();
  return out;
}

void ExactSum::add(const ExactSum& other) {
  const std::vector<uint64_t> limbs = other.magnitude();
  const bool is_subtracted = other.is_negative();
  const int low = other.low_;
  for (size_t i = 0; i < limbs.size(); ++i) {
    add(UInt128{limbs[i]}, (low + static_cast<int>(i)) * kLimbBits, is_subtracted);
  }
}

double ExactSum::nearest_double() const {
  const std::vector<uint64_t> limbs = magnitude();
  if (limbs.empty()) return 0;
  const size_t count = limbs.size();
  UInt128 top = limbs.back();
  if (count > 1) top = (top << kLimbBits) | limbs[count - 2];
  int exponent = (low_ + static_cast<int>(count > 1 ? count - 2 : 0)) * kLimbBits;
  bool has_rest = false;
  if (count > 2) {
    // Its leading zeros make room for bits of the third limb, so that there are always enough to round by.
    const int room = std::countl_zero(limbs.back());
    const uint64_t third = limbs[count - 3];
    if (room > 0) top = (top << room) | (third >> (kLimbBits - room));
    exponent -= room;
    has_rest = (third << room) != 0;
    for (size_t i = 0; i + 3 < count; ++i) has_rest = has_rest || limbs[i] != 0;
  }
  const double value = exact::nearest_double(top, exponent, has_rest);
  return is_negative() ? -value : value;
}

double root_of_quotient(const ExactSum& value, uint64_t den) {
  const std::vector<uint64_t> limbs = value.magnitude();
  if (limbs.empty()) return 0;
  const UInt128 divisor = UInt128{den} * den;
  // Long division, bit by bit, until the quotient is long enough and stands at an even power of two.
  int exponent = (value.low_ + static_cast<int>(limbs.size())) * kLimbBits;
  size_t limb = limbs.size();
  int bit = 0;
  UInt128 radicand = 0;
  UInt128 rest = 0;
  while (radicand >> (kRootBits - 1) == 0 || exponent % 2 != 0) {
    if (bit == 0 && limb > 0) {
      bit = kLimbBits;
      --limb;
    }
    if (bit > 0) --bit;
    const bool is_past = limb == 0 && exponent <= value.low_ * kLimbBits;
    rest = rest * 2 + (is_past ? 0 : (limbs[limb] >> bit) & 1);
    radicand *= 2;
    if (rest >= divisor) {
      rest -= divisor;
      radicand += 1;
    }
    --exponent;
  }
  bool has_rest = rest != 0;
  if (exponent > value.low_ * kLimbBits) {
    has_rest = has_rest || (bit > 0 && (limbs[limb] << (kLimbBits - bit)) != 0);
    for (size_t i = 0; i < limb; ++i) has_rest = has_rest || limbs[i] != 0;
  }
  const uint64_t root = whole_root(radicand);
  has_rest = has_rest || UInt128{root} * root != radicand;
  return nearest_double(root, exponent / 2, has_rest);
}

double deviation(const ExactSum& sum, const ExactSum& squares, uint64_t count) {
  // count * squares - sum * sum, which is never negative.
  ExactSum scaled;
  const std::vector<uint64_t> of_squares = squares.magnitude();
  for (size_t i = 0; i < of_squares.size(); ++i) {
    scaled.add(UInt128{of_squares[i]} * count, (squares.low_ + static_cast<int>(i)) * kLimbBits, false);
  }
  const std::vector<uint64_t> of_sum = sum.magnitude();
  for (size_t i = 0; i < of_sum.size(); ++i) {
    for (size_t j = 0; j < of_sum.size(); ++j) {
      const int exponent = (2 * sum.low_ + static_cast<int>(i + j)) * kLimbBits;
      scaled.add(UInt128{of_sum[i]} * of_sum[j], exponent, true);
    }
  }
  return root_of_quotient(scaled, count);
}

}  // namespace palimpsest::exact
