// sum, mean and stddev: exact to the last event, rounded once at the end.
// Integers are summed in 128 bits; a group gets a wider sum with its first double.
#include <cmath>

#include "core/kernels/aggregate/measure.h"
#include "core/kernels/numbers/exact_sum.h"

namespace palimpsest::aggregate {

namespace {
using exact::ExactSum;
using exact::Int128;

constexpr uint64_t kBytesOfSum = sizeof(ExactSum) + 32;  // with the limbs that most sums need

Status out_of_int64() { return {Code::kLimit, "a sum is out of the range of int64"}; }
Status out_of_double() { return {Code::kLimit, "a sum is out of the range of a double"}; }

class SumMeasure : public Measure {
 public:
  SumMeasure(const Agg& agg, uint32_t source) : of_(agg.of), is_mean_(agg.fn == Fn::kMean), source_(source) {}

  void add(const Batch& batch, uint32_t groups) override {
    sums_.resize(groups, 0);
    counts_.resize(groups, 0);
    const ValueColumn& values = batch.values[source_];
    for (uint32_t i = 0; i < batch.count; ++i) {
      const uint32_t group = batch.group[i];
      if (values.kinds[i] == static_cast<uint8_t>(PropKind::kInt64)) {
        sums_[group] += static_cast<int64_t>(values.bits[i]);
      } else if (values.kinds[i] == static_cast<uint8_t>(PropKind::kDouble)) {
        wide_sum(group).add(std::bit_cast<double>(values.bits[i]));
      } else {
        continue;
      }
      ++counts_[group];
    }
  }
  uint64_t bytes() const override {
    return sums_.capacity() * (sizeof(Int128) + sizeof(uint64_t)) + wide_numbers_.capacity() * sizeof(uint32_t) +
           wide_.capacity() * kBytesOfSum;
  }

  Status finish(StepCounter& steps, uint32_t) override {
    for (uint32_t group = 0; group < sums_.size(); ++group) {
      if (!steps.add(1)) return steps.status();
      if (has_wide(group)) {
        if (!std::isfinite(total(group))) return out_of_double();
      } else if (!is_mean_ && static_cast<int64_t>(sums_[group]) != sums_[group]) {
        return out_of_int64();
      }
    }
    return Status::ok();
  }

  Cell cell(uint32_t group, uint32_t) const override {
    if (group >= counts_.size() || counts_[group] == 0) return {};
    const uint64_t count = counts_[group];
    if (has_wide(group)) {
      const double sum = total(group);
      return Cell::of_double(exact::rounded(is_mean_ ? sum / static_cast<double>(count) : sum));
    }
    const Int128 sum = sums_[group];
    if (!is_mean_) return Cell::of(kind_of(of_), static_cast<uint64_t>(static_cast<int64_t>(sum)));
    if (of_ == Of::kProp) return Cell::of_double(exact::mean(sum, count));
    return Cell::of(kind_of(of_), static_cast<uint64_t>(static_cast<int64_t>(exact::nearest_whole(sum, count))));
  }

 private:
  static constexpr uint32_t kNarrow = 0;

  bool has_wide(uint32_t group) const { return group < wide_numbers_.size() && wide_numbers_[group] != kNarrow; }
  ExactSum& wide_sum(uint32_t group) {
    wide_numbers_.resize(sums_.size(), kNarrow);
    if (wide_numbers_[group] == kNarrow) {
      wide_.emplace_back();
      wide_numbers_[group] = static_cast<uint32_t>(wide_.size());
    }
    return wide_[wide_numbers_[group] - 1];
  }
  /// The correctly rounded sum of a group that has doubles.
  double total(uint32_t group) const {
    ExactSum sum = wide_[wide_numbers_[group] - 1];
    sum.add(exact::magnitude_of(sums_[group]), 0, sums_[group] < 0);
    return sum.nearest_double();
  }

  Of of_;
  bool is_mean_;
  uint32_t source_;
  std::vector<Int128> sums_;  // of integers
  std::vector<uint64_t> counts_;
  std::vector<uint32_t> wide_numbers_;  // per group: the position in `wide_` + 1
  std::vector<ExactSum> wide_;          // of doubles
};

class DeviationMeasure : public Measure {
 public:
  DeviationMeasure(const Agg& agg, uint32_t source) : of_(agg.of), source_(source) {}

  void add(const Batch& batch, uint32_t groups) override {
    moments_.resize(groups);
    const ValueColumn& values = batch.values[source_];
    for (uint32_t i = 0; i < batch.count; ++i) {
      const auto kind = static_cast<PropKind>(values.kinds[i]);
      if (!is_number(kind)) continue;
      Moments& moments = moments_[batch.group[i]];
      ++moments.count;
      if (kind == PropKind::kInt64) {
        add_value(moments, static_cast<int64_t>(values.bits[i]));
      } else {
        add_value(moments, std::bit_cast<double>(values.bits[i]));
      }
    }
  }
  uint64_t bytes() const override { return moments_.capacity() * (2 * kBytesOfSum + sizeof(uint64_t)); }
  Cell cell(uint32_t group, uint32_t) const override {
    if (group >= moments_.size() || moments_[group].count == 0) return {};
    const Moments& moments = moments_[group];
    const double deviation = exact::deviation(moments.sum, moments.squares, moments.count);
    if (of_ == Of::kProp) return Cell::of_double(exact::rounded(deviation));
    // The deviation of instants is a length of time, as that of lengths is.
    return Cell::of_duration(static_cast<Micros>(std::nearbyint(deviation)));
  }

 private:
  struct Moments {
    ExactSum sum;
    ExactSum squares;
    uint64_t count = 0;
  };
  template <typename T>
  static void add_value(Moments& moments, T value) {
    moments.sum.add(value);
    moments.squares.add_square(value);
  }

  Of of_;
  uint32_t source_;
  std::vector<Moments> moments_;
};

}  // namespace

std::unique_ptr<Measure> make_sum(const Agg& agg, const MeasureNeeds& needs) {
  const uint32_t source = needs.feed.source(agg.of, agg.name);
  if (agg.fn == Fn::kStddev) return std::make_unique<DeviationMeasure>(agg, source);
  return std::make_unique<SumMeasure>(agg, source);
}

}  // namespace palimpsest::aggregate
