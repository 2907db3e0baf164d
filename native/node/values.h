// Arguments and results that cross the boundary: instants as bigint, texts, typed arrays. Checked, never trusted.
#pragma once

#include <napi.h>

#include <span>

#include "core/base/types.h"
#include "core/store/event_columns.h"

namespace palimpsest::node {

/// A bigint that fits int64, else E_INTERNAL.
Micros micros_arg(const Napi::Value& value);

/// The bytes of a Uint8Array (or Buffer); they stay valid while the caller holds the array.
std::span<const uint8_t> bytes_arg(const Napi::Value& value);

/// `{bytes: Uint8Array, ends: Uint32Array, codes?: Uint32Array, present?: Uint8Array}`; an empty column for null.
TextColumn text_column_arg(const Napi::Value& value, uint32_t row_count, const char* what);

/// The columns of bulk events, see NativeEventColumns in src/native/store.ts. Lengths are checked against `rowCount`.
EventColumns event_columns_arg(const Napi::Object& object);

}  // namespace palimpsest::node
