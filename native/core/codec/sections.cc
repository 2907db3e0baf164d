// Integers and doubles as sections; texts are in text_sections.cc.
#include "core/codec/sections.h"

#include <algorithm>
#include <cmath>

#include "core/codec/packed.h"

namespace palimpsest {
namespace {

constexpr uint8_t kHasSlope = 128;
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

void put_stream(ByteBuffer& out, const uint64_t* codes, size_t count, uint32_t width) {
  unsigned __int128 pending = 0;
  uint32_t pending_bits = 0;
  for (size_t i = 0; i < count; ++i) {
    pending |= static_cast<unsigned __int128>(codes[i]) << pending_bits;
    pending_bits += width;
    for (; pending_bits >= 8; pending_bits -= 8, pending >>= 8) out.push_back(static_cast<uint8_t>(pending));
  }
  if (pending_bits > 0) out.push_back(static_cast<uint8_t>(pending));
}

void take_stream(const uint8_t* from, size_t byte_count, size_t count, uint32_t width, uint64_t* codes) {
  unsigned __int128 pending = 0;
  uint32_t pending_bits = 0;
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint8_t* const end = from + byte_count;
  for (size_t i = 0; i < count; ++i) {
    for (; pending_bits < width && from != end; pending_bits += 8) {
      pending |= static_cast<unsigned __int128>(*from++) << pending_bits;
    }
    codes[i] = static_cast<uint64_t>(pending) & mask;
    pending >>= width;
    pending_bits -= width;
  }
}

/// Integers n with n / 10^exponent = value for all values, bit for bit; false where there are none.
bool scale(std::span<const double> values, uint32_t exponent, std::vector<int64_t>& integers) {
  const double power = kPowersOfTen[exponent];
  integers.clear();
  for (const double value : values) {
    const double scaled = std::nearbyint(value * power);
    if (!(std::fabs(scaled) <= kExactIntegers)) return false;
    const double back = scaled / power;
    if (std::memcmp(&back, &value, sizeof back) != 0) return false;
    integers.push_back(static_cast<int64_t>(scaled));
  }
  return true;
}

}  // namespace

void write_ints(ByteBuffer& out, std::span<const int64_t> values) {
  if (values.empty()) return;
  uint64_t codes[kIntsLimit];
  const IntForm form = choose_form(values, codes);
  out.push_back(static_cast<uint8_t>(form.width | (form.slope != 0 ? kHasSlope : 0)));
  put_zigzag(out, form.base);
  if (form.width > 0 || form.slope != 0) put_varint(out, form.divisor);
  if (form.slope != 0) put_zigzag(out, form.slope);
  if (form.width == 0) return;
  if (values.size() == kPackedValues) {
    uint64_t words[64 * kPackedLanes];
    pack_lanes(codes, form.width, words);
    put_raw(out, words, size_t{form.width} * kPackedLanes * 8);
  } else {
    put_stream(out, codes, values.size(), form.width);
  }
}

bool read_ints(ByteReader& in, size_t count, std::vector<int64_t>& values) {
  values.clear();
  if (count == 0) return in.is_good();
  const uint8_t head = in.u8();
  IntForm form;
  form.width = head & 127;
  const bool has_slope = (head & kHasSlope) != 0;
  form.base = in.zigzag();
  if (form.width > 0 || has_slope) form.divisor = in.varint();
  if (has_slope) form.slope = in.zigzag();
  if (!in.is_good() || form.width > 64 || form.slope > kSlopeLimit || form.slope < -kSlopeLimit || count > kIntsLimit) {
    in.fail();
    return false;
  }
  uint64_t codes[kIntsLimit];
  if (count == kPackedValues) {
    const size_t byte_count = size_t{form.width} * kPackedLanes * 8;
    const uint8_t* from = in.take(byte_count);
    if (from == nullptr) return false;
    uint64_t words[64 * kPackedLanes];
    std::memcpy(words, from, byte_count);
    unpack_lanes(words, form.width, codes);
  } else {
    const size_t byte_count = (count * form.width + 7) / 8;
    const uint8_t* from = in.take(byte_count);
    if (from == nullptr) return false;
    take_stream(from, byte_count, count, form.width, codes);
  }
  values.resize(count);
  apply_form(form, codes, static_cast<uint32_t>(count), values.data());
  return true;
}

void write_doubles(ByteBuffer& out, std::span<const double> values) {
  if (values.empty()) return;
  std::vector<int64_t> integers;
  integers.reserve(values.size());
  for (uint32_t exponent = 1; exponent < std::size(kPowersOfTen); ++exponent) {
    // One value refutes most exponents, and with them the whole column of a measured quantity.
    if (!scale(values.first(1), exponent, integers) || !scale(values, exponent, integers)) continue;
    ByteBuffer packed;
    write_ints(packed, integers);
    if (packed.size() >= values.size() * sizeof(double)) break;
    out.push_back(1);
    out.push_back(static_cast<uint8_t>(exponent));
    put_raw(out, packed.data(), packed.size());
    return;
  }
  out.push_back(0);
  put_raw(out, values.data(), values.size() * sizeof(double));
}

bool read_doubles(ByteReader& in, size_t count, std::vector<double>& values) {
  values.clear();
  if (count == 0) return in.is_good();
  const uint8_t form = in.u8();
  if (form == 0) {
    const uint8_t* from = in.take(count * sizeof(double));
    if (from == nullptr) return false;
    values.resize(count);
    std::memcpy(values.data(), from, count * sizeof(double));
    return true;
  }
  const uint8_t exponent = in.u8();
  std::vector<int64_t> integers;
  if (form != 1 || exponent < 1 || exponent >= std::size(kPowersOfTen) || !read_ints(in, count, integers)) {
    in.fail();
    return false;
  }
  values.resize(count);
  std::transform(integers.begin(), integers.end(), values.begin(),
                 [exponent](int64_t n) { return static_cast<double>(n) / kPowersOfTen[exponent]; });
  return true;
}

}  // namespace palimpsest
