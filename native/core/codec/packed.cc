// Choosing a form, and moving codes in and out of their lanes. Knows nothing of sections, columns or files.
#include "core/codec/packed.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/codec/bytes.h"

namespace palimpsest {
namespace {

uint8_t bits_of(uint64_t value) { return static_cast<uint8_t>(std::bit_width(value)); }

uint64_t common_divisor(std::span<const int64_t> values, uint64_t base) {
  uint64_t divisor = 0;
  for (const int64_t value : values) {
    const uint64_t delta = static_cast<uint64_t>(value) - base;
    // The remainder first: once the divisor is right, most values need no step of Euclid's.
    if (divisor == 0) {
      divisor = delta;
    } else if (delta % divisor != 0) {
      divisor = std::gcd(divisor, delta);
      if (divisor == 1) break;
    }
  }
  return divisor == 0 ? 1 : divisor;
}

size_t code_bytes(size_t count, uint8_t width) {
  return count == kPackedValues ? size_t{width} * kPackedLanes * 8 : (count * width + 7) / 8;
}

}  // namespace

IntForm choose_form(std::span<const int64_t> values, uint64_t* codes) {
  IntForm flat;
  if (values.empty()) return flat;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  flat.base = *least;
  const auto base = static_cast<uint64_t>(flat.base);
  const uint64_t span = static_cast<uint64_t>(*greatest) - base;
  if (span == 0) {
    std::fill_n(codes, values.size(), uint64_t{0});
    return flat;
  }
  flat.divisor = common_divisor(values, base);
  flat.width = bits_of(span / flat.divisor);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t delta = static_cast<uint64_t>(values[i]) - base;
    codes[i] = flat.divisor == 1 ? delta : delta / flat.divisor;
  }
  if (values.size() < 3 || flat.width > 52) return flat;

  const auto rise = static_cast<int64_t>(codes[values.size() - 1]) - static_cast<int64_t>(codes[0]);
  const __int128 exact_slope = static_cast<__int128>(rise) * 1024 / static_cast<int64_t>(values.size() - 1);
  if (exact_slope == 0 || exact_slope > kSlopeLimit || exact_slope < -kSlopeLimit) return flat;
  IntForm sloped = flat;
  sloped.slope = static_cast<int64_t>(exact_slope);
  int64_t low = INT64_MAX;
  int64_t high = INT64_MIN;
  for (uint32_t i = 0; i < values.size(); ++i) {
    const int64_t residual = static_cast<int64_t>(codes[i]) - static_cast<int64_t>(sloped.line(i));
    low = std::min(low, residual);
    high = std::max(high, residual);
  }
  sloped.width = bits_of(static_cast<uint64_t>(high - low));
  sloped.base = static_cast<int64_t>(base + flat.divisor * static_cast<uint64_t>(low));
  const size_t flat_bytes = code_bytes(values.size(), flat.width) + zigzag_bytes(flat.base);
  const size_t sloped_bytes =
      code_bytes(values.size(), sloped.width) + zigzag_bytes(sloped.base) + zigzag_bytes(sloped.slope);
  if (sloped_bytes >= flat_bytes) return flat;
  for (uint32_t i = 0; i < values.size(); ++i) codes[i] -= sloped.line(i) + static_cast<uint64_t>(low);
  return sloped;
}

void pack_lanes(const uint64_t* codes, uint8_t width, uint64_t* words) {
  std::fill_n(words, size_t{width} * kPackedLanes, uint64_t{0});
  if (width == 0) return;
  for (uint32_t place = 0; place < kPackedValues / kPackedLanes; ++place) {
    const uint32_t bit = place * width;
    const uint32_t shift = bit % 64;
    uint64_t* word = words + (bit / 64) * kPackedLanes;
    const uint64_t* source = codes + place * kPackedLanes;
    for (uint32_t lane = 0; lane < kPackedLanes; ++lane) word[lane] |= source[lane] << shift;
    if (shift + width > 64) {
      for (uint32_t lane = 0; lane < kPackedLanes; ++lane) word[kPackedLanes + lane] |= source[lane] >> (64 - shift);
    }
  }
}

void unpack_lanes(const uint64_t* words, uint8_t width, uint64_t* codes) {
  if (width == 0) {
    std::fill_n(codes, kPackedValues, uint64_t{0});
    return;
  }
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (uint32_t place = 0; place < kPackedValues / kPackedLanes; ++place) {
    const uint32_t bit = place * width;
    const uint32_t shift = bit % 64;
    const uint64_t* word = words + (bit / 64) * kPackedLanes;
    uint64_t* target = codes + place * kPackedLanes;
    // The shift is the same in all lanes, so both loops become vector shifts without a copy per width.
    if (shift + width <= 64) {
      for (uint32_t lane = 0; lane < kPackedLanes; ++lane) target[lane] = (word[lane] >> shift) & mask;
    } else {
      for (uint32_t lane = 0; lane < kPackedLanes; ++lane) {
        target[lane] = ((word[lane] >> shift) | (word[kPackedLanes + lane] << (64 - shift))) & mask;
      }
    }
  }
}

void apply_form(const IntForm& form, const uint64_t* codes, uint32_t count, int64_t* values) {
  const auto base = static_cast<uint64_t>(form.base);
  if (form.slope != 0) {
    for (uint32_t i = 0; i < count; ++i) values[i] = form.value(codes[i], i);
  } else if (form.divisor != 1) {
    for (uint32_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(base + form.divisor * codes[i]);
  } else {
    for (uint32_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(base + codes[i]);
  }
}

void PackedBlock::unpack(int64_t* values) const {
  uint64_t codes[kPackedValues];
  unpack_lanes(words_, form_.width, codes);
  apply_form(form_, codes, kPackedValues, values);
}

PackedBlock pack_block(std::span<const int64_t> values, std::vector<uint64_t>& words) {
  int64_t padded[kPackedValues];
  const size_t count = std::min<size_t>(values.size(), kPackedValues);
  std::copy_n(values.begin(), count, padded);
  std::fill(padded + count, padded + kPackedValues, count == 0 ? 0 : padded[count - 1]);
  uint64_t codes[kPackedValues];
  const IntForm form = choose_form(padded, codes);
  words.resize(size_t{form.width} * kPackedLanes);
  pack_lanes(codes, form.width, words.data());
  return {form, words.data()};
}

}  // namespace palimpsest
