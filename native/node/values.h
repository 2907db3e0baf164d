// Arguments and results that cross the boundary: instants as bigint, texts, typed arrays. Checked, never trusted.
#pragma once

#include <napi.h>

#include <span>
#include <string>
#include <vector>

#include "core/base/types.h"
#include "core/store/event_columns.h"

namespace palimpsest::node {

/// A whole number from 0 to `most`, else E_INTERNAL, as for all of these.
uint32_t number_arg(const Napi::Value& value, uint32_t most);

/// A number from 0 to 2^53 - 1.
uint64_t ordinal_arg(const Napi::Value& value);

std::string text_arg(const Napi::Value& value);
Napi::Object object_arg(const Napi::Value& value);
Napi::Array array_arg(const Napi::Value& value);

Napi::Array number_list(Napi::Env env, const std::vector<uint32_t>& values);

/// A bigint that fits int64.
Micros micros_arg(const Napi::Value& value);

/// The bytes of a Uint8Array (or Buffer); they stay valid while the caller holds the array.
std::span<const uint8_t> bytes_arg(const Napi::Value& value);
std::span<uint8_t> writable_bytes_arg(const Napi::Value& value);

/// `{bytes: Uint8Array, ends: Uint32Array, codes?: Uint32Array, present?: Uint8Array}`; an empty column for null.
TextColumn text_column_arg(const Napi::Value& value, uint32_t row_count, const char* what);

/// The columns of bulk events, see NativeEventColumns in src/native/store.ts. Types and lengths are checked against
/// `rowCount`; what the columns hold is for `check_layout`, on the pool where they are long.
EventColumns event_columns_arg(const Napi::Value& value);

}  // namespace palimpsest::node
