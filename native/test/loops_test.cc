// Every level of the loops that this processor can run, against their definitions.
#include "core/loops/loops.h"

#include <bitset>
#include <random>
#include <vector>

#include "test/check.h"

using namespace palimpsest;

namespace {

void counts_bits(const Loops& level, std::mt19937_64& random) {
  std::vector<uint64_t> words(random() % 40);
  uint64_t expected = 0;
  for (uint64_t& word : words) {
    word = random() & random();
    expected += std::bitset<64>(word).count();
  }
  CHECK(level.count_bits(words.data(), words.size()) == expected);
}

void selects_what_touches(const Loops& level, std::mt19937_64& random) {
  const auto count = static_cast<uint32_t>(random() % 300);
  const auto instant = [&] { return static_cast<int64_t>(random() % 50) - 25; };
  std::vector<int64_t> from(count);
  std::vector<int64_t> to(count);
  for (uint32_t i = 0; i < count; ++i) {
    from[i] = instant();
    to[i] = random() % 8 == 0 ? int64_t{1} << 62 : from[i] + 1 + static_cast<int64_t>(random() % 9);
  }
  const int64_t window_from = random() % 4 == 0 ? INT64_MIN : instant();
  const int64_t window_to = random() % 4 == 0 ? INT64_MAX : instant();
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < count; ++i) {
    if (from[i] < window_to && to[i] > window_from) expected.push_back(i);
  }
  std::vector<uint32_t> positions(count + 1);
  positions.resize(level.select_touching(from.data(), to.data(), count, window_from, window_to, positions.data()));
  CHECK(positions == expected);
}

}  // namespace

int main() {
  for (const char* name : {"v2", "v3", "v4", "base"}) {
    const Loops* level = loops_of(name);
    if (level == nullptr) continue;
    std::mt19937_64 random(1);
    for (int i = 0; i < 2'000; ++i) {
      counts_bits(*level, random);
      selects_what_touches(*level, random);
    }
  }
  CHECK(loops_of("v9") == nullptr);
  return 0;
}
