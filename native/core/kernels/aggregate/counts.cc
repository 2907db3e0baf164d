// count and count_distinct. Values that are small numbers are remembered in a table of all of them per minor: a bit
// each, or where time changes the group of a minor, the stamp of the group. Elsewhere pairs of group and value are
// hashed.
#include <algorithm>

#include "core/kernels/aggregate/measure.h"

namespace palimpsest::aggregate {

namespace {
constexpr uint64_t kMostStamps = uint64_t{1} << 24;
constexpr uint64_t kMostBits = uint64_t{1} << 28;

/// A number per group. Four lanes, so that an event need not wait for what the one before wrote to the same group.
class GroupCounts {
 public:
  void resize(uint32_t groups) { lanes_.resize(size_t{groups} * kLanes, 0); }
  void add(uint32_t group, uint32_t entry, uint64_t more) { lanes_[group * kLanes + entry % kLanes] += more; }
  int64_t of(uint32_t group) const {
    uint64_t sum = 0;
    for (size_t lane = group * kLanes; lane < (group + 1) * kLanes && lane < lanes_.size(); ++lane) sum += lanes_[lane];
    return static_cast<int64_t>(sum);
  }
  uint64_t bytes() const { return lanes_.capacity() * sizeof(uint64_t); }

 private:
  static constexpr size_t kLanes = 4;
  std::vector<uint64_t> lanes_;
};

class CountMeasure : public Measure {
 public:
  void add(const Batch& batch, uint32_t groups) override {
    counts_.resize(groups);
    for (uint32_t i = 0; i < batch.count; ++i) counts_.add(batch.group[i], i, 1);
  }
  uint64_t bytes() const override { return counts_.bytes(); }
  Cell cell(uint32_t group, uint32_t) const override { return Cell::of_int(counts_.of(group)); }

 protected:
  GroupCounts counts_;
};

/// What is counted of an entry where values are small numbers.
class SmallDistinct : public CountMeasure {
 public:
  void add(const Batch& batch, uint32_t groups) final {
    counts_.resize(groups);
    if (of_ == Of::kType) {
      for (uint32_t i = 0; i < batch.count; ++i) types_[i] = batch.type[i];
      return add_values(batch, types_);
    }
    add_values(batch, of_ == Of::kSrc ? batch.src : of_ == Of::kDst ? batch.dst : batch.other);
  }

 protected:
  SmallDistinct(Of of, uint64_t bound) : bound_(bound), of_(of) {}
  virtual void add_values(const Batch& batch, const uint32_t* values) = 0;

  const uint64_t bound_;  // values are below it

 private:
  Of of_;
  uint32_t types_[kMostEntries];
};

class StampedDistinct : public SmallDistinct {
 public:
  StampedDistinct(Of of, uint64_t bound, uint64_t minors) : SmallDistinct(of, bound), stamps_(bound * minors) {}
  uint64_t bytes() const override { return counts_.bytes() + stamps_.bytes(); }

 private:
  void add_values(const Batch& batch, const uint32_t* values) override {
    uint32_t* stamps = stamps_.data();
    for (uint32_t i = 0; i < batch.count; ++i) {
      const uint32_t stamp = batch.group[i] + 1;
      uint32_t& seen = stamps[batch.minor[i] * bound_ + values[i]];
      counts_.add(batch.group[i], i, seen != stamp ? 1 : 0);
      seen = stamp;
    }
  }

  ZeroedArray<uint32_t> stamps_;
};

/// Where a minor is a group, for all time.
class MarkedDistinct : public SmallDistinct {
 public:
  MarkedDistinct(Of of, uint64_t bound, uint64_t minors) : SmallDistinct(of, bound), words_(bound * minors / 64 + 1) {}
  uint64_t bytes() const override { return counts_.bytes() + words_.bytes(); }

