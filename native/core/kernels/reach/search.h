// Chooses the search that answers one subject's question; all of them give the same answer where more than one could.
#pragma once

#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

/// Everything that can be reached from the subject by the rules. False when the counter stopped the search.
bool find_reached(const Search& search, std::vector<FoundNode>& reached);

}  // namespace palimpsest::reach
