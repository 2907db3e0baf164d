// Earliest arrivals over the whole store for the usual question: any instant of an edge, no wait limit, no steps
// counted, no filter on nodes. Reads incidence lists and time order directly, so that large windows cost little per
// row.
#pragma once

#include "core/kernels/reach/question.h"

namespace palimpsest::reach {

/// Whether `find_by_sweep` answers this question.
bool is_for_sweep(const Question& question, const Filter& filter);

/// The answer of `find_earliest`, faster. False when the counter stopped the search.
bool find_by_sweep(const Pin& pin, const Filter& filter, const Question& question, NodeNumber subject, const Goal& goal,
                   StepCounter& counter, std::vector<FoundNode>& reached);

}  // namespace palimpsest::reach
