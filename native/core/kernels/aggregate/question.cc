#include "core/kernels/aggregate/question.h"

#include <algorithm>

namespace palimpsest::aggregate {

namespace {
constexpr uint32_t kMostBuckets = 100'000;
constexpr uint32_t kMostOffsets = 100'000;
constexpr uint32_t kMostConditions = 64;
constexpr Micros kLongest = int64_t{1} << 62;

template <typename Enum>
Enum read_enum(OpReader& in, Enum end) {
  const uint8_t value = in.u8();
  if (value < static_cast<uint8_t>(end)) return static_cast<Enum>(value);
  in.fail();
  return Enum{};
}

uint32_t read_count(OpReader& in, uint32_t most) {
  const uint32_t count = in.u32();
  if (count <= most) return count;
  in.fail();
  return 0;
}

/// Reads `count` members by `read`, as far as the buffer is good.
template <typename T, typename Read>
std::vector<T> read_list(OpReader& in, uint32_t most, Read&& read) {
  const uint32_t count = read_count(in, most);
  std::vector<T> members;
  for (uint32_t i = 0; i < count && in.is_good(); ++i) members.push_back(read());
  return members;
}

Dim read_dim(OpReader& in, const Tables& tables) {
  Dim dim{};
  dim.kind = read_enum(in, DimKind::kCount);
  dim.of = read_enum(in, Of::kCount);
  dim.is_undirected = in.u8() != 0;
  dim.unit = read_enum(in, PeriodUnit::kCount);
  dim.name = tables.prop_names.find(in.text());
  const uint32_t offsets = read_count(in, kMostOffsets);
  for (uint32_t i = 0; i < offsets && in.is_good(); ++i) {
    const Micros from = in.i64();
    if (!dim.zone.add(from, in.i64())) in.fail();
  }
  const bool is_period = dim.kind == DimKind::kTrunc || dim.kind == DimKind::kCalendar;
  if (is_period && dim.zone.is_empty()) in.fail();
  dim.boundaries = read_list<Micros>(in, kMostBuckets + 1, [&] { return in.i64(); });
  if (!std::is_sorted(dim.boundaries.begin(), dim.boundaries.end())) in.fail();
  if (dim.kind == DimKind::kBucket && dim.boundaries.size() < 2) in.fail();
  const bool has_end = dim.of == Of::kSrc || dim.of == Of::kDst;
  if (dim.kind == DimKind::kNode && !has_end && dim.of != Of::kEither) in.fail();
  if (dim.kind == DimKind::kLabels && !has_end) in.fail();
  if (dim.kind == DimKind::kProp && !has_end && dim.of != Of::kEdge) in.fail();
  return dim;
}

/// Whether a function may look at this; what the arguments' schema says, so that no measure meets anything else.
bool is_legal(Fn fn, Of of) {
  switch (fn) {
    case Fn::kCountDistinct:
      return of == Of::kSrc || of == Of::kDst || of == Of::kOther || of == Of::kPair || of == Of::kType ||
             of == Of::kProp;
    case Fn::kMin:
    case Fn::kMax:
    case Fn::kSum:
    case Fn::kMean:
    case Fn::kMedian:
    case Fn::kStddev:
    case Fn::kPercentile:
      return of == Of::kAt || of == Of::kDuration || of == Of::kProp;
    case Fn::kFirst:
    case Fn::kLast:
      return of == Of::kAt || of == Of::kOther || of == Of::kSrc || of == Of::kDst || of == Of::kProp;
    case Fn::kMaxInSpan:
      return of == Of::kNothing || of == Of::kOther || of == Of::kDst;
    default:
      return true;
  }
}

Agg read_agg(OpReader& in, const Tables& tables) {
  Agg agg{};
  agg.fn = read_enum(in, Fn::kEnd);
  agg.of = read_enum(in, Of::kCount);
  agg.name = tables.prop_names.find(in.text());
  agg.length = in.i64();
  agg.p_numerator = in.i64();
  agg.p_decimals = in.u32();
  if (!is_legal(agg.fn, agg.of) || agg.length < 0 || agg.length > kLongest || agg.p_numerator < 0) in.fail();
  return agg;
}

Condition read_condition(OpReader& in, const Tables& tables) {
  Condition condition{};
  condition.column = in.u32();
  const uint8_t op = in.u8();
  condition.is_never = op == Condition::kNever;
  condition.op = condition.is_never ? PredOp::kEq : static_cast<PredOp>(op);
  const uint32_t count = in.u32();
  for (uint32_t i = 0; i < count && in.is_good(); ++i) condition.operands.push_back(read_operand(in, tables));
  if (condition.is_never) return condition;
  const bool is_comparison = condition.op >= PredOp::kEq && condition.op <= PredOp::kEndsWith;
  const size_t needed = condition.op == PredOp::kBetween ? 2 : 1;
  if (!is_comparison || (condition.op != PredOp::kIn && condition.operands.size() != needed)) in.fail();
  return condition;
}
}  // namespace

uint32_t columns_of(const Dim& dim) { return dim.kind == DimKind::kBucket || dim.kind == DimKind::kPair ? 2 : 1; }

uint32_t columns_of(const Agg& agg) { return agg.fn == Fn::kMaxInSpan || agg.fn == Fn::kLongestSession ? 2 : 1; }

uint32_t Question::dim_columns() const {
  uint32_t count = 0;
  for (const Dim& dim : dims) count += columns_of(dim);
  return count;
}

uint32_t Question::column_count() const {
  uint32_t count = dim_columns();
  for (const Agg& agg : aggs) count += columns_of(agg);
  return count;
}

Result<Question> Question::parse(std::span<const uint8_t> bytes, const Tables& tables) {
  OpReader in(bytes);
  Question question;
  question.is_reciprocal = in.u8() != 0;
  question.dims = read_list<Dim>(in, kMostDims, [&] { return read_dim(in, tables); });
  question.aggs = read_list<Agg>(in, kMostAggs, [&] { return read_agg(in, tables); });
  question.counted = read_list<Counted>(in, kMostAggs, [&] {
    const PropNumber name = tables.prop_names.find(in.text());
    return Counted{name, in.u8() != 0};
  });
  question.conditions = read_list<Condition>(in, kMostConditions, [&] { return read_condition(in, tables); });
  question.orderings = read_list<Ordering>(in, kMostConditions, [&] {
    const uint32_t column = in.u32();
    const bool is_descending = in.u8() != 0;
    return Ordering{column, is_descending, in.u8() != 0};
  });
  const auto asks_other = [](const Agg& agg) { return agg.of == Of::kOther; };
  const auto is_node = [](const Dim& dim) { return dim.kind == DimKind::kNode; };
  const bool has_other = std::any_of(question.aggs.begin(), question.aggs.end(), asks_other);
  if (has_other && std::count_if(question.dims.begin(), question.dims.end(), is_node) != 1) in.fail();
  const uint32_t columns = question.column_count();
  const auto is_known = [&](const auto& member) { return member.column < columns; };
  if (!in.is_good() || !in.is_at_end() ||
      !std::all_of(question.conditions.begin(), question.conditions.end(), is_known) ||
      !std::all_of(question.orderings.begin(), question.orderings.end(), is_known)) {
    return Status(Code::kInternal, "the question's buffer is malformed");
  }
  return question;
}

}  // namespace palimpsest::aggregate
