// Columns as JavaScript takes them: [form, values, valid or null, dictionary or null, wide rows or null, wide values or
// null]; see src/native/columns.ts. Their arrays change hands as they are.
#pragma once

#include <napi.h>

#include "core/kernels/columns/column_data.h"

namespace palimpsest::node {

Napi::Value columns_value(Napi::Env env, std::vector<ColumnData> columns);

}  // namespace palimpsest::node
