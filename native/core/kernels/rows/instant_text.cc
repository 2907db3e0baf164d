#include "core/kernels/rows/instant_text.h"

#include <charconv>

#include "core/kernels/civil_date.h"

namespace palimpsest {

namespace {
constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

char* write_two(int64_t value, char* out) {
  out[0] = static_cast<char>('0' + value / 10);
  out[1] = static_cast<char>('0' + value % 10);
  return out + 2;
}

char* write_six(int64_t value, char* out) {
  for (int digit = 5; digit >= 0; --digit, value /= 10) out[digit] = static_cast<char>('0' + value % 10);
  return out + 6;
}

char* write_date(int64_t days, char* out) {
  auto [year, month, day] = civil_date(days);
  // Beyond the calendar stand its end and the beginnings of periods that it cuts.
  if (year > 9999) *out++ = '+';
  if (year < 0) *out++ = '-';
  year = year < 0 ? -year : year;
  if (year > 9999) {
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
