// Little-endian bytes, varints and a reader that never leaves its bounds; the alphabet of the block codec.
// After a failed read everything reads as zero and `is_good` stays false, so callers check once, at the end of a
// section.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace palimpsest {

using ByteBuffer = std::vector<uint8_t>;

inline uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
inline int64_t unzigzag(uint64_t value) { return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1)); }

inline void put_varint(ByteBuffer& out, uint64_t value) {
  while (value >= 128) {
    out.push_back(static_cast<uint8_t>(value | 128));
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}
inline void put_zigzag(ByteBuffer& out, int64_t value) { put_varint(out, zigzag(value)); }
inline void put_text(ByteBuffer& out, std::string_view text) { out.insert(out.end(), text.begin(), text.end()); }
inline void put_raw(ByteBuffer& out, const void* from, size_t byte_count) {
  const auto* bytes = static_cast<const uint8_t*>(from);
  out.insert(out.end(), bytes, bytes + byte_count);
}
inline size_t varint_bytes(uint64_t value) {
  size_t count = 1;
  for (; value >= 128; value >>= 7) ++count;
  return count;
}
inline size_t zigzag_bytes(int64_t value) { return varint_bytes(zigzag(value)); }

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : cursor_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_good() const { return is_good_; }
  bool is_at_end() const { return cursor_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - cursor_); }
  void fail() {
    is_good_ = false;
    cursor_ = end_;
  }

  uint8_t u8() {
    const uint8_t* at = take(1);
    return at ? *at : 0;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 70; shift += 7) {
      const uint8_t* at = take(1);
      if (at == nullptr) return 0;
      const uint64_t low = *at & 127u;
      if (shift == 63 && low > 1) break;
      value |= low << shift;
      if ((*at & 128u) == 0) return value;
    }
    fail();
    return 0;
  }
  int64_t zigzag() { return unzigzag(varint()); }
  /// The next `byte_count` bytes, or null.
  const uint8_t* take(size_t byte_count) {
    if (byte_count > left()) {
      fail();
      return nullptr;
    }
    const uint8_t* at = cursor_;
    cursor_ += byte_count;
    return at;
  }
  std::string_view text(size_t byte_count) {
    const uint8_t* at = take(byte_count);
    return at ? std::string_view(reinterpret_cast<const char*>(at), byte_count) : std::string_view();
  }

 private:
  const uint8_t* cursor_;
  const uint8_t* end_;
  bool is_good_ = true;
};

}  // namespace palimpsest
