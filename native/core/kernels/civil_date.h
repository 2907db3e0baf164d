// Days since 1970-01-01 and proleptic Gregorian dates, in plain integer arithmetic.
// After H. Hinnant, "chrono-Compatible Low-Level Date Algorithms"; knows no zones and no texts.
#pragma once

#include <cstdint>

namespace palimpsest {

inline int64_t floor_div(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

struct CivilDate {
  int64_t year;
  int64_t month;  // 1..12
  int64_t day;    // 1..31
};

inline constexpr int64_t kDaysPerEra = 146'097;
inline constexpr int64_t kEpochShiftDays = 719'468;  // 0000-03-01 to 1970-01-01

inline CivilDate civil_date(int64_t days) {
  const int64_t shifted = days + kEpochShiftDays;
  const int64_t era = floor_div(shifted, kDaysPerEra);
  const int64_t day_of_era = shifted - era * kDaysPerEra;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t march_month = (5 * day_of_year + 2) / 153;
  const int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_year - (153 * march_month + 2) / 5 + 1};
}

/// The first day of a month that is counted from January of the year 0.
inline int64_t first_day_of_month(int64_t months) {
  const int64_t year = floor_div(months, 12);
  const int64_t month = months - year * 12 + 1;
  const int64_t march_year = month <= 2 ? year - 1 : year;
  const int64_t era = floor_div(march_year, 400);
  const int64_t year_of_era = march_year - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
  return era * kDaysPerEra + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - kEpochShiftDays;
}

}  // namespace palimpsest
