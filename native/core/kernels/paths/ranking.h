// The k best paths of a criterion: what decides is found measure by measure, so that of paths that tie in the first
// only those are listed that the next ones leave; the last word has the order of the spans.
#pragma once

#include "core/kernels/paths/searches.h"

namespace palimpsest::paths {

/// The `most` best paths in order, or all if there are fewer.
///
/// @return kCost when the search is too wide to be held; kCost and kCancelled when the counter said so
Status best_paths(WaySource& ways, uint64_t most, std::vector<Found>& paths);

}  // namespace palimpsest::paths
