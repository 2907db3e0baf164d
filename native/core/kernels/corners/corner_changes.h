// The rows that are present in exactly one of two corners, found without looking at either whole snapshot.
// Only versions with a boundary between the corners are tested: on the valid axis, on the transaction axis, or both.
#pragma once

#include <vector>

#include "core/kernels/corners/corner.h"

namespace palimpsest {

/// A row and the one corner that has it.
class SidedRow {
 public:
  SidedRow(Row row, bool is_right) : bits_(row << 1 | (is_right ? 1u : 0u)) {}
  Row row() const { return bits_ >> 1; }
  bool is_right() const { return (bits_ & 1) != 0; }

 private:
  uint32_t bits_;  // rows stay below 2^31
};

/// Appends every row of a kind that is present (filter not asked) in one corner and not in the other, in no order.
///
/// @return kCost or kCancelled when `steps` said so; never fails otherwise
///
/// Between two pins: the rows and the closings of the commits between. Between two instants: beginnings from the sorted
/// runs, ends from the blocks whose zone allows one. O(changes + rows of those blocks).
Status one_sided_rows(Kind kind, const Corner& left, const Corner& right, StepCounter& steps,
                      std::vector<SidedRow>& out);

}  // namespace palimpsest
