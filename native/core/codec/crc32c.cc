// Tables for eight bytes at a time, and three interleaved streams of the SSE 4.2 instruction, chosen once at load.
#include "core/codec/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace palimpsest {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78u;

constexpr std::array<std::array<uint32_t, 256>, 8> make_tables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) ? kPolynomial : 0);
    tables[0][byte] = sum;
  }
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (size_t k = 1; k < 8; ++k) tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 255];
  }
  return tables;
}
constexpr auto kTables = make_tables();

#if defined(__x86_64__)
constexpr size_t kStreamBytes = 1024;

// The sum after kStreamBytes zero bytes, as four look-ups: joins the streams. Linear, so one table per byte is enough.
constexpr std::array<std::array<uint32_t, 256>, 4> make_shift_tables() {
  std::array<uint32_t, 32> columns{};
  for (uint32_t bit = 0; bit < 32; ++bit) {
    uint32_t sum = 1u << bit;
    for (size_t byte = 0; byte < kStreamBytes; ++byte) sum = (sum >> 8) ^ kTables[0][sum & 255];
    columns[bit] = sum;
  }
  std::array<std::array<uint32_t, 256>, 4> tables{};
  for (uint32_t place = 0; place < 4; ++place) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t sum = 0;
      for (uint32_t bit = 0; bit < 8; ++bit) {
        if (byte & (1u << bit)) sum ^= columns[place * 8 + bit];
      }
      tables[place][byte] = sum;
    }
  }
  return tables;
}
const auto kShiftTables = make_shift_tables();

uint32_t shift_stream(uint32_t sum) {
  return kShiftTables[0][sum & 255] ^ kShiftTables[1][(sum >> 8) & 255] ^ kShiftTables[2][(sum >> 16) & 255] ^
         kShiftTables[3][sum >> 24];
}

uint64_t load_u64(const uint8_t* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

__attribute__((target("sse4.2"))) uint32_t crc32c_sse42(const uint8_t* at, size_t byte_count, uint32_t before) {
  uint64_t sum = before ^ 0xFFFFFFFFu;
  // The instruction takes three cycles and one can start each cycle: three streams fill it.
  while (byte_count >= 3 * kStreamBytes) {
    uint64_t second = 0;
    uint64_t third = 0;
    for (size_t i = 0; i < kStreamBytes; i += 8) {
      sum = _mm_crc32_u64(sum, load_u64(at + i));
      second = _mm_crc32_u64(second, load_u64(at + kStreamBytes + i));
      third = _mm_crc32_u64(third, load_u64(at + 2 * kStreamBytes + i));
    }
    sum = shift_stream(shift_stream(static_cast<uint32_t>(sum)) ^ static_cast<uint32_t>(second)) ^
          static_cast<uint32_t>(third);
    at += 3 * kStreamBytes;
    byte_count -= 3 * kStreamBytes;
  }
  for (; byte_count >= 8; at += 8, byte_count -= 8) sum = _mm_crc32_u64(sum, load_u64(at));
  auto narrow = static_cast<uint32_t>(sum);
  for (; byte_count > 0; ++at, --byte_count) narrow = _mm_crc32_u8(narrow, *at);
  return narrow ^ 0xFFFFFFFFu;
}
#endif

}  // namespace

uint32_t crc32c_portable(const void* bytes, size_t byte_count, uint32_t before) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  uint32_t sum = before ^ 0xFFFFFFFFu;
  for (; byte_count >= 8; at += 8, byte_count -= 8) {
    uint32_t low;
    uint32_t high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + 4, 4);
    low ^= sum;
    sum = kTables[7][low & 255] ^ kTables[6][(low >> 8) & 255] ^ kTables[5][(low >> 16) & 255] ^ kTables[4][low >> 24] ^
          kTables[3][high & 255] ^ kTables[2][(high >> 8) & 255] ^ kTables[1][(high >> 16) & 255] ^
          kTables[0][high >> 24];
  }
  for (; byte_count > 0; ++at, --byte_count) sum = (sum >> 8) ^ kTables[0][(sum ^ *at) & 255];
  return sum ^ 0xFFFFFFFFu;
}

bool crc32c_is_accelerated() {
#if defined(__x86_64__)
  static const bool is_accelerated = __builtin_cpu_supports("sse4.2") != 0;
  return is_accelerated;
#else
  return false;
#endif
}

uint32_t crc32c(const void* bytes, size_t byte_count, uint32_t before) {
#if defined(__x86_64__)
  if (crc32c_is_accelerated()) return crc32c_sse42(static_cast<const uint8_t*>(bytes), byte_count, before);
#endif
  return crc32c_portable(bytes, byte_count, before);
}

}  // namespace palimpsest
