// Columns as JavaScript takes them: [form, values, valid or null, dictionary or null, wide rows or null, wide values or
// null]; see src/native/columns.ts. Their arrays change hands as they are.
#pragma once

#include <napi.h>

#include "core/kernels/columns/column_data.h"

namespace palimpsest::node {

/// How a dictionary is handed over: as a pack, or as [UTF-8 end to end, offsets] for who makes no strings of it.
enum class DictionaryForm { kPack, kBytes };

Napi::Value columns_value(Napi::Env env, std::vector<ColumnData> columns, DictionaryForm form = DictionaryForm::kPack);

}  // namespace palimpsest::node
