// The cells of many groups as typed columns.
// The form of each column follows from the question and is the caller's to say.
#pragma once

#include <span>

#include "core/kernels/aggregate/parts.h"
#include "core/kernels/columns/column_data.h"

namespace palimpsest::aggregate {

/// kLimit where a column's texts are longer than JavaScript can hold, kInternal where a cell is not of the form.
Status write_columns(const CellBook& book, const Parts& groups, std::span<const uint32_t> shown,
                     std::span<const ColumnForm> forms, StepCounter& steps, std::vector<ColumnData>& out);

}  // namespace palimpsest::aggregate
