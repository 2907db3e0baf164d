// Numbers of properties compared by exact value: an int64 and a double are never rounded towards each other.
// Holds the comparison alone; knows nothing of columns or of text.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>

#include "core/base/types.h"

namespace palimpsest {

/// A number in the one form that makes equal values equal: int64 wherever the value is one, else a double.
struct ExactNumber {
  bool is_int;
  int64_t integer;
  double real;

  static ExactNumber of_int(int64_t value) { return {true, value, 0}; }
  static ExactNumber of_double(double value) {
    constexpr double kTwo63 = 9'223'372'036'854'775'808.0;
    if (value >= -kTwo63 && value < kTwo63 && std::trunc(value) == value) return of_int(static_cast<int64_t>(value));
    return {false, 0, value};
  }
  /// `kind` is kInt64 or kDouble.
  static ExactNumber of_bits(PropKind kind, uint64_t bits) {
    return kind == PropKind::kInt64 ? of_int(static_cast<int64_t>(bits)) : of_double(std::bit_cast<double>(bits));
  }

  bool operator==(const ExactNumber& other) const {
    return is_int == other.is_int && (is_int ? integer == other.integer : real == other.real);
  }
  bool operator<(const ExactNumber& other) const {
    if (is_int && other.is_int) return integer < other.integer;
    if (is_int) return is_int_below(integer, other.real);
    if (other.is_int) return !is_int_below(other.integer, real);  // never equal: `real` is no int64
    return real < other.real;
  }

 private:
  static bool is_int_below(int64_t value, double real) {
    if (real >= 9'223'372'036'854'775'808.0) return true;
    if (real < -9'223'372'036'854'775'808.0) return false;
    // `real` lies strictly between two int64, of which the floor is the lower one.
    return value <= static_cast<int64_t>(std::floor(real));
  }
};

inline bool is_number(PropKind kind) { return kind == PropKind::kInt64 || kind == PropKind::kDouble; }

}  // namespace palimpsest
