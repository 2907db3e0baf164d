#include "core/loops/loops.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace palimpsest {

#define PALIMPSEST_DECLARE_LOOPS(level)                                                            \
  namespace level {                                                                                \
  uint64_t count_bits(const uint64_t*, size_t);                                                    \
  uint32_t select_touching(const int64_t*, const int64_t*, uint32_t, int64_t, int64_t, uint32_t*); \
  }
#define PALIMPSEST_LOOPS(name, level) \
  { name, level::count_bits, level::select_touching }

#if defined(__x86_64__)

PALIMPSEST_DECLARE_LOOPS(loops_v2)
PALIMPSEST_DECLARE_LOOPS(loops_v3)
PALIMPSEST_DECLARE_LOOPS(loops_v4)

namespace {

constexpr Loops kLevels[] = {PALIMPSEST_LOOPS("v2", loops_v2), PALIMPSEST_LOOPS("v3", loops_v3),
                             PALIMPSEST_LOOPS("v4", loops_v4)};

bool can_run(size_t level) {
  __builtin_cpu_init();
  if (level == 0) return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  if (level == 1) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
  }
  return can_run(1) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

#else

PALIMPSEST_DECLARE_LOOPS(loops_base)

namespace {
constexpr Loops kLevels[] = {PALIMPSEST_LOOPS("base", loops_base)};
bool can_run(size_t) { return true; }
}  // namespace

#endif

const Loops* loops_of(const char* level) {
  for (size_t i = 0; i < std::size(kLevels); ++i) {
    if (std::strcmp(kLevels[i].level, level) == 0) return can_run(i) ? &kLevels[i] : nullptr;
  }
  return nullptr;
}

const Loops& loops() {
  static const Loops& chosen = []() -> const Loops& {
    if (const char* level = std::getenv("PALIMPSEST_CPU")) {
      if (const Loops* named = loops_of(level)) return *named;
    }
    size_t best = std::size(kLevels) - 1;
    while (best > 0 && !can_run(best)) --best;
    return kLevels[best];
  }();
  return chosen;
}

}  // namespace palimpsest