 private:
  void add_values(const Batch& batch, const uint32_t* values) override {
    uint64_t* words = words_.data();
    for (uint32_t i = 0; i < batch.count; ++i) {
      const uint64_t at = batch.minor[i] * bound_ + values[i];
      const uint64_t bit = uint64_t{1} << (at % 64);
      counts_.add(batch.group[i], i, (words[at / 64] & bit) == 0 ? 1 : 0);
      words[at / 64] |= bit;
    }
  }

  ZeroedArray<uint64_t> words_;
};

class HashedDistinct : public CountMeasure {
 public:
  HashedDistinct(Of of, uint32_t source) : of_(of), source_(source), slots_(1024, Slot{}) {}

  void add(const Batch& batch, uint32_t groups) override {
    counts_.resize(groups);
    switch (of_) {
      case Of::kProp: {
        const ValueColumn& values = batch.values[source_];
        for (uint32_t i = 0; i < batch.count; ++i) {
          if (values.kinds[i] != kNoValue) insert({values.bits[i], batch.group[i], values.kinds[i]});
        }
        break;
      }
      case Of::kPair:
        for (uint32_t i = 0; i < batch.count; ++i) {
          insert({uint64_t{batch.src[i]} << 32 | batch.dst[i], batch.group[i], 0});
        }
        break;
      case Of::kType:
        for (uint32_t i = 0; i < batch.count; ++i) insert({batch.type[i], batch.group[i], 0});
        break;
      default: {
        const NodeNumber* nodes = of_ == Of::kSrc ? batch.src : of_ == Of::kDst ? batch.dst : batch.other;
        for (uint32_t i = 0; i < batch.count; ++i) insert({nodes[i], batch.group[i], 0});
      }
    }
  }
  uint64_t bytes() const override { return counts_.bytes() + slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    uint64_t bits = 0;
    uint32_t group = kNone;
    uint8_t kind = 0;
    bool operator==(const Slot&) const = default;
  };

  size_t home_of(const Slot& entry) const {
    uint64_t hash = (entry.bits ^ (uint64_t{entry.group} << 32 | entry.kind)) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (hash >> 29) ^ entry.group) * 0xBF58476D1CE4E5B9u;
    return (hash >> 20) & (slots_.size() - 1);
  }
  void insert(const Slot& entry) {
    size_t slot = home_of(entry);
    for (; slots_[slot].group != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == entry) return;
    }
    slots_[slot] = entry;
    counts_.add(entry.group, 0, 1);
    if (++used_ * 5 > slots_.size() * 3) grow();
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2, Slot{});
    old.swap(slots_);
    for (const Slot& entry : old) {
      if (entry.group == kNone) continue;
      size_t slot = home_of(entry);
      while (slots_[slot].group != kNone) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = entry;
    }
  }

  Of of_;
  uint32_t source_;
  std::vector<Slot> slots_;
  uint64_t used_ = 0;
};

/// Above every value, where values are small numbers; else 0.
uint64_t bound_of(Of of, const Pin& pin) {
  if (of == Of::kType) return uint64_t{1} << 16;
  return of == Of::kProp || of == Of::kPair ? 0 : pin.view().node_count;
}
}  // namespace

std::unique_ptr<Measure> make_count(const Agg& agg, const MeasureNeeds& needs) {
  if (agg.fn == Fn::kCount) return std::make_unique<CountMeasure>();
  const uint64_t bound = bound_of(agg.of, needs.pin);
  const uint64_t minors = needs.minor_range;
  if (bound != 0 && minors != 0 && !needs.has_monotone && minors <= kMostBits / bound) {
    return std::make_unique<MarkedDistinct>(agg.of, bound, minors);
  }
  if (bound != 0 && minors != 0 && needs.has_monotone && minors <= kMostStamps / bound) {
    return std::make_unique<StampedDistinct>(agg.of, bound, minors);
  }
  const uint32_t source = agg.of == Of::kProp ? needs.feed.source(Of::kProp, agg.name) : 0;
  return std::make_unique<HashedDistinct>(agg.of, source);
}

}  // namespace palimpsest::aggregate
