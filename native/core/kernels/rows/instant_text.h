// Instants and durations in their one output form (docs/contract.md "Time"), written without a clock or a zone table.
// Native code writes them so that no answer makes a BigInt per cell.
#pragma once

#include <string>

#include "core/base/types.h"

namespace palimpsest {

inline constexpr size_t kInstantBytes = 32;  // enough for any instant, the end of the calendar included

/// Writes RFC 3339 in UTC and returns the end; six fraction digits where the fraction is not zero.
char* write_instant(Micros instant, char* out);
void append_instant(Micros instant, std::string& out);
/// `PT[nH][nM][n[.ffffff]S]`, zero is `PT0S`, negative `-PT…`.
void append_duration(Micros duration, std::string& out);

}  // namespace palimpsest
