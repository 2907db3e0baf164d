// From blocks of events to batches: filters, counts what passes, reads the values that aggregates look at.
// Knows which columns a question needs; knows nothing of groups.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/kernels/aggregate/batch.h"
#include "core/kernels/aggregate/pair_set.h"
#include "core/kernels/aggregate/question.h"

namespace palimpsest::aggregate {

/// Something that an event has a value of: its instant, the length of its spell, or a property.
struct Source {
  Of of;
  PropNumber name;
  bool operator==(const Source&) const = default;
};

class EventFeed {
 public:
  EventFeed(const Pin& pin, const Filter& filter, const Question& question, const PairSet* reciprocal);

  /// The position of a source in `Batch::values`; asked before the first block.
  uint32_t source(Of of, PropNumber name);
  /// The passing events of a block; the batch is valid until the next one.
  const Batch& read(const EventSlice& block);

  uint64_t event_count() const { return event_count_; }
  /// Passing events without a usable value, per counted property.
  const std::vector<uint64_t>& skipped() const { return skipped_; }

 private:
  struct Values {
    Source source;
    uint8_t kinds[kMostEntries];
    uint64_t bits[kMostEntries];
    // Of a property: the shape that was met last, and its column.
    ShapeNumber shape = 0;
    uint32_t column = kNone;
    PropKind kind = PropKind::kInt64;
  };
  /// Where entries are gathered when they are not just those of the block.
  struct Entries {
    Micros at[kMostEntries];
    NodeNumber src[kMostEntries];
    NodeNumber dst[kMostEntries];
    NodeNumber node[kMostEntries];
    NodeNumber other[kMostEntries];
    TypeNumber type[kMostEntries];
    Row row[kMostEntries];
  };

  bool passes(const EventSlice& block, uint32_t at) const;
  void select(const EventSlice& block);
  void read_values(Values& values);
  void read_property(Values& values);
  void count_skipped();
  void double_ends();

  const Pin& pin_;
  const Filter& filter_;
  const PairSet* reciprocal_;
  std::optional<Of> node_end_;  // of the only dimension of nodes
  std::vector<Counted> counted_;
  std::vector<uint32_t> counted_sources_;
  std::vector<uint64_t> skipped_;
  std::vector<std::unique_ptr<Values>> values_;
  std::vector<ValueColumn> columns_;
  std::unique_ptr<Entries> entries_;
  Batch batch_;
  uint64_t event_count_ = 0;
};

}  // namespace palimpsest::aggregate
