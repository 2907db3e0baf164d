// One page of groups: `having`, the order, and the cells of the rows that are shown.
#pragma once

#include "core/kernels/aggregate/parts.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::aggregate {

/// `total`: the groups that pass the question's conditions.
Status write_page(const Pin& pin, const Question& question, const Parts& groups, PageSpan page, StepCounter& steps,
                  RowPack& out, uint64_t& total);

}  // namespace palimpsest::aggregate
