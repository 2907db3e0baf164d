// The events of one commit as differences from a generation of the temporal index: ranks that are none any more, and
// versions that have become some since. Immutable; shared by all who ask at that commit.
#pragma once

#include <memory>
#include <span>

#include "core/store/event_index.h"

namespace palimpsest {

class PinEvents {
 public:
  /// The events of a generation as it was made.
  explicit PinEvents(std::shared_ptr<const EventIndex> index);
  /// Those of a later commit, from those of an earlier one that is not before the generation's. O(what changed).
  PinEvents(const PinEvents& earlier, const Pin& pin);
  /// Those of a commit before the generation's. O(generation).
  PinEvents(std::shared_ptr<const EventIndex> index, const Pin& pin);

  const EventState& state() const { return state_; }
  const EventIndex& index() const { return *index_; }
  const std::shared_ptr<const EventIndex>& shared_index() const { return index_; }
  /// By rank; `removed` are not taken out of it.
  const RankBits& bits() const { return *bits_; }
  std::span<const uint32_t> removed() const { return removed_; }
  const SortedEvents& added() const { return added_; }
  /// How far these events are from the generation's.
  uint64_t change_count() const { return removed_.size() + added_.size(); }
  uint64_t bytes() const { return removed_.size() * sizeof(uint32_t) + added_.bytes() + bits_->bytes(); }

  /// Events with `from <= at < to`; INT64_MAX is no bound.
  uint64_t count(Micros from, Micros to) const;
  /// Ranks and positions in `added` of a window, as half-open ranges.
  struct Range {
    uint32_t begin;
    uint32_t end;
  };
  static Range range_of(const SortedEvents& columns, Micros from, Micros to);

 private:
  std::shared_ptr<const EventIndex> index_;
  std::shared_ptr<const RankBits> bits_;
  EventState state_;
  std::vector<uint32_t> removed_;  // ascending
  SortedEvents added_;
};

}  // namespace palimpsest
