// Least numbers of steps under a wait limit, crossing at an instant: whole sets of arrival instants, layer by layer.
// Waves that run to and fro over long spans are not followed wait by wait: a period that repeats is skipped
// arithmetically.
#pragma once

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

/// Layer k adds to each node the instants at which it is arrived at by k steps and by no fewer. Serves every wait limit
/// and either kind of ties; `max_hops` ends it at that layer. With `expected` below UINT32_MAX and no limit of steps it
/// ends at the layer that finds the last of so many wanted nodes: then steps are exact, arrivals are those of the walks
/// seen. False when the counter stopped the search.
bool find_by_waves(const Search& search, uint32_t expected, std::vector<FoundNode>& reached);

}  // namespace palimpsest::reach
