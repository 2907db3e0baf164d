// Measures that follow from the order of a group's events: first and last values, gaps, sessions.
#include <algorithm>

#include "core/kernels/aggregate/measure.h"
#include "core/kernels/numbers/exact_rounding.h"

namespace palimpsest::aggregate {

namespace {

class EndMeasure : public Measure {
 public:
  EndMeasure(const Pin& pin, const Agg& agg)
      : pin_(pin), of_(agg.of), name_(agg.name), is_first_(agg.fn == Fn::kFirst) {}

  void add(const Batch& batch, uint32_t groups) override {
    rows_.resize(groups, kNone);
    if (of_ == Of::kOther) others_.resize(groups, kNone);
    for (uint32_t i = 0; i < batch.count; ++i) {
      const uint32_t group = batch.group[i];
      if (is_first_ && rows_[group] != kNone) continue;
      rows_[group] = batch.row[i];
      if (of_ == Of::kOther) others_[group] = batch.other[i];
    }
  }
  uint64_t bytes() const override { return rows_.capacity() * sizeof(Row) + others_.capacity() * sizeof(NodeNumber); }
  /// The value on that event, also where it has none.
  Cell cell(uint32_t group, uint32_t) const override {
    if (group >= rows_.size() || rows_[group] == kNone) return {};
    const VersionTable& versions = pin_.tables().edge_versions;
    const EdgeNumber edge = versions.owner(rows_[group]);
    switch (of_) {
      case Of::kAt:
        return Cell::of_instant(versions.valid_from(rows_[group]));
      case Of::kOther:
        return Cell::of(CellKind::kNode, others_[group]);
      case Of::kSrc:
        return Cell::of(CellKind::kNode, pin_.tables().edges.src(edge));
      case Of::kDst:
        return Cell::of(CellKind::kNode, pin_.tables().edges.dst(edge));
      default:
        break;
    }
    PropValue value{};
    if (name_ == kNone || !versions.properties().find(rows_[group], name_, value)) return {};
    return Cell::of_value(value.kind, value.bits);
  }

 private:
  const Pin& pin_;
  Of of_;
  PropNumber name_;
  bool is_first_;
  std::vector<Row> rows_;
  std::vector<NodeNumber> others_;
};

class GapMeasure : public Measure {
 public:
  explicit GapMeasure(Fn fn) : fn_(fn) {}

  void add(const Batch& batch, uint32_t groups) override {
    runs_.resize(groups);
    for (uint32_t i = 0; i < batch.count; ++i) {
      Run& run = runs_[batch.group[i]];
      const Micros at = batch.at[i];
      if (run.count++ == 0) {
        run.first = at;
      } else {
        run.least = std::min(run.least, at - run.last);
        run.greatest = std::max(run.greatest, at - run.last);
      }
      run.last = at;
    }
  }
  uint64_t bytes() const override { return runs_.capacity() * sizeof(Run); }
  Cell cell(uint32_t group, uint32_t) const override {
    if (group >= runs_.size() || runs_[group].count < 2) return {};
    const Run& run = runs_[group];
    if (fn_ == Fn::kMinGap) return Cell::of_duration(run.least);
    if (fn_ == Fn::kMaxGap) return Cell::of_duration(run.greatest);
    // All gaps together are the way from the first event to the last.
    return Cell::of_duration(static_cast<Micros>(exact::nearest_whole(run.last - run.first, run.count - 1)));
  }

 private:
  struct Run {
    Micros first = 0;
    Micros last = 0;
    Micros least = INT64_MAX;
    Micros greatest = 0;
    uint64_t count = 0;
  };
  Fn fn_;
  std::vector<Run> runs_;
};

class SessionMeasure : public Measure {
 public:
  explicit SessionMeasure(Micros gap) : gap_(gap) {}

  void add(const Batch& batch, uint32_t groups) override {
    sessions_.resize(groups);
    for (uint32_t i = 0; i < batch.count; ++i) {
      Sessions& of = sessions_[batch.group[i]];
      const Micros at = batch.at[i];
      if (of.events == 0 || at - of.last > gap_) {
        of.first = at;
        of.events = 0;
      }
      of.last = at;
      ++of.events;
      // The longest so far grows with the session that it is; of equally long ones the earliest stays.
      if (of.best_events == 0 || of.best_first == of.first || at - of.first > of.best_length) {
        of.best_first = of.first;
        of.best_length = at - of.first;
        of.best_events = of.events;
      }
    }
  }
  uint64_t bytes() const override { return sessions_.capacity() * sizeof(Sessions); }
  Cell cell(uint32_t group, uint32_t column) const override {
    const bool is_there = group < sessions_.size() && sessions_[group].best_events != 0;
    if (column == 1) return Cell::of_int(is_there ? static_cast<int64_t>(sessions_[group].best_events) : 0);
    return is_there ? Cell::of_duration(sessions_[group].best_length) : Cell{};
  }

 private:
  struct Sessions {
    Micros first = 0;
    Micros last = 0;
    uint64_t events = 0;
    Micros best_first = 0;
    Micros best_length = 0;
    uint64_t best_events = 0;
  };
  Micros gap_;
  std::vector<Sessions> sessions_;
};

}  // namespace

std::unique_ptr<Measure> make_sequence(const Agg& agg, const MeasureNeeds& needs) {
  switch (agg.fn) {
    case Fn::kFirst:
    case Fn::kLast:
      return std::make_unique<EndMeasure>(needs.pin, agg);
    case Fn::kLongestSession:
      return std::make_unique<SessionMeasure>(agg.length);
    default:
      return std::make_unique<GapMeasure>(agg.fn);
  }
}

}  // namespace palimpsest::aggregate
