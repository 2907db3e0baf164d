// The values of a source, kept for aggregates that need all of a group side by side: first in event order, then by
// group. One log serves every aggregate over its source.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/aggregate/batch.h"
#include "core/kernels/aggregate/held_bytes.h"
#include "core/kernels/aggregate/question.h"

namespace palimpsest::aggregate {

class ValueLog {
 public:
  /// Values of a source of numbers, or (of kDst, kOther) the nodes of every entry.
  ValueLog(Of of, uint32_t source) : of_(of), source_(source) {}

  bool is_of(Of of, uint32_t source) const { return of_ == of && source_ == source; }
  void add(const Batch& batch);
  /// Brings values of one group together, numbers in ascending order; instants and nodes stay in event order.
  Status group(StepCounter& steps, HeldBytes& held, uint32_t groups);

  uint64_t bytes() const {
    return groups_.capacity() * sizeof(uint32_t) + bits_.capacity() * sizeof(uint64_t) + kinds_.capacity();
  }
  uint64_t count(uint32_t group) const { return starts_[group + 1] - starts_[group]; }
  std::span<const uint64_t> bits(uint32_t group) const { return {bits_.data() + starts_[group], count(group)}; }
  /// The class of a value of a group.
  PropKind kind(uint32_t group, uint64_t at) const {
    return kinds_.empty() ? PropKind::kInt64 : static_cast<PropKind>(kinds_[starts_[group] + at]);
  }

 private:
  void add_nodes(const Batch& batch, const NodeNumber* nodes);
  void sort_group(uint64_t from, uint64_t to);

  Of of_;
  uint32_t source_;
  std::vector<uint32_t> groups_;  // of each value, until they are brought together
  std::vector<uint64_t> bits_;
  std::vector<uint8_t> kinds_;  // empty where all are integers
  std::vector<uint64_t> starts_;
};

class LogBook {
 public:
  ValueLog& log(Of of, uint32_t source);
  void add(const Batch& batch);
  uint64_t bytes() const;
  Status group(StepCounter& steps, HeldBytes& held, uint32_t groups);

 private:
  std::vector<std::unique_ptr<ValueLog>> logs_;
};

}  // namespace palimpsest::aggregate
