// Up to 1,024 rows of bulk events as columns: what an item of kind "block" in the log holds.
// Between the columns in memory and the bytes of store/FORMAT.md; knows nothing of frames or of the store's numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/base/types.h"
#include "core/codec/sections.h"

namespace palimpsest {

inline constexpr uint32_t kBlockRowLimit = 1024;
inline constexpr uint32_t kBlockColumnLimit = 5120;  // 1,024 properties in five kinds

/// One property in one kind: a presence byte per row, and values for the rows that have one, in row order.
struct PropColumn {
  std::string_view name;
  PropKind kind = PropKind::kInt64;
  std::vector<uint8_t> present;         // 0 or 1 per row, at least one is 1
  std::vector<int64_t> ints;            // kInt64, kBool (0, 1)
  std::vector<double> doubles;          // kDouble
  std::vector<std::string_view> texts;  // kString, kJson (canonical)
};

enum class Hole : uint8_t { kRow = 0, kWithNumber = 1, kWithoutNumber = 2 };  // stored in files: never renumber

struct EventBlock {
  uint32_t row_count = 0;                  // 1..1024
  std::vector<std::string_view> new_uids;  // in order of their numbers; empty text: the number of an erased uid
  std::vector<uint32_t> src, dst;          // node numbers
  std::vector<std::string_view> types;     // the types of this block, at least one
  std::vector<uint16_t> type_code;         // position in `types`; empty when there is one type
  std::vector<int64_t> valid_from;
  std::vector<int64_t> valid_to;       // kOpenEnd: no end
  bool all_keys_chosen = true;         // by the store
  std::vector<uint8_t> key_chosen;     // 0 or 1 per row; empty when all are
  std::vector<std::string_view> keys;  // explicit ones, in row order
  std::vector<PropColumn> props;
  std::vector<uint8_t> hole;  // Hole per row; empty when there are none
  TextArena arena;            // texts that a decoded block made; its views point here or into its bytes
};

/// Appends the bytes of `block`, which must be consistent as described above.
void encode_block(const EventBlock& block, std::vector<uint8_t>& out);

/// The block in `bytes`, of at most `row_limit` rows. Any other bytes give kLogCorrupt and bounded memory.
/// Views in the result point into `bytes` or into its arena. Node numbers are not compared with any dictionary.
Result<EventBlock> decode_block(std::span<const uint8_t> bytes, uint32_t row_limit);

}  // namespace palimpsest
