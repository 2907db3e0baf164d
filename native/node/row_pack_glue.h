// A RowPack as JavaScript takes it: [text, Int32Array of cells, Float64Array of doubles or null].
#pragma once

#include <napi.h>

#include "core/kernels/rows/row_pack.h"

namespace palimpsest::node {

Napi::Value row_pack_value(Napi::Env env, const RowPack& pack);

}  // namespace palimpsest::node
