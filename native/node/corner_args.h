// Arguments that snapshots and diffs share, and results as typed arrays. Checked, never trusted.
#pragma once

#include <napi.h>

#include <optional>
#include <vector>

#include "core/kernels/corners/identity_page.h"
#include "core/kernels/corners/khop.h"

namespace palimpsest::node {

/// `[from, to]`, or nothing for null.
std::optional<PageRange> page_arg(const Napi::Value& value);

/// The nodes of an array of uids, in its order. E_NOT_FOUND for one that is not known at the pin.
std::vector<NodeNumber> nodes_arg(const Napi::Value& value, const Pin& pin);

/// 0 both, 1 out, 2 in.
Orientation orientation_arg(const Napi::Value& value);

Filter filter_arg(const Napi::Value& value, const Pin& pin);

Napi::Value numbers_value(Napi::Env env, const std::vector<uint32_t>& numbers);

}  // namespace palimpsest::node
