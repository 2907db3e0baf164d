// Results that are exact until one last rounding (docs/contract.md A11): quotients, roots, nine decimals.
// Numbers alone: knows no events, groups or columns. Where a result leaves the range of a double it is infinite.
#pragma once

#include <cstdint>

namespace palimpsest::exact {

using Int128 = __int128;
using UInt128 = unsigned __int128;

inline UInt128 magnitude_of(Int128 value) { return value < 0 ? -static_cast<UInt128>(value) : UInt128(value); }

/// The double nearest to `magnitude` times 2^`exponent`, half to even. `has_rest`: the true value is greater by less
/// than one unit of the magnitude, which must then have 55 bits or more.
double nearest_double(UInt128 magnitude, int exponent, bool has_rest);

/// The double nearest to num / den, half to even; `den` is above 0.
double quotient(Int128 num, uint64_t den);

/// The whole number nearest to num / den, half to even: the mean of instants, of durations.
Int128 nearest_whole(Int128 num, uint64_t den);

/// A derived double as it is compared and shown: nine decimals, half to even on the exact binary value; never -0.
double rounded(double value);

/// The greatest whole number whose square is not above `value`.
uint64_t whole_root(UInt128 value);

/// The mean of whole numbers as it is shown.
inline double mean(Int128 sum, uint64_t count) { return rounded(quotient(sum, count)); }

/// How far x stands from whole numbers with that sum and sum of squares, in standard deviations of theirs, as it is
/// compared and shown; the deviation must not be 0. One root and one division in double. `count` * `squares` and
/// `count` * |x| must stay below 2^127.
double zscore(Int128 x, Int128 sum, UInt128 squares, uint64_t count);

/// `count` squared times their variance: 0 where all are equal.
inline UInt128 scaled_variance(Int128 sum, UInt128 squares, uint64_t count) {
  return count * squares - magnitude_of(sum) * magnitude_of(sum);
}

}  // namespace palimpsest::exact
