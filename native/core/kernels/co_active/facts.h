// The facts of one selection of co_active: spans under a filter (docs/contract.md A5) of the edges that it names.
// Reads the incidence lists of the nodes that are named, and sweeps the store only where none is.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/row_order.h"
#include "core/kernels/window.h"

namespace palimpsest::co_active {

struct Selection {
  NodeNumber src = kNone;  // kNone: any
  NodeNumber dst = kNone;
  Filter filter;

  /// True when no node is named, so that every edge row has to be looked at.
  bool is_sweep() const {
    return src == kNone && dst == kNone && filter.src_uids() == nullptr && filter.dst_uids() == nullptr &&
           filter.node_uids() == nullptr;
  }
  /// Rows that have to be looked at, about.
  uint64_t row_bound(const Pin& pin) const;
};

struct Fact {
  Micros from;
  Micros to;
  EdgeNumber edge;
};

/// The facts that touch the window, by (from, src, type, dst, key).
Status read_facts(const Pin& pin, const Selection& selection, ValidWindow window, const RowOrder& order,
                  StepCounter& steps, std::vector<Fact>& facts);

}  // namespace palimpsest::co_active
