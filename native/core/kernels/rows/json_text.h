// Canonical JSON of scalars (docs/contract.md "Values"): strings and numbers as RFC 8785 writes them, with the two
// exceptions for numbers beyond 2^53. Objects and arrays are stored as canonical text and need no printer.
#pragma once

#include <string>
#include <string_view>

#include "core/base/types.h"

namespace palimpsest {

void append_json_string(std::string_view text, std::string& out);
void append_json_int(int64_t value, std::string& out);
/// A finite double: ECMAScript's shortest form below 2^53 in magnitude, exponent form from there on.
void append_json_double(double value, std::string& out);

/// Order by UTF-16 unit, that of the keys of canonical JSON; differs from byte order where a surrogate pair meets
/// U+E000 and above.
bool is_utf16_less(std::string_view a, std::string_view b);

}  // namespace palimpsest
