// From the codes of an event's dimensions to the number of its group, given in order of first appearance.
// A table of all combinations where the codes' ranges are small, else a hash table; knows nothing of what codes mean.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "core/base/types.h"

namespace palimpsest::aggregate {

/// An array of zeros that costs memory only where it is written.
template <typename T>
class ZeroedArray {
 public:
  explicit ZeroedArray(uint64_t count);
  T* data() { return values_.get(); }
  uint64_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::unique_ptr<T, Free> values_;
  uint64_t bytes_;
};

/// What is known of one code before any event is read.
struct CodeRange {
  uint64_t range = 0;        // codes are below it; 0: not known
  bool is_monotone = false;  // codes change with time and never come back
};

/// The codes of a batch, a column per code.
struct CodeColumns {
  static constexpr uint32_t kMost = 12;
  std::array<uint32_t*, kMost> codes{};
  std::array<bool, kMost> is_constant{};  // then the first code holds for the whole batch
};

class GroupTable {
 public:
  static constexpr uint32_t kMostGroups = 1'000'000;

  explicit GroupTable(std::vector<CodeRange> ranges);

  /// False when there are more than kMostGroups groups. `minors` may be null.
  bool assign(const CodeColumns& columns, uint32_t count, uint32_t* groups, uint32_t* minors);
  /// The one group of a table without codes, there from the beginning.
  void add_only_group() { count_ = 1; }

  uint32_t count() const { return count_; }
  std::span<const uint32_t> key(uint32_t group) const {
    return {keys_.data() + size_t{group} * ranges_.size(), ranges_.size()};
  }
  uint64_t bytes() const;
  /// A minor is the combination of the codes that are not monotone: between groups of one minor time only goes on.
  /// Minors are below this; 0 where that is not known.
  uint64_t minor_range() const { return minor_range_; }
  /// Whether some code is monotone: without one, a minor is a group.
  bool has_monotone() const {
    return std::any_of(ranges_.begin(), ranges_.end(), [](const CodeRange& range) { return range.is_monotone; });
  }

 private:
  void combine(const CodeColumns& columns, uint32_t count, bool has_monotone, uint32_t* out) const;
  bool assign_by_table(const CodeColumns& columns, uint32_t count, uint32_t* groups);
  bool assign_by_hash(const CodeColumns& columns, uint32_t count, uint32_t* groups);
  uint32_t add_group(const CodeColumns& columns, uint32_t at);
  uint32_t find_or_add(const CodeColumns& columns, uint32_t at);
  void grow();

  std::vector<CodeRange> ranges_;
  std::vector<uint32_t> keys_;
  uint32_t count_ = 0;
  uint64_t minor_range_ = 1;
  std::unique_ptr<ZeroedArray<uint32_t>> table_;  // group + 1 by combination
  std::vector<uint32_t> slots_;                   // group + 1, by hash
  std::vector<uint32_t> cells_;
};

template <typename T>
ZeroedArray<T>::ZeroedArray(uint64_t count)
    : values_(static_cast<T*>(std::calloc(std::max<uint64_t>(count, 1), sizeof(T)))), bytes_(count * sizeof(T)) {
  if (!values_) throw std::bad_alloc();
}

}  // namespace palimpsest::aggregate
