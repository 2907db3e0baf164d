// Metrics of what is valid at each bucket's beginning, and of what ends or appears in it.
// Cost follows the versions that touch the buckets, found by zones or in one node's incidence list.
#pragma once

#include <vector>

#include "core/kernels/series/buckets.h"
#include "core/kernels/series/population.h"

namespace palimpsest::series {

/// Edge identities valid at each bucket's beginning: content of the version valid there, ends judged there.
Status active_edges(const Pin& pin, const Population& population, const Buckets& buckets, StepCounter& steps,
                    std::vector<uint64_t>& out);

/// Spells that end in each bucket and whose event passes.
Status ended_edges(const Pin& pin, const Population& population, const Buckets& buckets, StepCounter& steps,
                   std::vector<uint64_t>& out);

/// Nodes with a version valid at each bucket's beginning that passes `where.node`.
Status nodes(const Pin& pin, const Filter& filter, const Buckets& buckets, StepCounter& steps,
             std::vector<uint64_t>& out);

/// Nodes whose first version over all time begins in each bucket and passes `where.node`.
Status new_nodes(const Pin& pin, const Filter& filter, const Buckets& buckets, StepCounter& steps,
                 std::vector<uint64_t>& out);

}  // namespace palimpsest::series
