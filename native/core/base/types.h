// The numbers of the engine: dense, 32 bit, following from the log alone.
// Strings live in dictionaries; everything inside the core speaks these.
#pragma once

#include <cstdint>

namespace palimpsest {

using NodeNumber = uint32_t;  // a uid, by first appearance in the log, from 0
using EdgeNumber = uint32_t;  // an edge identity, its seq, from 1
using Row = uint32_t;         // a version, by append order; nodes and edges count separately
using Tx = uint32_t;          // a commit, from 1
using TypeNumber = uint16_t;  // an edge type
using TextNumber = uint32_t;  // a text in some TextTable
using Micros = int64_t;       // an instant: microseconds since 1970-01-01T00:00:00Z

inline constexpr uint32_t kNone = 0xFFFFFFFFu;                   // no such number
inline constexpr Tx kNeverTx = 0xFFFFFFFFu;                      // tx_to of a belief that has not ended
inline constexpr Micros kOpenEnd = int64_t{1} << 62;             // an open end
inline constexpr Micros kBeginning = -377'705'116'800'000'000;   // -9999-01-01T00:00:00Z
inline constexpr Micros kCalendarEnd = 253'402'300'800'000'000;  // +10000-01-01T00:00:00Z
inline constexpr uint32_t kRowLimit = (1u << 31) - (1u << 20);

enum class Kind : uint8_t { kNode = 0, kEdge = 1 };
enum class EndedBy : uint8_t { kNotEnded = 0, kOverwritten = 1, kRetracted = 2, kCorrected = 3 };
enum class PropKind : uint8_t { kInt64 = 0, kDouble = 1, kBool = 2, kString = 3, kJson = 4 };

}  // namespace palimpsest
