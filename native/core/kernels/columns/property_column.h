// One property of version rows as a column of the type that its classes at the pin give.
#pragma once

#include "core/kernels/columns/column_fill.h"

namespace palimpsest {

/// False when the call was cancelled. The classes: integers alone are words, numbers doubles, bools and strings
/// themselves; anything else, and nothing, JSON.
bool fill_property(const Pin& pin, const RowSelection& selection, const ColumnRequest& request, const StopToken& stop,
                   ColumnData& out);

}  // namespace palimpsest
