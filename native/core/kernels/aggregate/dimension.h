// A dimension of a grouping: gives every entry of a batch a code, and says which cells a code stands for.
// Codes are small numbers; equal codes are equal values, and nothing is said of their order.
#pragma once

#include <memory>
#include <vector>

#include "core/kernels/aggregate/batch.h"
#include "core/kernels/aggregate/cell.h"
#include "core/kernels/aggregate/group_table.h"

namespace palimpsest::aggregate {

/// The codes of one dimension for a batch: one column, or two for a pair.
struct CodesOut {
  uint32_t* codes;
  uint32_t* more;
  bool* is_constant;
};

class Dimension {
 public:
  virtual ~Dimension() = default;
  /// What is known of its codes, one range per column.
  virtual std::vector<CodeRange> ranges() const = 0;
  virtual void read(const Batch& batch, CodesOut out) = 0;
  /// The cell of an output column; `key` begins with this dimension's codes.
  virtual Cell cell(const uint32_t* key, uint32_t column) const = 0;
};

/// The dimension of a question; `pin` and `dim` outlive it.
std::unique_ptr<Dimension> make_dimension(const Pin& pin, const Dim& dim);
/// Those that follow from the instant alone: buckets, periods, parts of the calendar.
std::unique_ptr<Dimension> make_time_dimension(const Dim& dim);

/// Codes of values by first appearance.
class ValueCodes {
 public:
  ValueCodes() : slots_(256, 0) {}
  uint32_t code_of(uint8_t kind, uint64_t bits);
  uint8_t kind(uint32_t code) const { return kinds_[code]; }
  uint64_t bits(uint32_t code) const { return bits_[code]; }

 private:
  size_t find(uint8_t kind, uint64_t bits) const;
  void grow();

  std::vector<uint32_t> slots_;  // code + 1
  std::vector<uint8_t> kinds_;
  std::vector<uint64_t> bits_;
};

}  // namespace palimpsest::aggregate
