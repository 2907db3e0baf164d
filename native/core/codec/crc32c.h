// CRC-32C (Castagnoli), the checksum of frames and blocks: the CPU's instruction where there is one, tables elsewhere.
// Pure functions; both give the same sums.
#pragma once

#include <cstddef>
#include <cstdint>

namespace palimpsest {

/// The sum of `bytes`, going on from `before` (the sum of what came before them; 0 at the start).
uint32_t crc32c(const void* bytes, size_t byte_count, uint32_t before = 0);

/// The twin without special instructions.
uint32_t crc32c_portable(const void* bytes, size_t byte_count, uint32_t before = 0);

/// Whether `crc32c` runs on the CPU's own instruction.
bool crc32c_is_accelerated();

}  // namespace palimpsest
