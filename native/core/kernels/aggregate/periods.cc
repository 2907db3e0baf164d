#include "core/kernels/aggregate/periods.h"

#include <algorithm>

#include "core/kernels/civil_date.h"

namespace palimpsest::aggregate {

namespace {
constexpr Micros kSecond = 1'000'000;
constexpr Micros kMinute = 60 * kSecond;
constexpr Micros kHour = 60 * kMinute;
constexpr Micros kDay = 24 * kHour;
constexpr Micros kFarthestMidnight = 36 * kHour;  // no offset is larger
constexpr int64_t kFirstMonday = 4;               // 1970-01-05

/// Days since a Monday.
int64_t weekday(int64_t day) { return day - kFirstMonday - floor_div(day - kFirstMonday, 7) * 7; }

int64_t number_of_day(PeriodUnit unit, int64_t day) {
  switch (unit) {
    case PeriodUnit::kDay:
      return day;
    case PeriodUnit::kWeek:
      return day - weekday(day);
    case PeriodUnit::kDayOfWeek:
      return weekday(day) + 1;
    default:
      break;
  }
  const CivilDate date = civil_date(day);
  switch (unit) {
    case PeriodUnit::kYear:
      return date.year;
    case PeriodUnit::kQuarter:
      return date.year * 4 + (date.month - 1) / 3;
    case PeriodUnit::kMonth:
      return date.year * 12 + date.month - 1;
    case PeriodUnit::kMonthOfYear:
      return date.month;
    default:
      return date.day;
  }
}

/// The length of the periods that are cut from the time of day, 0 for all others.
Micros clock_length(PeriodUnit unit) {
  switch (unit) {
    case PeriodUnit::kHour:
    case PeriodUnit::kHourOfDay:
      return kHour;
    case PeriodUnit::kMinute:
      return kMinute;
    case PeriodUnit::kSecond:
      return kSecond;
    default:
      return 0;
  }
}

void append_digits(int64_t value, int width, std::string& out) {
  const std::string digits = std::to_string(value);
  for (int zeros = width - static_cast<int>(digits.size()); zeros > 0; --zeros) out.push_back('0');
  out.append(digits);
}

void append_year(int64_t year, std::string& out) {
  if (year < 0) out.push_back('-');
  append_digits(year < 0 ? -year : year, 4, out);
}
}  // namespace

bool ZoneOffsets::add(Micros from, Micros offset) {
  if ((!froms_.empty() && from <= froms_.back()) || offset > kDay || offset < -kDay) return false;
  froms_.push_back(from);
  offsets_.push_back(offset);
  return true;
}

size_t ZoneOffsets::stretch_of(Micros at) const {
  const auto after = std::upper_bound(froms_.begin() + 1, froms_.end(), at);
  return static_cast<size_t>(after - froms_.begin()) - 1;
}

Micros ZoneOffsets::day_begins(int64_t day) const {
  const Micros midnight = day * kDay;
  for (size_t stretch = stretch_of(midnight - kFarthestMidnight);; ++stretch) {
    const Micros at = midnight - offsets_[stretch];
    // Before this stretch began there was no such midnight: the clocks were set forward over it.
    if (stretch > 0 && at < froms_[stretch]) return froms_[stretch];
    if (at < end(stretch)) return at;
  }
}

Period period_at(PeriodUnit unit, const ZoneOffsets& zone, Micros at) {
  const size_t stretch = zone.stretch_of(at);
  const Micros offset = zone.offset(stretch);
  const Micros local = at + offset;
  const Micros length = clock_length(unit);
  if (length != 0) {
    const Micros local_begin = floor_div(local, length) * length;
    const Micros until = std::min(local_begin + length - offset, zone.end(stretch));
    if (unit != PeriodUnit::kHourOfDay) return {local_begin - offset, until};
    return {(local_begin - floor_div(local, kDay) * kDay) / kHour, until};
  }
  const int64_t day = floor_div(local, kDay);
  return {number_of_day(unit, day), std::min((day + 1) * kDay - offset, zone.end(stretch))};
}

Micros period_begins(PeriodUnit unit, const ZoneOffsets& zone, int64_t number) {
  switch (unit) {
    case PeriodUnit::kYear:
      return zone.day_begins(first_day_of_month(number * 12));
    case PeriodUnit::kQuarter:
      return zone.day_begins(first_day_of_month(number * 3));
    case PeriodUnit::kMonth:
      return zone.day_begins(first_day_of_month(number));
    case PeriodUnit::kWeek:
    case PeriodUnit::kDay:
      return zone.day_begins(number);
    default:
      return number;
  }
}

void append_period(PeriodUnit unit, int64_t number, std::string& out) {
  switch (unit) {
    case PeriodUnit::kQuarter:
      append_year(floor_div(number, 4), out);
      out.append("-Q");
      append_digits(number - floor_div(number, 4) * 4 + 1, 1, out);
      return;
    case PeriodUnit::kMonth:
      append_year(floor_div(number, 12), out);
      out.push_back('-');
      append_digits(number - floor_div(number, 12) * 12 + 1, 2, out);
      return;
    case PeriodUnit::kWeek: {
      // ISO: a week is of the year that its Thursday is in.
      const int64_t thursday = number + 3;
      const int64_t year = civil_date(thursday).year;
      append_year(year, out);
      out.append("-W");
      append_digits((thursday - first_day_of_month(year * 12)) / 7 + 1, 2, out);
      return;
    }
    default: {
      const CivilDate date = civil_date(number);
      append_year(date.year, out);
      out.push_back('-');
      append_digits(date.month, 2, out);
      out.push_back('-');
      append_digits(date.day, 2, out);
    }
  }
}

}  // namespace palimpsest::aggregate
