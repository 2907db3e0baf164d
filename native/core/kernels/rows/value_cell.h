// The value of a property as cells of a pack: its class, then what it holds (`value` of row-reader.ts).
#pragma once

#include "core/kernels/rows/row_pack.h"
#include "core/store/store_view.h"

namespace palimpsest {

void add_value_cell(const PropValue& value, const Tables& tables, RowPack& out);

}  // namespace palimpsest
