// Puts many rows of one kind into the order of RowOrder, by the digits of ranks instead of by comparing texts.
// For who takes a whole list; a page of one is PageSelector's.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/kernels/rows/digit_sort.h"
#include "core/kernels/rows/row_order.h"

namespace palimpsest {

class RowSorter {
 public:
  RowSorter(const Pin& pin, Kind kind) : pin_(pin), kind_(kind), order_(pin, 0) {}

  /// Counts no steps, as the sorting of a page does; kCancelled and kLimit as `steps` says.
  Status sort(std::vector<Row>& rows, StepCounter& steps);

 private:
  bool has_ranks_for(size_t row_count) const;
  void rank_names();
  uint64_t key_of(Row row) const;
  /// Rows of equal keys: edges of one pair and type, or versions of one identity.
  void sort_equals(KeyedItem* first, KeyedItem* end);

  const Pin& pin_;
  const Kind kind_;
  const RowOrder order_;
  std::vector<uint32_t> node_ranks_;  // made when many rows come for the first time
  std::vector<uint32_t> type_ranks_;
  unsigned node_bits_ = 0;
  unsigned type_bits_ = 0;
};

}  // namespace palimpsest
