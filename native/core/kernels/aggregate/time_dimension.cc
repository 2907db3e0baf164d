// Buckets and calendar periods as dimensions. Entries come in time order, so each period is looked up once.
#include <algorithm>

#include "core/kernels/aggregate/dimension.h"

namespace palimpsest::aggregate {

namespace {

class BucketDimension : public Dimension {
 public:
  explicit BucketDimension(const Dim& dim) : boundaries_(dim.boundaries) {}
  std::vector<CodeRange> ranges() const override { return {{std::max<uint64_t>(boundaries_.size(), 2) - 1, true}}; }
  void read(const Batch& batch, CodesOut out) override {
    uint32_t i = 0;
    while (i < batch.count) {
      // The boundaries hold the window, so there is always a bucket.
      while (bucket_ + 2 < boundaries_.size() && boundaries_[bucket_ + 1] <= batch.at[i]) ++bucket_;
      const Micros end = bucket_ + 1 < boundaries_.size() ? boundaries_[bucket_ + 1] : INT64_MAX;
      if (i == 0 && batch.at[batch.count - 1] < end) {
        *out.is_constant = true;
        out.codes[0] = bucket_;
        return;
      }
      const bool is_last = bucket_ + 2 >= boundaries_.size();
      for (; i < batch.count && (is_last || batch.at[i] < end); ++i) out.codes[i] = bucket_;
    }
  }
  Cell cell(const uint32_t* key, uint32_t column) const override {
    return Cell::of_instant(boundaries_[key[0] + column]);
  }

 private:
  const std::vector<Micros>& boundaries_;
  uint32_t bucket_ = 0;
};

class PeriodDimension : public Dimension {
 public:
  explicit PeriodDimension(const Dim& dim) : dim_(dim) {}
  std::vector<CodeRange> ranges() const override {
    // Where offsets change, the local date may fall back; in one offset, periods follow each other.
    if (cycle_length() != 0) return {{cycle_length(), false}};
    return {{0, dim_.zone.is_fixed()}};
  }
  void read(const Batch& batch, CodesOut out) override {
    uint32_t i = 0;
    while (i < batch.count) {
      if (batch.at[i] >= until_) look_up(batch.at[i]);
      if (i == 0 && batch.at[batch.count - 1] < until_) {
        *out.is_constant = true;
        out.codes[0] = code_;
        return;
      }
      for (; i < batch.count && batch.at[i] < until_; ++i) out.codes[i] = code_;
    }
  }
  Cell cell(const uint32_t* key, uint32_t) const override {
    if (cycle_length() != 0) return Cell::of_int(key[0]);
    const auto number = static_cast<int64_t>(codes_.bits(key[0]));
    if (dim_.kind == DimKind::kTrunc) return Cell::of_instant(period_begins(dim_.unit, dim_.zone, number));
    if (dim_.unit == PeriodUnit::kYear) return Cell::of_int(number);
    return {CellKind::kPeriod, dim_.unit, codes_.bits(key[0])};
  }

 private:
  /// Above every number of a part that comes again and again; 0 for periods.
  uint64_t cycle_length() const {
    switch (dim_.unit) {
      case PeriodUnit::kMonthOfYear:
        return 13;
      case PeriodUnit::kDayOfMonth:
        return 32;
      case PeriodUnit::kDayOfWeek:
        return 8;
      case PeriodUnit::kHourOfDay:
        return 24;
      default:
        return 0;
    }
  }
  void look_up(Micros at) {
    const Period period = period_at(dim_.unit, dim_.zone, at);
    until_ = period.until;
    code_ = cycle_length() != 0 ? static_cast<uint32_t>(period.number)
                                : codes_.code_of(0, static_cast<uint64_t>(period.number));
  }

  const Dim& dim_;
  Micros until_ = INT64_MIN;
  uint32_t code_ = 0;
  ValueCodes codes_;
};

}  // namespace

std::unique_ptr<Dimension> make_time_dimension(const Dim& dim) {
  if (dim.kind == DimKind::kBucket) return std::make_unique<BucketDimension>(dim);
  return std::make_unique<PeriodDimension>(dim);
}

}  // namespace palimpsest::aggregate
