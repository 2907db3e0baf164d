// Output forms: instants, durations, numbers of canonical JSON, strings, and the order of keys.
// Expected texts are those of ECMAScript and of docs/contract.md, written by hand.
#include <string>

#include "core/kernels/rows/instant_text.h"
#include "core/kernels/rows/json_text.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

std::string instant(Micros value) {
  std::string out;
  append_instant(value, out);
  return out;
}
std::string duration(Micros value) {
  std::string out;
  append_duration(value, out);
  return out;
}
std::string number(double value) {
  std::string out;
  append_json_double(value, out);
  return out;
}
std::string quoted(const std::string& value) {
  std::string out;
  append_json_string(value, out);
  return out;
}

}  // namespace

int main() {
  CHECK(instant(0) == "1970-01-01T00:00:00Z");
  CHECK(instant(-1) == "1969-12-31T23:59:59.999999Z");
  CHECK(instant(1'082'016'161'000'000) == "2004-04-15T08:02:41Z");
  CHECK(instant(1'582'934'400'000'001) == "2020-02-29T00:00:00.000001Z");
  CHECK(instant(kBeginning) == "-9999-01-01T00:00:00Z");
  CHECK(instant(kCalendarEnd) == "+10000-01-01T00:00:00Z");
  CHECK(instant(kCalendarEnd - 1) == "9999-12-31T23:59:59.999999Z");
  CHECK(instant(-62'167'219'200'000'000) == "0000-01-01T00:00:00Z");
  CHECK(instant(-62'167'219'200'000'001) == "-0001-12-31T23:59:59.999999Z");

  CHECK(duration(0) == "PT0S");
  CHECK(duration(1) == "PT0.000001S");
  CHECK(duration(3'600'000'000) == "PT1H");
  CHECK(duration(90'061'500'000) == "PT25H1M1.500000S");
  CHECK(duration(60'000'000) == "PT1M");
  CHECK(duration(-5'000'000) == "-PT5S");

  CHECK(number(0.0) == "0");
  CHECK(number(-0.0) == "0");
  CHECK(number(0.5) == "0.5");
  CHECK(number(-1.25e-7) == "-1.25e-7");
  CHECK(number(0.000001) == "0.000001");
  CHECK(number(1e-7) == "1e-7");
  CHECK(number(123456.789) == "123456.789");
  CHECK(number(0.1 + 0.2) == "0.30000000000000004");
  CHECK(number(5e-324) == "5e-324");
  CHECK(number(1.7976931348623157e308) == "1.7976931348623157e+308");
  CHECK(number(9'007'199'254'740'992.0) == "9.007199254740992e+15");
  CHECK(number(-9'007'199'254'740'994.0) == "-9.007199254740994e+15");
  CHECK(number(1e21) == "1e+21");
  CHECK(number(2251799813685248.5) == "2251799813685248.5");

  CHECK(quoted("a\"\\\n\x01\x7f/é") == "\"a\\\"\\\\\\n\\u0001\x7f/é\"");
  CHECK(quoted("") == "\"\"");

  // U+1F600 is D83D DE00 in UTF-16 and so stands before U+FF5E, though its bytes stand after.
  CHECK(is_utf16_less("\xF0\x9F\x98\x80", "\xEF\xBD\x9E"));
  CHECK(!is_utf16_less("\xEF\xBD\x9E", "\xF0\x9F\x98\x80"));
  CHECK(is_utf16_less("a", "ab") && !is_utf16_less("a", "a") && is_utf16_less("Z", "a"));
  CHECK(is_utf16_less("\xED\x9F\xBF", "\xF0\x9F\x98\x80"));
  return 0;
}
