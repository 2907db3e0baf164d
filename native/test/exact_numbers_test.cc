// Exact sums, quotients, roots and nine decimals, against figures of Python's fractions and decimals.
// The order of what is added must not show.
#include <cmath>
#include <vector>

#include "check.h"
#include "core/kernels/numbers/exact_sum.h"

using namespace palimpsest::exact;

namespace {

struct Rounding {
  double value;
  double expected;
};
const Rounding kRoundings[] = {
    {0x1.0000000000000p-10, 0x1.ffffeed1f417ep-11},
    {0x1.8000000000000p-9, 0x1.8000044b82fa1p-9},
    {-0x1.8000000000000p-9, -0x1.8000044b82fa1p-9},
    {0x1.5555555555555p-1, 0x1.5555555832575p-1},
    {-0x1.19799812dea11p-40, 0x0.0p+0},
    {0x1.7e43c8800759cp+996, 0x1.7e43c8800759cp+996},
    {0x1.f9add395f24dcp-4, 0x1.f9add3739635fp-4},
    {0x1.12e0be826d695p-31, 0x1.12e0be826d695p-30},
    {0x1.9c511dc3a41dfp-30, 0x1.12e0be826d695p-30},
    {0x1.5798ee2308c3ap-29, 0x1.9c511dc3a41dfp-29},
    {0x1.12e0be8255ccbp-31, 0x0.0p+0},
    {0x1.d6f34547e6b75p+26, 0x1.d6f34547e6b75p+26},
    {0x1.0000000000000p+43, 0x1.0000000000000p+43},
    {0x1.fffffffffffffp+42, 0x1.fffffffffffffp+42},
    {0x0.00000000007e8p-1022, 0x0.0p+0},
    {-0x1.000000044b830p-1, -0x1.000000089705fp-1},
    {0x1.5555555555555p-2, 0x1.5555554f9b516p-2},
    {-0x1.cdcfd48bf6a6dp-9, -0x1.cdcfd71855367p-9},
    {-0x1.1a54be2f2ad29p-19, -0x1.1a64e3b7fe673p-19},
    {-0x1.3e8f4e70a7dd0p+36, -0x1.3e8f4e70a7dd0p+36},
    {-0x1.79fef04eb1451p+39, -0x1.79fef04eb1451p+39},
    {-0x1.0774030040c03p+33, -0x1.0774030040c03p+33},
    {-0x1.dea832c27a9f1p-15, -0x1.dea76abd8e158p-15},
    {-0x1.bd4bd8f25004fp-17, -0x1.bd4d059fdaaefp-17},
    {-0x1.827136e4d30a3p+35, -0x1.827136e4d30a3p+35},
    {-0x1.19301c5697c6fp+37, -0x1.19301c5697c6fp+37},
    {-0x1.e18892c86875ep+2, -0x1.e18892c866831p+2},
    {0x1.e69e94b53bcb3p+37, 0x1.e69e94b53bcb3p+37},
    {0x1.a0f62141e405cp+39, 0x1.a0f62141e405cp+39},
};

struct Doubles {
  std::vector<double> values;
  double sum;
  double deviation;
};
const Doubles kDoubles[] = {
    {{0x1.999999999999ap-4, 0x1.999999999999ap-3, 0x1.3333333333333p-2}, 0x1.3333333333333p-1, 0x1.4e6fdf33cf031p-4},
    {{0x1.1c37937e08000p+53, 0x1.0000000000000p+0, -0x1.1c37937e08000p+53},
     0x1.0000000000000p+0,
     0x1.d01fe3eaa494cp+52},
    {{0x1.1ccf385ebc8a0p+1023, 0x1.1ccf385ebc8a0p+1023, -0x1.1ccf385ebc8a0p+1023},
     0x1.1ccf385ebc8a0p+1023,
     0x1.0c855b8dd8bf8p+1023},
    {{0x0.0000000000001p-1022, 0x1.1ccf385ebc8a0p+1023, -0x1.1ccf385ebc8a0p+1023},
     0x0.0000000000001p-1022,
     0x1.d1178624fcf1fp+1022},
    {{0x1.1c37937e08000p+53, 0x1.0000000000000p+0, 0x1.56e1fc2f8f359p-997},
     0x1.1c37937e08001p+53,
     0x1.0bf662e1297adp+52},
    {{-0x1.1c37937e08000p+53, -0x1.0000000000000p+0, -0x1.56e1fc2f8f359p-997},
     -0x1.1c37937e08001p+53,
     0x1.0bf662e1297adp+52},
    {{0x1.0000000000000p+53, 0x1.0000000000000p+0, 0x1.0000000000000p-60},
     0x1.0000000000001p+53,
     0x1.e2b7dddfefa66p+51},
    {{0x1.fffffffffffffp+1023, 0x1.008896bcf54fap+970, -0x1.fffffffffffffp+1023},
     0x1.008896bcf54fap+970,
     0x1.a20bd700c2c3dp+1023},
    {{0x1.dc414e99a29e4p+9, 0x1.b77b2639c1a3bp-174, 0x1.457cb18dcad00p+6, 0x1.e20ee74020580p+6, -0x1.8cf1bcd44ccb8p+9,
      -0x1.3821046373476p+9},
     -0x1.07bfff08c01f4p+8,
     0x1.1c13868383619p+9},
    {{-0x1.b53605bc7436fp+9, -0x1.d6f4c12728435p+490}, -0x1.d6f4c12728435p+490, 0x1.d6f4c12728435p+489},
    {{-0x1.73b4a615997b2p+8, -0x1.768665ae6aeb0p+6, 0x1.b71dd2a60fd36p+520, -0x1.a2251e0332711p+9,
      -0x1.388d90a6e66c0p+3, -0x1.995393f80fef0p+6},
     0x1.b71dd2a60fd36p+520,
     0x1.474c510609e09p+519},
    {{-0x1.7def292802266p+9, 0x1.012413f5c1c92p+9, -0x1.772ceb5b39966p-604, -0x1.a66128146dbb8p+9, 0x1.21181b9f6f4a2p+9,
      -0x1.3fc159be2d18cp+8},
     -0x1.a1f4ce86555b0p+9,
     0x1.1801a12d50b36p+9},
    {{0x1.3f94b06e722c0p+7, 0x1.53f7c076b3124p+9, -0x1.9e6d35bdea770p+5, -0x1.b754a0649ae6cp+9},
     -0x1.6af439714f878p+6,
     0x1.18ae878540907p+9},
    {{0x1.ed188f7d2796ep+9, -0x1.aecf166ad7d24p+8, 0x1.514e30c6c0560p+8, -0x1.8260579fd4d65p-383},
     0x1.be581cab1bd8cp+9,
     0x1.02ee492f3fbebp+9},
    {{-0x1.eef1b4f53a9f9p+640, 0x1.dcba0ce3e7596p+8, 0x1.736c067f1036cp+9, -0x1.b6d37fe29f8dep+265,
      -0x1.f7ddbeed92095p+65, -0x1.bb286a3b669c8p+8},
     -0x1.eef1b4f53a9f9p+640,
     0x1.70e8db9f26525p+639},
    {{0x1.6d7234d70c574p+8, -0x1.0d3f9d2a22880p+9, -0x1.7fcd021958e05p+454, -0x1.5fff86b15f8f4p+330,
      -0x1.2e512972f2788p-420},
     -0x1.7fcd021958e05p+454,
     0x1.330a68144719ep+453},
    {{0x1.0000000000000p+1, 0x1.0000000000000p+2, 0x1.0000000000000p+2, 0x1.0000000000000p+2, 0x1.4000000000000p+2,
      0x1.4000000000000p+2, 0x1.c000000000000p+2, 0x1.2000000000000p+3},
     0x1.4000000000000p+5,
     0x1.0000000000000p+1},
    {{0x1.3529ba7d19eafp-565, 0x1.cfbe97bba6e07p-564}, 0x1.3529ba7d19eafp-563, 0x1.3529ba7d19eb0p-565},
    {{0x1.0000000000000p+53, 0x1.0000000000000p+0, 0x1.0000000000000p+1}, 0x1.0000000000002p+53, 0x1.e2b7dddfefa65p+51},
};

struct Integers {
  std::vector<int64_t> values;
  double mean;
  double deviation;
};
const Integers kIntegers[] = {
    {{9223372036854775807, 9223372036854775807, INT64_MIN}, 0x1.5555555555555p+61, 0x1.e2b7dddfefa66p+62},
    {{1, 2}, 0x1.8000000000000p+0, 0x1.0000000000000p-1},
    {{-7, 3, 3}, -0x1.5555555555555p-2, 0x1.2db2eaabf5c80p+2},
    {{4611686018427387904, 4611686018427387904, 4611686018427387904, 4611686018427387904, 4611686018427387904},
     0x1.0000000000000p+62,
     0x0.0p+0},
    {{9223372036854775807, INT64_MIN}, -0x1.0000000000000p-1, 0x1.0000000000000p+63},
    {{0, 0, 1}, 0x1.5555555555555p-2, 0x1.e2b7dddfefa66p-2},
    {{1000000000000000000, 1000000000000000001, 1000000000000000002}, 0x1.bc16d674ec800p+59, 0x1.a20bd700c2c3ep-1},
};

void rounds_to_nine_decimals() {
  for (const auto& [value, expected] : kRoundings) {
    CHECK(rounded(value) == expected);
    CHECK(rounded(-value) == -expected);
  }
  CHECK(!std::signbit(rounded(-1e-12)));
  CHECK(!std::signbit(rounded(-0.0)));
  CHECK(std::isinf(rounded(INFINITY)));
}

void adds_doubles_in_any_order() {
  for (Doubles given : kDoubles) {
    for (size_t turn = 0; turn < given.values.size(); ++turn) {
      ExactSum sum;
      ExactSum squares;
      ExactSum half;
      for (size_t i = 0; i < given.values.size(); ++i) {
        const double value = given.values[(i + turn) % given.values.size()];
        (i % 2 == 0 ? sum : half).add(value);
        squares.add_square(value);
      }
      sum.add(half);
      CHECK(sum.nearest_double() == given.sum);
      CHECK(deviation(sum, squares, given.values.size()) == given.deviation);
      for (const double value : given.values) sum.add(-value);
      CHECK(sum.is_zero());
    }
  }
}

void takes_means_and_deviations_of_integers() {
  for (const Integers& given : kIntegers) {
    Int128 total = 0;
    ExactSum sum;
    ExactSum squares;
    for (const int64_t value : given.values) {
      total += value;
      sum.add(value);
      squares.add_square(value);
    }
    CHECK(quotient(total, given.values.size()) == given.mean);
    CHECK(deviation(sum, squares, given.values.size()) == given.deviation);
  }
  CHECK(mean(-1, 3) == -0.333333333);
}

void overflows_to_infinity_and_comes_back() {
  ExactSum sum;
  for (int i = 0; i < 1000; ++i) sum.add(1.7976931348623157e308);
  CHECK(std::isinf(sum.nearest_double()));
  for (int i = 0; i < 999; ++i) sum.add(-1.7976931348623157e308);
  CHECK(sum.nearest_double() == 1.7976931348623157e308);
  for (int i = 0; i < 3000; ++i) sum.add(-1.7976931348623157e308);
  CHECK(sum.nearest_double() == -INFINITY);
}

void rounds_halves_to_even() {
  const int64_t nums[] = {-5, -3, -1, 1, 3, 5, 7};
  const int64_t wholes[] = {-2, -2, 0, 0, 2, 2, 4};
  for (int i = 0; i < 7; ++i) CHECK(nearest_whole(nums[i], 2) == wholes[i]);
  CHECK(nearest_whole(-10, 3) == -3);
  const UInt128 big = (UInt128{1} << 53) + 1;
  CHECK(nearest_double(big, 0, false) == 9007199254740992.0);
  CHECK(nearest_double((UInt128{1} << 54) + 2, 3, true) == std::ldexp(9007199254740994.0, 4));
  CHECK(nearest_double(3, -1075, false) == std::ldexp(2.0, -1074));
  CHECK(nearest_double(1, -1075, false) == 0);
}

void takes_whole_roots() {
  for (UInt128 root : {UInt128{1}, UInt128{2}, UInt128{94906267}, UInt128{4294967296}, UInt128{1152921504606846975}}) {
    CHECK(whole_root(root * root) == root);
    CHECK(whole_root(root * root - 1) == root - 1);
    CHECK(whole_root(root * root + root) == root);
  }
  CHECK(whole_root(0) == 0);
  CHECK(whole_root(~UInt128{0}) == UINT64_MAX);
}

void scores() {
  // 1, 2, 3: mean 2, deviation sqrt(2 / 3); 7 stands 6.123724357 of them above.
  CHECK(scaled_variance(6, 14, 3) == 6);
  CHECK(zscore(7, 6, 14, 3) == 6.123724357);
  CHECK(zscore(-3, 6, 14, 3) == -6.123724357);
}

}  // namespace

int main() {
  rounds_to_nine_decimals();
  adds_doubles_in_any_order();
  takes_means_and_deviations_of_integers();
  overflows_to_infinity_and_comes_back();
  rounds_halves_to_even();
  takes_whole_roots();
  scores();
  return 0;
}
