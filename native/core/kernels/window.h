// A stretch of valid time that rows touch; both ends may be unbounded.
#pragma once

#include <algorithm>

#include "core/base/types.h"

namespace palimpsest {

struct ValidWindow {
  Micros from = INT64_MIN;
  Micros to = INT64_MAX;

  /// An open end (2^62) lies beyond every instant that a window can name.
  bool touches(Micros valid_from, Micros valid_to) const { return valid_from < to && from < valid_to; }
  bool holds(Micros at) const { return from <= at && at < to; }
  bool is_unbounded() const { return from == INT64_MIN && to == INT64_MAX; }
  /// Where the ends of an edge version are judged: its beginning, cut to the window.
  Micros judged_at(Micros valid_from) const { return std::max(valid_from, from); }
};

}  // namespace palimpsest
