// A property's value as canonical JSON (docs/contract.md "Values").
// Of what the store holds: scalars are printed, lists and objects stand there as text.
#pragma once

#include <string>

#include "core/store/store_view.h"

namespace palimpsest {

void append_json_value(PropKind kind, uint64_t bits, const Tables& tables, std::string& out);

}  // namespace palimpsest
