#include "core/kernels/aggregate/measure.h"

namespace palimpsest::aggregate {

std::unique_ptr<Measure> make_measure(const Agg& agg, const MeasureNeeds& needs) {
  switch (agg.fn) {
    case Fn::kCount:
    case Fn::kCountDistinct:
      return make_count(agg, needs);
    case Fn::kMin:
    case Fn::kMax:
      return make_extreme(agg, needs);
    case Fn::kSum:
    case Fn::kMean:
    case Fn::kStddev:
      return make_sum(agg, needs);
    case Fn::kMedian:
    case Fn::kPercentile:
    case Fn::kMaxInSpan:
      return make_gathered(agg, needs);
    default:
      return make_sequence(agg, needs);
  }
}

}  // namespace palimpsest::aggregate
