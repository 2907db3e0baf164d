// count and count_distinct. Where groups of one minor follow each other in time, a value that was seen is stamped with
// its group; elsewhere the pairs of group and value stand in a hash set.
#include <algorithm>

#include "core/kernels/aggregate/measure.h"

namespace palimpsest::aggregate {

namespace {
constexpr uint64_t kMostStamps = uint64_t{1} << 24;

class CountMeasure : public Measure {
 public:
  void add(const Batch& batch, uint32_t groups) override {
    counts_.resize(groups, 0);
    for (uint32_t i = 0; i < batch.count; ++i) ++counts_[batch.group[i]];
  }
  uint64_t bytes() const override { return counts_.capacity() * sizeof(uint64_t); }
  Cell cell(uint32_t group, uint32_t) const override {
    return Cell::of_int(group < counts_.size() ? static_cast<int64_t>(counts_[group]) : 0);
  }

 protected:
  std::vector<uint64_t> counts_;
};

/// Values that are small numbers: nodes and types.
class StampedDistinct : public CountMeasure {
 public:
  StampedDistinct(Of of, uint64_t bound, uint64_t minors) : of_(of), bound_(bound), stamps_(bound * minors) {}

  void add(const Batch& batch, uint32_t groups) override {
    counts_.resize(groups, 0);
    if (of_ == Of::kType) {
      add_values(batch, batch.type);
    } else {
      add_values(batch, of_ == Of::kSrc ? batch.src : of_ == Of::kDst ? batch.dst : batch.other);
    }
  }
  uint64_t bytes() const override { return CountMeasure::bytes() + stamps_.bytes(); }

 private:
  template <typename T>
  void add_values(const Batch& batch, const T* values) {
    for (uint32_t i = 0; i < batch.count; ++i) {
      const uint32_t stamp = batch.group[i] + 1;
      uint32_t& seen = stamps_[batch.minor[i] * bound_ + values[i]];
      counts_[batch.group[i]] += seen != stamp ? 1 : 0;
      seen = stamp;
    }
  }

  Of of_;
  uint64_t bound_;
  ZeroedArray<uint32_t> stamps_;
};

class HashedDistinct : public CountMeasure {
 public:
  HashedDistinct(Of of, uint32_t source) : of_(of), source_(source), slots_(1024, Slot{}) {}

  void add(const Batch& batch, uint32_t groups) override {
    counts_.resize(groups, 0);
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
  uint64_t bytes() const override { return CountMeasure::bytes() + slots_.capacity() * sizeof(Slot); }

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
    ++counts_[entry.group];
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
  if (bound != 0 && needs.minor_range != 0 && needs.minor_range <= kMostStamps / bound) {
    return std::make_unique<StampedDistinct>(agg.of, bound, needs.minor_range);
  }
  const uint32_t source = agg.of == Of::kProp ? needs.feed.source(Of::kProp, agg.name) : 0;
  return std::make_unique<HashedDistinct>(agg.of, source);
}

}  // namespace palimpsest::aggregate
