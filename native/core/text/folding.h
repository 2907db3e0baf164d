// The two forms in which names are compared: Unicode normalization form C, and its full case folding.
// Knows texts alone; the tables are unicode_tables.h, so that every machine and every Node.js folds alike.
#pragma once

#include <string>
#include <string_view>

namespace palimpsest {

/// True when the text is its own normalization form C for the reason that all of it lies below U+0300: a quick no is
/// no answer.
bool is_plainly_normalized(std::string_view text);

/// Appends normalization form C of a valid text.
void append_normalized(std::string_view text, std::string& out);

/// Appends the full case folding (statuses C and F), code point by code point; it is not normalized again.
void append_folded(std::string_view text, std::string& out);

}  // namespace palimpsest
