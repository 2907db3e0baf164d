// A sum of doubles and whole numbers that forgets nothing: fixed point over all of their range, as wide as it needs.
// The order of what is added never shows. Rounded once, when it is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/numbers/exact_rounding.h"

namespace palimpsest::exact {

class ExactSum {
 public:
  /// A finite double.
  void add(double value);
  void add(int64_t value) { add(magnitude_of(value), 0, value < 0); }
  /// Adds or subtracts `magnitude` times 2^`exponent`.
  void add(UInt128 magnitude, int exponent, bool is_negative);
  /// The squares of what `add` takes.
  void add_square(double value);
  void add_square(int64_t value) { add(magnitude_of(value) * magnitude_of(value), 0, false); }
  void add(const ExactSum& other);

  /// The nearest double, half to even; infinite where it is out of range.
  double nearest_double() const;
  bool is_zero() const { return limbs_.empty(); }
  /// Bytes held beside the object itself.
  uint64_t bytes() const { return limbs_.capacity() * sizeof(uint64_t); }

 private:
  friend double deviation(const ExactSum& sum, const ExactSum& squares, uint64_t count);
  friend double root_of_quotient(const ExactSum& value, uint64_t den);

  void make_room(int first, int end);
  /// The value without its sign, in limbs from `low_` on, the last one not 0; empty for 0.
  std::vector<uint64_t> magnitude() const;
  bool is_negative() const { return !limbs_.empty() && (limbs_.back() >> 63) != 0; }

  int low_ = 0;                  // limb i counts 2^(64 * (low_ + i))
  std::vector<uint64_t> limbs_;  // two's complement; the last limb takes only carries
};

/// sqrt(value) / den to the nearest double; `value` is not negative, `den` is in [1, 2^63).
double root_of_quotient(const ExactSum& value, uint64_t den);

/// The population's standard deviation before it is rounded for show: exact but for the last step.
double deviation(const ExactSum& sum, const ExactSum& squares, uint64_t count);

}  // namespace palimpsest::exact
