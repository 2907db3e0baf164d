// Earliest arrivals under a wait limit, crossing at an instant: a simulation of who is where, event by event.
// Going to and fro over a long span costs nothing here; only beginnings and ends of spans and of presences cost.
#pragma once

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

enum class Outcome : uint8_t { kDone, kStopped, kTooManyEvents };

/// For a wait limit of at least 1 and no limit of steps. See the source for why it is exact.
/// `kTooManyEvents`: with a limit of 1 and strict ties a walk departs exactly 1 after it arrives, so that presences on
/// a long span may flicker at every instant; after `event_limit` events that case is given up and must be done by
/// waves.
Outcome find_by_events(const Search& search, uint64_t event_limit, std::vector<FoundNode>& reached);

}  // namespace palimpsest::reach
