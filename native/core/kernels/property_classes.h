// The properties that the rows of a table have, and of which kinds their values are: what types a column.
// Rows of one shape have the same, so an answer is that of a few shapes, kept in the store's ShapeCache.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"

namespace palimpsest {

/// Which rows a table has: versions believed, all of them, or those that begin events.
enum class ClassRows : uint8_t { kBelieved, kAllVersions, kEvents };

/// The rows of `kind` that a table has at the pin with `names` alone.
struct PropertyRows {
  Kind kind;
  ClassRows rows;
  const Filter& names;
};

/// Per name, the kinds of values (bits of PropKind) that it has over those rows. Counts a step for every row of the
/// table, whether they are looked at or known: a ceiling must not depend on what was asked before.
Status property_classes(const Pin& pin, const PropertyRows& table, std::span<const PropNumber> properties,
                        const StopToken& stop, std::vector<uint32_t>& out);
/// The same for every property that those rows have, by property number.
Status properties_in_use(const Pin& pin, const PropertyRows& table, const StopToken& stop,
                         std::map<PropNumber, uint32_t>& out);
/// About how many rows would have to be looked at.
uint64_t property_row_bound(const Pin& pin, const PropertyRows& table);

}  // namespace palimpsest
