// One page of groups: `having`, the order, and the cells of the rows that are shown, by rows or by columns.
#pragma once

#include "core/kernels/aggregate/aggregate.h"
#include "core/kernels/aggregate/parts.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::aggregate {

/// Fills the page of `out`, or its columns where their forms are asked for, and its total: the groups that pass the
/// question's conditions.
Status write_page(const Pin& pin, const Question& question, const Parts& groups, PageSpan page, StepCounter& steps,
                  Answer& out);

}  // namespace palimpsest::aggregate
