// Versions in the order in which they were written: (tx, nodes before edges, identity, valid_from). Serves P2 and scan.
// Walks commits, and puts rows in order only inside those that the page meets.
#pragma once

#include <optional>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/page_selector.h"
#include "core/kernels/window.h"

namespace palimpsest {

struct KindRow {
  Kind kind;
  Row row;
};

/// Commits [from, to).
struct TxRange {
  Tx from = 0;
  Tx to = kNeverTx;
  bool holds(Tx tx) const { return from <= tx && tx < to; }
};

/// The commits of a pin whose times lie in [from, to).
TxRange commits_between(const Pin& pin, Micros from, Micros to);

struct LogQuery {
  bool has_nodes = true;
  bool has_edges = true;
  std::optional<uint32_t> identity;  // of the one kind that is left
  ValidWindow window;
  std::optional<TxRange> written_or_ended;  // P2: written or ended in these commits
  TxRange written;                          // scan: written in these commits and
  Tx ended_after = 0;                       // scan: belief in it not ended at or before this one
  bool wants_current = true;
  bool wants_superseded = true;
  uint32_t ended_by_mask = ~0u;  // bits of EndedBy; restricts superseded versions
  PageSpan page;
};

struct LogAnswer {
  std::vector<KindRow> rows;
  uint64_t current = 0;
  uint64_t ended_by[4] = {0, 0, 0, 0};  // by EndedBy
  uint64_t superseded() const { return ended_by[1] + ended_by[2] + ended_by[3]; }
  uint64_t total() const { return current + superseded(); }
};

/// `filter` is the caller's `where`, `names` a second one that must pass too. Ends of edges are judged by the belief at
/// the pin, at the version's beginning cut to the window.
Status version_log(const Pin& pin, const LogQuery& query, const Filter& filter, const Filter& names,
                   const StopToken& stop, LogAnswer& out);

}  // namespace palimpsest
