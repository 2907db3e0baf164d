// What aggregate_events (docs/contract.md P1) is asked: dimensions, aggregates, conditions, orderings, names turned to
// numbers. Read from the buffer that src/operators/native/aggregate-question.ts writes; integers little-endian.
//
//   question   = u8 reciprocal, dims, aggs, counted, conditions, orderings; each of them u32 count, then the members
//   dim        = u8 DimKind, u8 Of (an end, or kEdge of a property), u8 undirected, u8 PeriodUnit, text property,
//                zone: u32 count, then (i64 from, i64 offset) ascending; u32 count and i64 boundaries of buckets
//   agg        = u8 Fn, u8 Of, text property, i64 span or gap, i64 numerator and u32 decimals of a percentile's p
//   counted    = text property, u8 whether a usable value is a number
//   condition  = u32 output column, u8 PredOp (kNever: passes nothing), u32 count, operands as in filter.h
//   ordering   = u32 output column, u8 descending, u8 nulls last
#pragma once

#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/kernels/aggregate/periods.h"
#include "core/kernels/filter/predicate.h"

namespace palimpsest::aggregate {

enum class DimKind : uint8_t { kBucket, kTrunc, kCalendar, kType, kNode, kPair, kLabels, kProp, kCount };
/// What an aggregate or a dimension looks at.
enum class Of : uint8_t { kNothing, kAt, kDuration, kProp, kSrc, kDst, kOther, kPair, kType, kEither, kEdge, kCount };
enum class Fn : uint8_t {
  kCount,
  kCountDistinct,
  kMin,
  kMax,
  kSum,
  kMean,
  kMedian,
  kStddev,
  kPercentile,
  kFirst,
  kLast,
  kMinGap,
  kMeanGap,
  kMaxGap,
  kMaxInSpan,
  kLongestSession,
  kEnd,
};

struct Dim {
  DimKind kind;
  Of of;
  bool is_undirected;
  PeriodUnit unit;
  PropNumber name;  // kNone where no entity ever had the property
  ZoneOffsets zone;
  std::vector<Micros> boundaries;  // of buckets: one more than there are buckets, ascending
};

struct Agg {
  Fn fn;
  Of of;
  PropNumber name;
  Micros length;  // the span or the gap
  int64_t p_numerator;
  uint32_t p_decimals;
};

/// A property of which events without a usable value are counted.
struct Counted {
  PropNumber name;
  bool needs_number;
};

struct Condition {
  static constexpr uint8_t kNever = 255;
  uint32_t column;
  bool is_never;
  PredOp op;
  std::vector<Operand> operands;
};

struct Ordering {
  uint32_t column;
  bool is_descending;
  bool has_nulls_last;
};

struct Question {
  static constexpr uint32_t kMostDims = 6;
  static constexpr uint32_t kMostAggs = 16;

  bool is_reciprocal = false;
  std::vector<Dim> dims;
  std::vector<Agg> aggs;
  std::vector<Counted> counted;
  std::vector<Condition> conditions;
  std::vector<Ordering> orderings;

  /// kInternal for a malformed buffer.
  static Result<Question> parse(std::span<const uint8_t> bytes, const Tables& tables);

  uint32_t dim_columns() const;
  uint32_t column_count() const;
};

/// The output columns of one dimension or aggregate.
uint32_t columns_of(const Dim& dim);
uint32_t columns_of(const Agg& agg);

}  // namespace palimpsest::aggregate
