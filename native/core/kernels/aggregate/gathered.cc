// median, percentile and max_in_span, from the logs in which a group's values stand side by side.
#include <cmath>

#include "core/kernels/aggregate/measure.h"
#include "core/kernels/node_marks.h"
#include "core/kernels/numbers/exact_sum.h"

namespace palimpsest::aggregate {

namespace {
using exact::Int128;

class RankMeasure : public Measure {
 public:
  RankMeasure(const Agg& agg, const ValueLog& log) : agg_(agg), log_(log) {}

  void add(const Batch&, uint32_t) override {}  // the log takes the values
  uint64_t bytes() const override { return 0; }
  Status finish(StepCounter& steps, uint32_t groups) override {
    for (uint32_t group = 0; agg_.fn == Fn::kMedian && agg_.of == Of::kProp && group < groups; ++group) {
      if (!steps.add(1)) return steps.status();
      const uint64_t count = log_.count(group);
      if (count == 0 || count % 2 != 0) continue;
      if (!std::isfinite(middle_sum(group, count))) return {Code::kLimit, "a median is out of the range of a double"};
    }
    return Status::ok();
  }
  Cell cell(uint32_t group, uint32_t) const override {
    const uint64_t count = log_.count(group);
    if (count == 0) return {};
    if (agg_.fn == Fn::kPercentile) return stored(group, rank(count));
    if (count % 2 != 0) return stored(group, count / 2);
    return mean_of_middle(group, count);
  }

 private:
  Cell stored(uint32_t group, uint64_t at) const {
    const uint64_t bits = log_.bits(group)[at];
    return agg_.of == Of::kProp ? Cell::of_value(log_.kind(group, at), bits) : Cell::of(kind_of(agg_.of), bits);
  }
  /// The position of the ceil(n * p / 100)-th value, the first for p = 0; p is exact, as it was written.
  uint64_t rank(uint64_t count) const {
    constexpr uint32_t kMostDecimals = 30;  // from there on p stands below every rank
    const auto scaled = static_cast<exact::UInt128>(agg_.p_numerator) * count;
    exact::UInt128 hundred = 100;
    for (uint32_t i = 0; i < std::min(agg_.p_decimals, kMostDecimals); ++i) hundred *= 10;
    const auto nth = static_cast<uint64_t>((scaled + hundred - 1) / hundred);
    return std::min(std::max<uint64_t>(nth, 1), count) - 1;
  }
  bool is_middle_int(uint32_t group, uint64_t count) const {
    return log_.kind(group, count / 2 - 1) == PropKind::kInt64 && log_.kind(group, count / 2) == PropKind::kInt64;
  }
  Int128 int_sum(uint32_t group, uint64_t count) const {
    const auto bits = log_.bits(group);
    return Int128{static_cast<int64_t>(bits[count / 2 - 1])} + static_cast<int64_t>(bits[count / 2]);
  }
  double middle_sum(uint32_t group, uint64_t count) const {
    if (is_middle_int(group, count)) return 0;
    exact::ExactSum sum;
    for (const uint64_t at : {count / 2 - 1, count / 2}) {
      const uint64_t bits = log_.bits(group)[at];
      if (log_.kind(group, at) == PropKind::kInt64) {
        sum.add(static_cast<int64_t>(bits));
      } else {
        sum.add(std::bit_cast<double>(bits));
      }
    }
    return sum.nearest_double();
  }
  Cell mean_of_middle(uint32_t group, uint64_t count) const {
    if (agg_.of != Of::kProp) {
      const Int128 mean = exact::nearest_whole(int_sum(group, count), 2);
      return Cell::of(kind_of(agg_.of), static_cast<uint64_t>(static_cast<int64_t>(mean)));
    }
    if (is_middle_int(group, count)) return Cell::of_double(exact::mean(int_sum(group, count), 2));
    return Cell::of_double(exact::rounded(middle_sum(group, count) / 2));
  }

  Agg agg_;
  const ValueLog& log_;
};

/// The most events, or nodes, in any [t, t + span), and the least such t; the most is always met at an event.
class SpanMeasure : public Measure {
 public:
  SpanMeasure(const Pin& pin, Micros span, const ValueLog& instants, const ValueLog* nodes)
      : pin_(pin), span_(span), instants_(instants), nodes_(nodes) {}

  void add(const Batch&, uint32_t) override {}
  uint64_t bytes() const override { return best_.capacity() * sizeof(Best); }
  Status finish(StepCounter& steps, uint32_t groups) override {
    best_.resize(groups);
    NodeMarks seen(pin_.view().node_count);
    for (uint32_t group = 0; group < groups; ++group) {
      if (!steps.add(instants_.count(group))) return steps.status();
      best_[group] = best_of(group, seen);
    }
    return Status::ok();
  }
  Cell cell(uint32_t group, uint32_t column) const override {
    const Best& best = best_[group];
    if (column == 0) return Cell::of_int(static_cast<int64_t>(best.count));
    return best.count == 0 ? Cell{} : Cell::of_instant(best.at);
  }

 private:
  struct Best {
    uint64_t count = 0;
    Micros at = 0;
  };

  Best best_of(uint32_t group, NodeMarks& seen) const {
    const auto at = instants_.bits(group);
    const auto instant = [&](size_t i) { return static_cast<Micros>(at[i]); };
    Best best;
    size_t end = 0;
    uint64_t inside = 0;
    // `seen` counts each node in the window and is back at zero behind the last one.
    const auto enter = [&](size_t i) {
      if (nodes_ == nullptr) return void(++inside);
      const auto node = static_cast<NodeNumber>(nodes_->bits(group)[i]);
      const uint32_t times = seen.value_or(node, 0);
      seen.set(node, times + 1);
      inside += times == 0 ? 1 : 0;
    };
    const auto leave = [&](size_t i) {
      if (nodes_ == nullptr) return void(--inside);
      const auto node = static_cast<NodeNumber>(nodes_->bits(group)[i]);
      const uint32_t times = seen.value(node);
      seen.set(node, times - 1);
      inside -= times == 1 ? 1 : 0;
    };
    for (size_t begin = 0; begin < at.size(); ++begin) {
      for (; end < at.size() && instant(end) - instant(begin) < span_; ++end) enter(end);
      if (inside > best.count) best = {inside, instant(begin)};
      leave(begin);
    }
    return best;
  }

  const Pin& pin_;
  Micros span_;
  const ValueLog& instants_;
  const ValueLog* nodes_;
  std::vector<Best> best_;
};

}  // namespace

std::unique_ptr<Measure> make_gathered(const Agg& agg, const MeasureNeeds& needs) {
  if (agg.fn != Fn::kMaxInSpan) {
    return std::make_unique<RankMeasure>(agg, needs.logs.log(agg.of, needs.feed.source(agg.of, agg.name)));
  }
  const ValueLog& instants = needs.logs.log(Of::kAt, needs.feed.source(Of::kAt, kNone));
  const ValueLog* nodes = agg.of == Of::kNothing ? nullptr : &needs.logs.log(agg.of, 0);
  return std::make_unique<SpanMeasure>(needs.pin, agg.length, instants, nodes);
}

}  // namespace palimpsest::aggregate
