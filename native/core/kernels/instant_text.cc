#include "core/kernels/instant_text.h"

#include <charconv>

namespace palimpsest {

namespace {
constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kDaysPerEra = 146'097;
constexpr int64_t kEpochShiftDays = 719'468;  // 0000-03-01 to 1970-01-01

int64_t floor_div(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

char* write_two(int64_t value, char* out) {
  out[0] = static_cast<char>('0' + value / 10);
  out[1] = static_cast<char>('0' + value % 10);
  return out + 2;
}

char* write_six(int64_t value, char* out) {
  for (int digit = 5; digit >= 0; --digit, value /= 10) out[digit] = static_cast<char>('0' + value % 10);
  return out + 6;
}

/// After H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
char* write_date(int64_t days, char* out) {
  const int64_t shifted = days + kEpochShiftDays;
  const int64_t era = floor_div(shifted, kDaysPerEra);
  const int64_t day_of_era = shifted - era * kDaysPerEra;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t march_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * march_month + 2) / 5 + 1;
  const int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
  int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0) {
    *out++ = '-';
    year = -year;
  } else if (year > 9999) {
    *out++ = '+';
    *out++ = static_cast<char>('0' + year / 10'000);
    year %= 10'000;
  }
  out = write_two(year / 100, out);
  out = write_two(year % 100, out);
  *out++ = '-';
  out = write_two(month, out);
  *out++ = '-';
  return write_two(day, out);
}

void append_number(int64_t value, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}
}  // namespace

char* write_instant(Micros instant, char* out) {
  const int64_t seconds = floor_div(instant, kMicrosPerSecond);
  // Not instant - seconds * kMicrosPerSecond: the least int64 is not a whole second.
  const int64_t rest = instant % kMicrosPerSecond;
  const int64_t micros = rest < 0 ? rest + kMicrosPerSecond : rest;
  const int64_t days = floor_div(seconds, kSecondsPerDay);
  const int64_t second = seconds - days * kSecondsPerDay;
  out = write_date(days, out);
  *out++ = 'T';
  out = write_two(second / 3600, out);
  *out++ = ':';
  out = write_two(second / 60 % 60, out);
  *out++ = ':';
  out = write_two(second % 60, out);
  if (micros != 0) {
    *out++ = '.';
    out = write_six(micros, out);
  }
  *out++ = 'Z';
  return out;
}

void append_instant(Micros instant, std::string& out) {
  char text[kInstantBytes];
  out.append(text, write_instant(instant, text));
}

void append_duration(Micros duration, std::string& out) {
  if (duration < 0) out.push_back('-');
  out.append("PT");
  // Unsigned, so that the least int64 has a magnitude.
  const uint64_t magnitude = duration < 0 ? -static_cast<uint64_t>(duration) : static_cast<uint64_t>(duration);
  const auto seconds = static_cast<int64_t>(magnitude / kMicrosPerSecond);
  const auto micros = static_cast<int64_t>(magnitude % kMicrosPerSecond);
  const int64_t hours = seconds / 3600;
  const int64_t minutes = seconds / 60 % 60;
  const int64_t rest = seconds % 60;
  if (hours != 0) {
    append_number(hours, out);
    out.push_back('H');
  }
  if (minutes != 0) {
    append_number(minutes, out);
    out.push_back('M');
  }
  if (rest != 0 || micros != 0 || (hours == 0 && minutes == 0)) {
    append_number(rest, out);
    if (micros != 0) {
      char fraction[6];
      out.push_back('.');
      out.append(fraction, write_six(micros, fraction));
    }
    out.push_back('S');
  }
}

}  // namespace palimpsest
