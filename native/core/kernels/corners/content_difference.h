// Whether two versions of one identity say the same, and the names of what differs.
// Compares columns and numbers: equal texts, JSON values and label sets have equal numbers, so nothing is printed.
#pragma once

#include <string>
#include <vector>

#include "core/store/store_view.h"

namespace palimpsest {

/// What counts as a difference, beside labels and properties.
enum class Compared : uint8_t { kContent, kContentAndInterval };

/// True when labels or properties differ, or an end of the interval where that counts.
bool differs(const Tables& tables, Kind kind, Row before, Row after, Compared compared);

/// `labels`, `props.<name>`, `valid_from`, `valid_to`, of what differs, sorted by code point.
std::vector<std::string> names_of_differences(const Tables& tables, Kind kind, Row before, Row after,
                                              Compared compared);

}  // namespace palimpsest
