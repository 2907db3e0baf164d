// The 13 relations of Allen between two half-open intervals: exactly one holds. Sets of them are masks.
// An open end is later than every instant and equals another open end, which kOpenEnd does by itself.
#pragma once

#include "core/base/types.h"

namespace palimpsest::co_active {

/// Order is that of RELATIONS in src/native/co-active.ts.
enum class Relation : uint8_t {
  kBefore = 0,
  kMeets,
  kOverlaps,
  kStarts,
  kDuring,
  kFinishes,
  kEquals,
  kAfter,
  kMetBy,
  kOverlappedBy,
  kStartedBy,
  kContains,
  kFinishedBy,
};
inline constexpr uint32_t kRelationCount = 13;

class Relations {
 public:
  Relations() = default;
  explicit Relations(uint32_t mask) : mask_(mask) {}
  bool has(Relation relation) const { return (mask_ >> static_cast<uint32_t>(relation) & 1) != 0; }
  /// The relations in which b stands to a when a stands to b in one of these.
  Relations inverse() const {
    constexpr uint32_t kEquals = 1u << static_cast<uint32_t>(Relation::kEquals);
    constexpr uint32_t kInverseDistance = static_cast<uint32_t>(Relation::kAfter);
    constexpr uint32_t kFirstSix = kEquals - 1;
    return Relations((mask_ & kEquals) | ((mask_ & kFirstSix) << kInverseDistance) |
                     (mask_ >> kInverseDistance & kFirstSix));
  }

 private:
  uint32_t mask_ = 0;
};

inline Relation relation_of(Micros a_from, Micros a_to, Micros b_from, Micros b_to) {
  if (a_to < b_from) return Relation::kBefore;
  if (a_to == b_from) return Relation::kMeets;
  if (b_to < a_from) return Relation::kAfter;
  if (b_to == a_from) return Relation::kMetBy;
  if (a_from == b_from) {
    return a_to == b_to ? Relation::kEquals : a_to < b_to ? Relation::kStarts : Relation::kStartedBy;
  }
  if (a_to == b_to) return a_from > b_from ? Relation::kFinishes : Relation::kFinishedBy;
  if (a_from < b_from) return a_to < b_to ? Relation::kOverlaps : Relation::kContains;
  return a_to < b_to ? Relation::kDuring : Relation::kOverlappedBy;
}

}  // namespace palimpsest::co_active
