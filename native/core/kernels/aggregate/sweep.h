// One pass over the events of a window: filters, groups, measures. Afterwards it gives the cells of its groups.
#pragma once

#include <memory>
#include <vector>

#include "core/kernels/aggregate/dimension.h"
#include "core/kernels/aggregate/held_bytes.h"
#include "core/kernels/aggregate/measure.h"

namespace palimpsest::aggregate {

Status too_many_groups();

class Sweep {
 public:
  /// All arguments outlive the sweep.
  Sweep(const Pin& pin, const Filter& filter, const Question& question, const PairSet* reciprocal);

  Status run(const EventSource& events, ValidWindow window, StepCounter& steps, HeldBytes& held);

  uint32_t group_count() const { return groups_.count(); }
  /// A cell of an output column: those of the dimensions come first.
  Cell cell(uint32_t group, uint32_t column) const;
  uint64_t event_count() const { return feed_.event_count(); }
  const std::vector<uint64_t>& skipped() const { return feed_.skipped(); }

 private:
  /// Where an output column comes from.
  struct ColumnOrigin {
    const Dimension* dimension;  // null: of a measure
    const Measure* measure;
    uint32_t first_code;
    uint32_t column;
  };

  static std::vector<CodeRange> ranges_of(const std::vector<std::unique_ptr<Dimension>>& dimensions);
  static std::vector<std::unique_ptr<Dimension>> make_dimensions(const Pin& pin, const Question& question);
  void name_columns(const Question& question);
  Status add_block(const EventSlice& block, HeldBytes& held);
  /// Says what the sweep holds by now.
  bool hold(HeldBytes& held);
  void read_codes(const Batch& batch);

  EventFeed feed_;
  std::vector<std::unique_ptr<Dimension>> dimensions_;
  GroupTable groups_;
  LogBook logs_;
  uint64_t held_bytes_ = 0;
  std::vector<std::unique_ptr<Measure>> measures_;
  std::vector<ColumnOrigin> origins_;
  std::vector<std::vector<uint32_t>> code_storage_;
  CodeColumns codes_;
  std::vector<uint32_t> entry_groups_;
  std::vector<uint32_t> entry_minors_;
};

}  // namespace palimpsest::aggregate
