// The compact form in which TypeScript hands validated operations to the store: one buffer, read once, front to back.
// It never reaches the disk. All integers little-endian, nothing aligned.
//
//   buffer   = u32 operation count, then the operations
//   text     = u32 byte length (0xFFFFFFFF: null), then UTF-8 bytes
//   op       = u8 kind, identity, i64 valid_from, i64 valid_to (2^62: open), text source, text provenance_ref, text
//   reason, body identity = node kinds: text uid;  edge kinds: text src, text type, text dst, text key body     =
//   kAssertNode, kReplaceNode : labels, props
//              kAssertEdge, kReplaceEdge : props
//              kPatchNode                : labels to add, labels to remove, props
//              kPatchEdge                : props
//              kRetractNode, kRetractEdge: nothing
//   labels   = u32 count, then texts (distinct, any order)
//   props    = u32 count, then per property: text name, u8 PropKind or kRemoveProp, value
//   value    = kInt64: i64 | kDouble: f64 | kBool: u8 | kString, kJson (canonical): text | kRemoveProp: nothing
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace palimpsest {

enum class OpKind : uint8_t {
  kAssertNode = 1,
  kAssertEdge = 2,
  kRetractNode = 3,
  kRetractEdge = 4,
  kReplaceNode = 5,
  kReplaceEdge = 6,
  kPatchNode = 7,
  kPatchEdge = 8,
};
inline constexpr uint8_t kFirstOpKind = 1;
inline constexpr uint8_t kLastOpKind = 8;
inline constexpr uint8_t kRemoveProp = 255;

/// Reads the buffer with bounds checked; after a failure every read gives zero and `is_good` is false.
class OpReader {
 public:
  explicit OpReader(std::span<const uint8_t> bytes) : cursor_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_good() const { return is_good_; }
  /// For a reader that finds what it read to be senseless.
  void fail() { is_good_ = false; }
  bool is_at_end() const { return cursor_ == end_; }
  uint8_t u8() { return read<uint8_t>(); }
  uint32_t u32() { return read<uint32_t>(); }
  int64_t i64() { return read<int64_t>(); }
  double f64() { return read<double>(); }
  /// A text; null comes as a view with a null data pointer.
  std::string_view text() {
    const uint32_t length = u32();
    if (length == 0xFFFFFFFFu || !is_good_) return {};
    if (length > static_cast<size_t>(end_ - cursor_)) {
      is_good_ = false;
      return {};
    }
    const std::string_view view(reinterpret_cast<const char*>(cursor_), length);
    cursor_ += length;
    return view;
  }

 private:
  template <typename T>
  T read() {
    T value{};
    if (static_cast<size_t>(end_ - cursor_) < sizeof(T)) {
      is_good_ = false;
      cursor_ = end_;
      return value;
    }
    std::memcpy(&value, cursor_, sizeof(T));
    cursor_ += sizeof(T);
    return value;
  }

  const uint8_t* cursor_;
  const uint8_t* end_;
  bool is_good_ = true;
};

}  // namespace palimpsest
