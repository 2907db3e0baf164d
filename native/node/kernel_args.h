// Arguments that the kernels' glue has in common: numbers, windows, pages, columns, filters, references.
// Checked, never trusted; names are looked up at the caller's pin.
#pragma once

#include <napi.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/fetch.h"
#include "core/kernels/rows/page_selector.h"
#include "core/kernels/window.h"
#include "node/async.h"

namespace palimpsest::node {

/// About 200 µs of rows run at once: a hop to the pool and back costs a third of that.
RunMode mode_for(uint64_t rows);

Kind kind_arg(const Napi::Value& value);
/// A Uint32Array whose members are below `bound`.
std::span<const uint32_t> numbers_arg(const Napi::Value& value, uint64_t bound);
/// [from, to) in microseconds; null is unbounded.
ValidWindow window_arg(const Napi::Value& from, const Napi::Value& to);
PageSpan page_arg(const Napi::Value& ordinal, const Napi::Value& limit);
std::vector<ColumnSpec> columns_arg(const Napi::Value& value, const Pin& pin);
/// A filter for work that may outlive the call.
std::shared_ptr<Filter> shared_filter_arg(const Napi::Value& value, const Pin& pin);

/// The number of a reference, [uid] or [src, type, dst, key]; nothing where the pin does not know it.
struct Identity {
  Kind kind = Kind::kNode;
  std::optional<uint32_t> number;
};
Identity identity_arg(const Napi::Value& value, const Pin& pin);

/// A page of rows and the length of the whole list: [pack, total].
struct PageResult {
  RowPack pack;
  uint64_t total = 0;
  Napi::Value value(Napi::Env env) const;
};

}  // namespace palimpsest::node
