// min and max: the value itself, as it is stored; of equal ones the first in event order.
#include "core/kernels/aggregate/measure.h"

namespace palimpsest::aggregate {

namespace {

class ExtremeMeasure : public Measure {
 public:
  ExtremeMeasure(const Agg& agg, uint32_t source) : of_(agg.of), is_min_(agg.fn == Fn::kMin), source_(source) {}

  void add(const Batch& batch, uint32_t groups) override {
    kinds_.resize(groups, kNoValue);
    bits_.resize(groups, 0);
    const ValueColumn& values = batch.values[source_];
    for (uint32_t i = 0; i < batch.count; ++i) {
      const auto kind = static_cast<PropKind>(values.kinds[i]);
      if (!is_number(kind)) continue;
      const uint32_t group = batch.group[i];
      if (kinds_[group] != kNoValue && !is_better(kind, values.bits[i], group)) continue;
      kinds_[group] = values.kinds[i];
      bits_[group] = values.bits[i];
    }
  }
  uint64_t bytes() const override { return kinds_.capacity() + bits_.capacity() * sizeof(uint64_t); }
  Cell cell(uint32_t group, uint32_t) const override {
    if (group >= kinds_.size() || kinds_[group] == kNoValue) return {};
    if (of_ == Of::kProp) return Cell::of_value(static_cast<PropKind>(kinds_[group]), bits_[group]);
    return Cell::of(kind_of(of_), bits_[group]);
  }

 private:
  bool is_better(PropKind kind, uint64_t bits, uint32_t group) const {
    const ExactNumber value = ExactNumber::of_bits(kind, bits);
    const ExactNumber best = ExactNumber::of_bits(static_cast<PropKind>(kinds_[group]), bits_[group]);
    return is_min_ ? value < best : best < value;
  }

  Of of_;
  bool is_min_;
  uint32_t source_;
  std::vector<uint8_t> kinds_;
  std::vector<uint64_t> bits_;
};

}  // namespace

std::unique_ptr<Measure> make_extreme(const Agg& agg, const MeasureNeeds& needs) {
  return std::make_unique<ExtremeMeasure>(agg, needs.feed.source(agg.of, agg.name));
}

}  // namespace palimpsest::aggregate
