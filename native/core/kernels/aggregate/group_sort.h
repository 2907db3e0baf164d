// The order of many groups by numbers that stand for their cells: ranks of names, and distances from the least value.
// Where some column has no such numbers, or they do not fit one word, the caller compares cells.
#pragma once

#include <vector>

#include "core/kernels/aggregate/parts.h"

namespace palimpsest::aggregate {

enum class SortOutcome { kSorted, kNeedsCells, kCancelled };

/// `shown` into the order of the question's orderings, then of the dimensions' cells.
SortOutcome sort_groups(const Pin& pin, const Question& question, const Parts& groups, const StopToken& stop,
                        std::vector<uint32_t>& shown);

}  // namespace palimpsest::aggregate
