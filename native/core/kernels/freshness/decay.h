// Ages over half-lives compared exactly: whole numbers over doubles, never rounded towards each other.
// Knows no facts.
#pragma once

#include <cstdint>

namespace palimpsest::freshness {

/// -1, 0 or 1 as age_a / half_life_a is below, equal to or above age_b / half_life_b. Half-lives are finite and above
/// 0, ages below 2^62 in magnitude.
int compare_decay(int64_t age_a, double half_life_a, int64_t age_b, double half_life_b);

}  // namespace palimpsest::freshness
