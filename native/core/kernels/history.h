// What one entity was (O1): its believed versions, and the believed edge versions at a node.
// Point reads through the version index and the incidence list; cost follows the entity, not the store.
#pragma once

#include <vector>

#include "core/base/stop.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/page_selector.h"
#include "core/kernels/window.h"

namespace palimpsest {

struct EntityVersions {
  std::vector<Row> rows;  // by valid_from
  uint32_t spells = 0;    // maximal runs among them in which each begins where the one before ends
};

/// The believed versions of an identity that touch the window.
EntityVersions entity_versions(const Pin& pin, Kind kind, uint32_t identity, ValidWindow window);

struct RowPage {
  std::vector<Row> rows;
  uint64_t total = 0;
};

/// The believed edge versions at a node that touch the window and pass, by (src, type, dst, key, valid_from).
/// `where.node` spares the node itself.
Status incident_edges(const Pin& pin, NodeNumber node, ValidWindow window, const Filter& filter, PageSpan page,
                      const StopToken& stop, RowPage& out);

}  // namespace palimpsest
