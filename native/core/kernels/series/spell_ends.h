// Whether an edge version begins or ends its spell, and which version the spell began with (docs/contract.md A5).
// For walks over many versions: an identity of very many versions is sorted once, not searched for each of them.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/store/store_view.h"

namespace palimpsest::series {

/// One pin's. Asks for believed rows only; holds memory only for identities of many versions.
class SpellEnds {
 public:
  explicit SpellEnds(const Pin& pin) : pin_(pin) {}

  bool is_begin(Row row) { return is_single(row) || neighbour(row, true) == kNone; }
  bool is_end(Row row) { return is_single(row) || neighbour(row, false) == kNone; }
  /// The version that the row's spell begins with.
  Row first_of(Row row) {
    if (is_single(row)) return row;
    for (Row before = neighbour(row, true); before != kNone; before = neighbour(row, true)) row = before;
    return row;
  }

 private:
  struct Version {
    Micros from;
    Micros to;
    Row row;
  };

  bool is_single(Row row) const { return pin_.tables().edge_index.is_single(pin_.tables().edge_versions.owner(row)); }
  /// The version that ends where this one begins, or begins where it ends; kNone where there is none.
  Row neighbour(Row row, bool is_before);

  const Pin& pin_;
  std::unordered_map<EdgeNumber, std::vector<Version>> sorted_;  // disjoint intervals, so both ends ascend
};

}  // namespace palimpsest::series
