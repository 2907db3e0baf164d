// Reads an instant from text as an argument of a call is read (docs/contract.md "Time"): RFC 3339 with a zone, or a
// date. The way back is instant_text.h. What is no instant is nothing here, never an error.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/types.h"

namespace palimpsest {

/// Microseconds of `2004-04-15T08:02:41.5Z`, `2004-04-15 10:02:41+02:00` or `2004-04-15`; nothing for any other text,
/// and for what is finer than a microsecond or outside the calendar.
std::optional<Micros> read_instant(std::string_view text);

}  // namespace palimpsest
