// Values inside canonical JSON text, found and compared in place: no tree is built.
// Canonical text is well formed and has no spaces, and its nesting is bounded where values are written.
#pragma once

#include <string_view>

#include "core/kernels/filter/exact_number.h"

namespace palimpsest {

/// The position behind the value that begins at `at`.
size_t end_of_json_value(std::string_view json, size_t at);
/// Reads a number token: without `.` and `e` it is an int64.
bool read_json_number(std::string_view token, ExactNumber& out);
/// -1, 0 or 1 in the order of cells: null, bools, numbers by value, strings by code point, arrays member by member,
/// objects by their text.
int compare_json(std::string_view a, std::string_view b);

}  // namespace palimpsest
