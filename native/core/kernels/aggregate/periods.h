// Calendar periods in the local time of a zone: which one holds an instant, where it begins, what it is called.
// The zone comes as a table of offsets; nothing here knows zones by name or what is counted by them.
#pragma once

#include <string>
#include <vector>

#include "core/base/types.h"

namespace palimpsest::aggregate {

/// Periods, then the cyclic parts of an instant.
enum class PeriodUnit : uint8_t {
  kYear,
  kQuarter,
  kMonth,
  kWeek,
  kDay,
  kHour,
  kMinute,
  kSecond,
  kMonthOfYear,
  kDayOfMonth,
  kDayOfWeek,
  kHourOfDay,
  kCount,
};

/// Local minus UTC over all time.
class ZoneOffsets {
 public:
  /// Appends a stretch; the first one holds for all time before it too. False when it is not after the last one.
  bool add(Micros from, Micros offset);
  bool is_empty() const { return froms_.empty(); }
  bool is_fixed() const { return froms_.size() == 1; }
  size_t stretch_of(Micros at) const;
  Micros offset(size_t stretch) const { return offsets_[stretch]; }
  Micros end(size_t stretch) const { return stretch + 1 < froms_.size() ? froms_[stretch + 1] : INT64_MAX; }
  /// The first instant of a local day: its first midnight, or the end of the gap that swallowed it.
  Micros day_begins(int64_t day) const;

 private:
  std::vector<Micros> froms_;
  std::vector<Micros> offsets_;
};

/// The number of a period or part, and until when (at least) later instants have the same one.
struct Period {
  int64_t number;
  Micros until;
};

/// Years are their own number; quarters, months and hours count on; weeks and days are the number of their first day.
/// Hours, minutes and seconds are the instant at which they begin.
Period period_at(PeriodUnit unit, const ZoneOffsets& zone, Micros at);
/// The uncut beginning of a period.
Micros period_begins(PeriodUnit unit, const ZoneOffsets& zone, int64_t number);
/// `2004-Q2`, `2004-04`, `2004-W16` or `2004-04-15` of a quarter, month, week or day.
void append_period(PeriodUnit unit, int64_t number, std::string& out);

}  // namespace palimpsest::aggregate
