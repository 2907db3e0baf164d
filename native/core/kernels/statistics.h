// Logical counts at a pin for cost estimates: exact, over the version rows written at or before it, believed or not.
// They follow from the log and the pin alone, so every replay gives the same; they never fall when a window grows.
#pragma once

#include <string>
#include <vector>

#include "core/kernels/window.h"
#include "core/store/store_view.h"

namespace palimpsest::statistics {

/// Version rows of a kind that touch [from, to) in valid time. O(log rows) for every 65,536 edges at the newest pin; at
/// others, and for nodes, the rows of blocks that an end of the window divides are read too.
uint64_t rows_touching(const Pin& pin, Kind kind, Micros from, Micros to);

/// Edge version rows that begin in [from, to).
uint64_t edges_beginning(const Pin& pin, Micros from, Micros to);

/// Beginnings and ends of version rows, nodes and edges, in (from, to].
uint64_t valid_changes(const Pin& pin, Micros from, Micros to);

/// Version rows that commits in (from, to] wrote or ended; both at most the pin.
uint64_t tx_changes(const Pin& pin, Tx from, Tx to);

/// Edge version rows at a node, of both directions, that touch the window.
uint64_t degree(const Pin& pin, NodeNumber node, ValidWindow window);

/// Mean, over the ends of edge version rows, of the degree of the node there: of every row up to 128 of them, else of
/// that many taken at even distances. An event meets about this many others at each of its ends.
double mean_degree(const Pin& pin);

/// Version rows of one identity that touch the window.
uint64_t rows_of(const Pin& pin, Kind kind, uint32_t identity, ValidWindow window);

struct TypeShare {
  TypeNumber type;
  double share;
};
/// Shares of the types among edge version rows, the most frequent first, then by name: of every row up to 8,192 of
/// them, else of that many taken at even distances.
std::vector<TypeShare> type_shares(const Pin& pin);

struct Extent {
  Micros least_from = INT64_MAX;
  Micros greatest_from = INT64_MIN;
  Micros greatest_to = INT64_MIN;  // of closed intervals
  bool is_empty() const { return least_from == INT64_MAX; }
};
/// Extremes over the version rows of a kind that were written at or before the pin.
Extent extent(const Pin& pin, Kind kind);

/// Names that some version written at or before the pin carries, sorted by code point.
std::vector<std::string> types_in_use(const Pin& pin);
std::vector<std::string> labels_in_use(const Pin& pin);

/// Known uids within a small edit distance of `uid`, nearest first; looks at the first 65,536 uids only.
std::vector<std::string> nearest_uids(const Pin& pin, std::string_view uid, size_t count);

}  // namespace palimpsest::statistics
