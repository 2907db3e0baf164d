#include "core/kernels/scan.h"

#include <algorithm>
#include <functional>

#include "core/kernels/named_rows.h"
#include "core/kernels/rows/row_order.h"
#include "core/kernels/rows/sort_rows.h"
#include "core/kernels/touching_rows.h"

namespace palimpsest {

namespace {

bool passes(const Pin& pin, Kind kind, Row row, ValidWindow window, const Filter& filter) {
  if (kind == Kind::kNode) return filter.passes_node_row(row);
  if (!filter.passes_edge(row)) return false;
  if (!filter.has_node_part()) return true;
  const VersionTable& versions = pin.tables().edge_versions;
  const EdgeTable& edges = pin.tables().edges;
  const EdgeNumber edge = versions.owner(row);
  return filter.passes_ends(edges.src(edge), edges.dst(edge), window.judged_at(versions.valid_from(row)));
}

/// From where the rows of a scan are found.
struct Way {
  std::optional<NamedEnds> ends;
  std::span<const NodeNumber> nodes;  // where `is_by_node`
  bool is_by_node = false;
  uint64_t row_bound;
};

Way way_of(const Pin& pin, Kind kind, const Filter& filter) {
  Way way;
  way.row_bound = pin.row_cut(kind);
  if (kind == Kind::kEdge) {
    way.ends = named_ends(pin, filter);
    if (way.ends) way.row_bound = std::min(way.row_bound, way.ends->slot_count);
  } else if (filter.node_uids() != nullptr && filter.node_uids()->sorted().size() < way.row_bound) {
    way.nodes = filter.node_uids()->sorted();
    way.is_by_node = true;
    way.row_bound = way.nodes.size();
  }
  return way;
}

template <typename Visit>
bool each_of_nodes(const Pin& pin, std::span<const NodeNumber> nodes, ValidWindow window, StepCounter& steps,
                   Visit&& visit) {
  const VersionTable& versions = pin.tables().node_versions;
  for (const NodeNumber node : nodes) {
    uint64_t looked_at = 1;
    pin.tables().node_index.each(node, pin.row_cut(Kind::kNode), [&](Row row) {
      ++looked_at;
      if (window.touches(versions.valid_from(row), versions.valid_to(row))) visit(row);
      return true;
    });
    if (!steps.add(looked_at)) return false;
  }
  return true;
}

/// Calls `visit(Row)` for the believed rows that touch the window and pass. False when the counter said stop.
template <typename Visit>
bool each_version(const Pin& pin, Kind kind, const Way& way, const ScanQuery& query, const Filter& filter,
                  const Filter& names, StepCounter& steps, Visit&& visit) {
  const auto judge = [&](Row row) {
    if (!pin.is_believed(kind, row)) return;
    if (passes(pin, kind, row, query.window, names) && passes(pin, kind, row, query.window, filter)) visit(row);
  };
  if (way.ends) return each_at_ends(pin, *way.ends, query.window, steps, judge);
  if (way.is_by_node) return each_of_nodes(pin, way.nodes, query.window, steps, judge);
  return each_touching(pin.versions(kind), 0, pin.row_cut(kind), query.window, steps, judge);
}

Status scan_versions(const Pin& pin, Kind kind, const ScanQuery& query, const Filter& filter, const Filter& names,
                     const StopToken& stop, ScanAnswer& out) {
  StepCounter steps(stop);
  std::vector<Row> rows;
  const Way way = way_of(pin, kind, filter);
  if (query.page.ordinal == 0 && query.page.limit >= pin.row_cut(kind)) {
    const auto keep = [&](Row row) { rows.push_back(row); };
    if (!each_version(pin, kind, way, query, filter, names, steps, keep)) return steps.status();
    if (query.has_order) {
      if (Status status = RowSorter(pin, kind).sort(rows, steps); !status.is_ok()) return status;
    }
    out.total = rows.size();
  } else {
    const RowOrder order(pin, way.row_bound);
    PageSelector<Row, std::function<bool(Row, Row)>> selector(
        query.page, [&](Row a, Row b) { return order.is_row_less(kind, a, b); });
    const auto select = [&](Row row) { selector.add(order.key_of_row(kind, row), row); };
    if (!each_version(pin, kind, way, query, filter, names, steps, select)) return steps.status();
    out.total = selector.total();
    rows = selector.take();
  }
  out.rows.reserve(rows.size());
  for (const Row row : rows) out.rows.push_back({row, kind});
  return Status::ok();
}

/// Rows at named ends that begin in the window, in event order: (at, edge, row). False when the counter said stop.
bool begun_at_ends(const Pin& pin, const NamedEnds& ends, ValidWindow window, StepCounter& steps,
                   std::vector<Row>& out) {
  const VersionTable& versions = pin.tables().edge_versions;
  const bool is_done = each_at_ends(pin, ends, window, steps, [&](Row row) {
    if (versions.valid_from(row) >= window.from) out.push_back(row);
  });
  std::sort(out.begin(), out.end(), [&](Row a, Row b) {
    const Micros at_a = versions.valid_from(a);
    const Micros at_b = versions.valid_from(b);
    if (at_a != at_b) return at_a < at_b;
    const EdgeNumber edge_a = versions.owner(a);
    const EdgeNumber edge_b = versions.owner(b);
    return edge_a != edge_b ? edge_a < edge_b : a < b;
  });
  return is_done;
}

/// Calls `visit(Row)` for the first row of every event in the window that passes both filters, in event order; stops
/// when it gives false. False when the counter said stop.
template <typename Visit>
bool each_event(const Pin& pin, ValidWindow window, const Filter& filter, const Filter& names, StepCounter& steps,
                Visit&& visit) {
  const VersionTable& versions = pin.tables().edge_versions;
  const EdgeTable& edges = pin.tables().edges;
  const auto judge = [&](Row row) {
    if (!pin.is_believed_edge(row) || !names.passes_edge(row) || !filter.passes_edge(row)) return true;
    if (!pin.begins_spell(Kind::kEdge, row)) return true;
    const EdgeNumber edge = versions.owner(row);
    if (!filter.passes_ends(edges.src(edge), edges.dst(edge), versions.valid_from(row))) return true;
    return visit(row);
  };
  if (const auto ends = named_ends(pin, filter)) {
    std::vector<Row> rows;
    if (!begun_at_ends(pin, *ends, window, steps, rows)) return false;
    for (const Row row : rows) {
      if (!judge(row)) break;
    }
    return true;
  }
  bool is_done = true;
  pin.view().runs.each_begun(versions, pin.row_cut(Kind::kEdge), window.from, window.to, [&](Row row) {
    is_done = steps.add(1);
    return is_done && judge(row);
  });
  return is_done;
}

/// Events come in their order from the time runs, so the page is cut as they pass by.
Status scan_events(const Pin& pin, const ScanQuery& query, const Filter& filter, const Filter& names,
                   const StopToken& stop, ScanAnswer& out) {
  const VersionTable& versions = pin.tables().edge_versions;
  const EdgeTable& edges = pin.tables().edges;
  StepCounter steps(stop);
  const auto add = [&](Row row, Role role) {
    const uint64_t position = out.total++;
    if (position >= query.page.ordinal && position - query.page.ordinal < query.page.limit) {
      out.rows.push_back({row, Kind::kEdge, role});
    }
  };
  const bool is_done = each_event(pin, query.window, filter, names, steps, [&](Row row) {
    const EdgeNumber edge = versions.owner(row);
    if (query.table == ScanTable::kEvents) {
      add(row, Role::kNoRole);
    } else if (edges.src(edge) == edges.dst(edge)) {
      add(row, Role::kBoth);
    } else {
      add(row, Role::kSrc);
      add(row, Role::kDst);
    }
    return true;
  });
  return is_done ? Status::ok() : steps.status();
}

}  // namespace

Status scan_table(const Pin& pin, const ScanQuery& query, const Filter& filter, const Filter& names,
                  const StopToken& stop, ScanAnswer& out) {
  switch (query.table) {
    case ScanTable::kNodes:
      return scan_versions(pin, Kind::kNode, query, filter, names, stop, out);
    case ScanTable::kEdges:
      return scan_versions(pin, Kind::kEdge, query, filter, names, stop, out);
    case ScanTable::kEvents:
    case ScanTable::kEndpoints:
      break;
  }
  return scan_events(pin, query, filter, names, stop, out);
}

uint64_t scan_row_bound(const Pin& pin, ScanTable table, const Filter& filter) {
  return way_of(pin, table == ScanTable::kNodes ? Kind::kNode : Kind::kEdge, filter).row_bound;
}

}  // namespace palimpsest
