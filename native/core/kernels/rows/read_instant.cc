#include "core/kernels/rows/read_instant.h"

#include <algorithm>

namespace palimpsest {

namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

/// Takes what it is asked for from the front; bad for good once it was not there.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return rest_.empty(); }

  bool take_if(char sign) {
    if (rest_.empty() || rest_.front() != sign) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void take(char sign) { is_good_ = take_if(sign) && is_good_; }
  int64_t digits(size_t count) {
    int64_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!has_digit()) {
        is_good_ = false;
        return 0;
      }
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  /// A fraction of a second, one digit or more, of which those after the sixth must be zero.
  int64_t micros() {
    is_good_ = is_good_ && has_digit();
    int64_t value = 0;
    for (int64_t unit = kMicrosPerSecond / 10; has_digit(); unit /= 10) {
      if (unit == 0 && rest_.front() != '0') is_good_ = false;
      value += unit * (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }

 private:
  bool has_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }

  std::string_view rest_;
  bool is_good_ = true;
};

bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int64_t days_in_month(int64_t year, int64_t month) {
  constexpr int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

/// Days from 1970-01-01. After H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
int64_t days_of(int64_t year, int64_t month, int64_t day) {
  const int64_t shifted = month <= 2 ? year - 1 : year;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  const int64_t year_of_era = shifted - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

}  // namespace

std::optional<Micros> read_instant(std::string_view text) {
  TextReader in(text);
  const bool is_negative = in.take_if('-');
  const int64_t year = in.digits(4);
  in.take('-');
  const int64_t month = in.digits(2);
  in.take('-');
  const int64_t day = in.digits(2);
  if (!in.is_good() || (is_negative && year == 0) || month < 1 || month > 12) return std::nullopt;
  const int64_t signed_year = is_negative ? -year : year;
  if (day < 1 || day > days_in_month(signed_year, month)) return std::nullopt;
  int64_t seconds = days_of(signed_year, month, day) * kSecondsPerDay;
  if (in.is_at_end()) return seconds * kMicrosPerSecond;

  if (!in.take_if('T') && !in.take_if('t') && !in.take_if(' ')) return std::nullopt;
  const int64_t hour = in.digits(2);
  in.take(':');
  const int64_t minute = in.digits(2);
  in.take(':');
  const int64_t second = in.digits(2);
  const int64_t micros = in.take_if('.') ? in.micros() : 0;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  seconds += hour * 3600 + minute * 60 + second;
  if (!in.take_if('Z') && !in.take_if('z')) {
    const bool is_east = in.take_if('+');
    if (!is_east) in.take('-');
    const int64_t hours = in.digits(2);
    in.take(':');
    const int64_t minutes = in.digits(2);
    if (hours > 23 || minutes > 59) return std::nullopt;
    seconds += (hours * 3600 + minutes * 60) * (is_east ? -1 : 1);
  }
  if (!in.is_good() || !in.is_at_end()) return std::nullopt;
  const Micros instant = seconds * kMicrosPerSecond + micros;
  if (instant < kBeginning || instant >= kCalendarEnd) return std::nullopt;
  return instant;
}

}  // namespace palimpsest
