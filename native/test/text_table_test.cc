// TextTable against a plain map: numbers in order of first appearance, growth, truncation and numbers given anew.
#include "core/store/text_table.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/base/utf8.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

std::string random_text(Random& random) {
  // Short alphabets make collisions of prefixes, NUL bytes and empty texts likely.
  static constexpr char kBytes[] = {'a', 'b', '\0', '\xC3', '\xA9', '#'};
  std::string text(random() % 3 == 0 ? random() % 40 : random() % 5, 'a');
  for (char& byte : text) byte = kBytes[random() % sizeof kBytes];
  return text;
}

void check_all(const TextTable& table, const std::vector<std::string>& texts) {
  CHECK(table.count() == texts.size());
  for (uint32_t number = 0; number < texts.size(); ++number) {
    CHECK(table.get(number) == texts[number]);
    CHECK(table.find(texts[number]) == number);
  }
}

void test_against_map(uint64_t seed) {
  Random random(seed);
  Garbage garbage;
  TextTable table(garbage);
  std::vector<std::string> texts;
  std::map<std::string, uint32_t> numbers;
  for (int round = 0; round < 60; ++round) {
    const size_t mark = texts.size();
    for (uint64_t i = random() % 400; i > 0; --i) {
      const std::string text = random() % 2 == 0 ? random_text(random) : std::to_string(random() % 3000);
      const auto [entry, is_new] = numbers.try_emplace(text, static_cast<uint32_t>(texts.size()));
      if (is_new) texts.push_back(text);
      CHECK(table.intern(text) == entry->second);
    }
    if (random() % 3 == 0) {
      // Back to the mark, or to somewhere behind it: older texts must still be found, newer ones no more.
      const size_t kept = mark + (texts.size() > mark ? random() % (texts.size() - mark + 1) : 0);
      table.truncate(static_cast<uint32_t>(kept));
      while (texts.size() > kept) {
        CHECK(table.find(texts.back()) == kNone);
        numbers.erase(texts.back());
        texts.pop_back();
      }
    }
    check_all(table, texts);
    CHECK(table.find("never interned " + std::to_string(round)) == kNone);
  }
}

void test_large() {
  Garbage garbage;
  TextTable table(garbage);
  constexpr uint32_t kCount = 200'000;
  for (uint32_t i = 0; i < kCount; ++i) CHECK(table.intern("user" + std::to_string(i)) == i);
  table.truncate(kCount / 2);
  for (uint32_t i = 0; i < kCount; ++i) {
    CHECK(table.find("user" + std::to_string(i)) == (i < kCount / 2 ? i : kNone));
  }
  for (uint32_t i = kCount; i-- > kCount / 2;) table.intern("user" + std::to_string(i));
  CHECK(table.count() == kCount && table.find("user" + std::to_string(kCount - 1)) == kCount / 2);
  const std::string long_text(3'000'000, 'x');
  CHECK(table.intern(long_text) == kCount && table.get(kCount) == long_text);
  CHECK(table.bytes() > 3'000'000);
}

void test_unnamed() {
  Garbage garbage;
  TextTable table(garbage);
  table.intern("a");
  CHECK(table.add_unnamed() == 1);
  CHECK(table.add_unnamed() == 2);
  CHECK(table.intern("b") == 3);
  CHECK(table.find("") == kNone && table.get(1).empty());
  table.truncate(2);
  CHECK(table.find("a") == 0 && table.find("b") == kNone);
  CHECK(table.intern("b") == 2);
}

void test_utf8() {
  const auto valid = {"",
                      "plain ascii that is longer than a word",
                      "\xC2\x80",
                      "\xDF\xBF",
                      "\xE0\xA0\x80",
                      "\xED\x9F\xBF",
                      "\xEE\x80\x80",
                      "\xEF\xBF\xBF",
                      "\xF0\x90\x80\x80",
                      "\xF4\x8F\xBF\xBF",
                      "12345678\xC3\xA9"};
  for (const std::string_view text : valid) CHECK(is_valid_utf8(text));
  const auto invalid = {"\x80",
                        "\xC0\x80",
                        "\xC1\xBF",
                        "\xC3",
                        "\xC3(",
                        "\xE0\x9F\xBF",
                        "\xED\xA0\x80",
                        "\xE2\x82",
                        "\xF0\x8F\xBF\xBF",
                        "\xF4\x90\x80\x80",
                        "\xF5\x80\x80\x80",
                        "\xFF",
                        "12345678\xC3",
                        "abcdefg\xE2\x82"};
  for (const std::string_view text : invalid) CHECK(!is_valid_utf8(text));
  // Every two bytes, before and behind a word of ASCII: the tables of RFC 3629 written out once more.
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string pair = {static_cast<char>(first), static_cast<char>(second)};
      const bool is_good =
          (first < 0x80 && second < 0x80) || (first >= 0xC2 && first < 0xE0 && second >= 0x80 && second < 0xC0);
      CHECK(is_valid_utf8(pair) == is_good);
      CHECK(is_valid_utf8("12345678" + pair + "x") == is_good);
    }
  }
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 20; ++seed) test_against_map(seed);
  test_large();
  test_unnamed();
  test_utf8();
  return 0;
}
