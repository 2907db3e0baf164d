// What temporal_paths is asked at a pin: names resolved to numbers, instants in microseconds.
// Holds arguments and the rules that follow from them; knows nothing of the searches.
#pragma once

#include <optional>

#include "core/kernels/corners/khop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/reach/types.h"

namespace palimpsest::paths {

using reach::Clock;

/// Order is that of CRITERIA in src/native/paths.ts.
enum class Criterion : uint8_t { kForemost = 0, kFastest = 1, kShortest = 2, kLatestDeparture = 3 };

/// Longer than the calendar, and short enough to be added to any instant of it.
inline constexpr Clock kEver = 2'000'000'000'000'000'000;

struct WaitRules {
  Clock tie = 0;       // the least stay between two steps: 0, or 1 when ties are strict
  Clock wait = kEver;  // the longest stay; kEver when there is no limit
  bool has_limit() const { return wait != kEver; }
};

struct Question {
  NodeNumber src = kNone;
  NodeNumber dst = kNone;
  Criterion criterion = Criterion::kForemost;
  uint32_t k = 1;
  uint32_t min_hops = 1;
  uint32_t max_hops = 1;
  Micros from = kBeginning;
  Micros to = kCalendarEnd;
  Orientation orientation = Orientation::kOut;
  reach::Crossing crossing = reach::Crossing::kInstant;
  bool is_strict = false;
  std::optional<Micros> max_wait;

  bool is_ride() const { return crossing == reach::Crossing::kRide; }
  /// The last instant at which a path may arrive.
  Micros last_arrival() const { return is_ride() ? to : to - 1; }
  WaitRules rules() const {
    WaitRules rules;
    rules.tie = is_strict ? 1 : 0;
    // Nobody can wait longer than the window lasts.
    if (max_wait && *max_wait < to - from) rules.wait = *max_wait;
    return rules;
  }
};

/// The filters of a call; those on the ends judge src at the departure and dst at the arrival of a path.
struct Filters {
  Filter where;
  std::optional<Filter> src;
  std::optional<Filter> dst;
};

}  // namespace palimpsest::paths
