// Blocks of 1024 integers, bit-packed so that the whole block unpacks as a vector loop and any value is reached in
// O(1). Shared by the log's block codec and by the store's column views; layout and formula are in store/FORMAT.md
// ("ints").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace palimpsest {

inline constexpr uint32_t kPackedValues = 1024;
inline constexpr uint32_t kPackedLanes = 16;

/// How codes become values: value i = base + divisor * (floor(slope * i / 1024) + code i), modulo 2^64.
struct IntForm {
  uint8_t width = 0;  // bits of a code, 0..64
  int64_t base = 0;
  uint64_t divisor = 1;
  int64_t slope = 0;  // 1/1024 divisors per position, within ±kSlopeLimit

  uint64_t line(uint32_t index) const {
    return static_cast<uint64_t>((slope * static_cast<int64_t>(index)) >> 10);  // arithmetic shift: floor
  }
  int64_t value(uint64_t code, uint32_t index) const {
    return static_cast<int64_t>(static_cast<uint64_t>(base) + divisor * (line(index) + code));
  }
};

inline constexpr int64_t kSlopeLimit = int64_t{1} << 52;
inline constexpr uint32_t kIntsLimit = 2048;  // keeps slope * index inside 63 bits

/// The form that takes the fewest bytes: constant, frame of reference with a common divisor, or residuals from a slope.
/// `codes` gets one code per value. At most kIntsLimit values.
IntForm choose_form(std::span<const int64_t> values, uint64_t* codes);

/// 1024 codes of `width` bits to and from 16 lanes of `width` words.
void pack_lanes(const uint64_t* codes, uint8_t width, uint64_t* words);
void unpack_lanes(const uint64_t* words, uint8_t width, uint64_t* codes);

/// A packed block; `words` belongs to someone else and has 16 * width entries.
class PackedBlock {
 public:
  PackedBlock() = default;
  PackedBlock(const IntForm& form, const uint64_t* words) : form_(form), words_(words) {}

  const IntForm& form() const { return form_; }
  uint32_t packed_bytes() const { return form_.width * kPackedLanes * 8u; }

  int64_t at(uint32_t index) const {
    const uint32_t width = form_.width;
    if (width == 0) return form_.value(0, index);
    const uint32_t bit = (index / kPackedLanes) * width;
    const uint64_t* word = words_ + (bit / 64) * kPackedLanes + index % kPackedLanes;
    const uint32_t shift = bit % 64;
    uint64_t code = *word >> shift;
    if (shift + width > 64) code |= word[kPackedLanes] << (64 - shift);
    if (width < 64) code &= (uint64_t{1} << width) - 1;
    return form_.value(code, index);
  }
  void unpack(int64_t* values) const;

 private:
  IntForm form_;
  const uint64_t* words_ = nullptr;
};

/// Packs up to 1024 values (missing ones repeat the last) into `words`, which must live as long as the block is used.
PackedBlock pack_block(std::span<const int64_t> values, std::vector<uint64_t>& words);

/// Turns codes into values, in place of a loop over IntForm::value.
void apply_form(const IntForm& form, const uint64_t* codes, uint32_t count, int64_t* values);

}  // namespace palimpsest
