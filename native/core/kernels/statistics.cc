#include "core/kernels/statistics.h"

#include <algorithm>
#include <map>
#include <set>

namespace palimpsest::statistics {

namespace {

constexpr uint32_t kNameCount = 65'536;
constexpr Row kSampledRows = 8'192;
constexpr Row kSampledEnds = 128;
constexpr NodeNumber kComparedUids = 65'536;

Zone widened(Zone zone, Micros from, Micros to) {
  zone.min_from = std::min(zone.min_from, from);
  zone.max_from = std::max(zone.max_from, from);
  if (to == kOpenEnd) {
    zone.has_open_end = 1;
    return zone;
  }
  zone.min_to = std::min(zone.min_to, to);
  zone.max_to = std::max(zone.max_to, to);
  return zone;
}

/// Visits (zone, rows) of every block below the pin's cut. The block that the cut divides is measured row by row: its
/// zone map may already know later rows.
template <typename Visit>
void each_block(const Pin& pin, Kind kind, Visit&& visit) {
  const VersionTable& versions = pin.versions(kind);
  const Row cut = pin.row_cut(kind);
  const uint32_t whole = cut >> kBlockShift;
  for (uint32_t block = 0; block < whole; ++block) visit(versions.zone(block), kBlockRows);
  const Row first = whole << kBlockShift;
  if (first == cut) return;
  Zone rest{INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, 0, 0};
  for (Row row = first; row < cut; ++row) rest = widened(rest, versions.valid_from(row), versions.valid_to(row));
  visit(rest, cut - first);
}

uint64_t begun_before(const Pin& pin, Kind kind, Micros instant) {
  const VersionTable& versions = pin.versions(kind);
  const Row cut = pin.row_cut(kind);
  const TimeRuns& runs = pin.view().runs;
  if (kind == Kind::kEdge && cut >= runs.row_count) return runs.count_begun(versions, cut, INT64_MIN, instant);
  return count_below(versions, versions.valid_froms(), 0, cut, instant,
                     [](const Zone& zone) { return std::pair(zone.min_from, zone.max_from); });
}

/// Rows that end at the instant or before.
uint64_t ended_by(const Pin& pin, Kind kind, Micros instant) {
  static const EndOrder kNoOrder;
  const EndOrder& order = kind == Kind::kEdge ? pin.tables().edge_ends : kNoOrder;
  return order.count_ended(pin.versions(kind), pin.row_cut(kind), instant);
}

/// Levenshtein distance of two texts by bytes, `limit + 1` as soon as it is above the limit.
size_t distance(std::string_view a, std::string_view b, size_t limit) {
  std::vector<size_t> previous(b.size() + 1);
  std::vector<size_t> current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      least = std::min(least, current[j]);
    }
    if (least > limit) return limit + 1;
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

uint64_t rows_touching(const Pin& pin, Kind kind, Micros from, Micros to) {
  // Ends come after beginnings, so what has ended at `from` is among what has begun before `to`.
  return from < to ? begun_before(pin, kind, to) - ended_by(pin, kind, from) : 0;
}

uint64_t edges_beginning(const Pin& pin, Micros from, Micros to) {
  return from < to ? begun_before(pin, Kind::kEdge, to) - begun_before(pin, Kind::kEdge, from) : 0;
}

uint64_t valid_changes(const Pin& pin, Micros from, Micros to) {
  const auto after = [](Micros instant) { return std::min(instant, kOpenEnd) + 1; };
  uint64_t changes = 0;
  for (const Kind kind : {Kind::kNode, Kind::kEdge}) {
    changes += begun_before(pin, kind, after(to)) - begun_before(pin, kind, after(from));
    changes += ended_by(pin, kind, to) - ended_by(pin, kind, from);
  }
  return changes;
}

uint64_t tx_changes(const Pin& pin, Tx from, Tx to) {
  const auto totals = [&](Tx tx) {
    if (tx == pin.view().tx) {
      // Closings of the newest commit have no later record to bound them; rows written and closed are counted alike.
      const Commit newest = pin.commit(tx);
      const uint64_t closed_edges = pin.view().edge_rows - newest.believed_edges;
      const uint64_t closed_nodes = pin.view().node_rows - newest.believed_nodes;
      return uint64_t{pin.view().edge_rows} + pin.view().node_rows + closed_edges + closed_nodes;
    }
    const Commit next = pin.commit(tx + 1);
    return uint64_t{next.first_edge_row} + next.first_node_row + next.first_edge_closing + next.first_node_closing;
  };
  return from >= to ? 0 : totals(to) - totals(from);
}

uint64_t degree(const Pin& pin, NodeNumber node, ValidWindow window) {
  uint64_t slots = 0;
  const VersionTable& versions = pin.tables().edge_versions;
  pin.tables().incidence.each_chunk(node, [&](std::span<const Slot> chunk, Micros max_end) {
    if (chunk.front().valid_from >= window.to) return false;
    if (max_end <= window.from) return true;
    for (const Slot& slot : chunk) {
      const bool touches = slot.valid_from < window.to && versions.valid_to(slot.row) > window.from;
      slots += touches && slot.row < pin.row_cut(Kind::kEdge) ? 1 : 0;
    }
    return true;
  });
  return slots;
}

double mean_degree(const Pin& pin) {
  const Row cut = pin.row_cut(Kind::kEdge);
  const Row taken = std::min(cut, kSampledEnds);
  std::map<NodeNumber, uint64_t> degrees;  // hubs come again and again, and their lists are long
  double sum = 0;
  for (Row i = 0; i < taken; ++i) {
    const auto row = static_cast<Row>(uint64_t{i} * cut / taken);
    const EdgeNumber edge = pin.tables().edge_versions.owner(row);
    for (const NodeNumber node : {pin.tables().edges.src(edge), pin.tables().edges.dst(edge)}) {
      const auto [known, is_new] = degrees.try_emplace(node, 0);
      if (is_new) known->second = degree(pin, node, {});
      sum += static_cast<double>(known->second);
    }
  }
  return taken == 0 ? 0 : sum / (2.0 * taken);
}

uint64_t rows_of(const Pin& pin, Kind kind, uint32_t identity, ValidWindow window) {
  uint64_t rows = 0;
  const VersionTable& versions = pin.versions(kind);
  const VersionIndex& index = kind == Kind::kEdge ? pin.tables().edge_index : pin.tables().node_index;
  index.each(identity, pin.row_cut(kind), [&](Row row) {
    rows += window.touches(versions.valid_from(row), versions.valid_to(row)) ? 1 : 0;
    return true;
  });
  return rows;
}

std::vector<TypeShare> type_shares(const Pin& pin) {
  const Row cut = pin.row_cut(Kind::kEdge);
  const Row taken = std::min(cut, kSampledRows);
  std::map<TypeNumber, uint32_t> counts;
  for (Row i = 0; i < taken; ++i) {
    const auto row = static_cast<Row>(uint64_t{i} * cut / taken);
    ++counts[pin.tables().edges.type(pin.tables().edge_versions.owner(row))];
  }
  std::vector<TypeShare> shares;
  for (const auto& [type, count] : counts) shares.push_back({type, static_cast<double>(count) / taken});
  const auto& names = pin.tables().types;
  std::sort(shares.begin(), shares.end(), [&](const TypeShare& a, const TypeShare& b) {
    return a.share != b.share ? a.share > b.share : names.get(a.type) < names.get(b.type);
  });
  return shares;
}

Extent extent(const Pin& pin, Kind kind) {
  Extent found;
  each_block(pin, kind, [&](const Zone& zone, uint32_t) {
    found.least_from = std::min(found.least_from, zone.min_from);
    found.greatest_from = std::max(found.greatest_from, zone.max_from);
    found.greatest_to = std::max(found.greatest_to, zone.max_to);
  });
  return found;
}

std::vector<std::string> types_in_use(const Pin& pin) {
  std::vector<std::string> names;
  for (uint32_t type = 0; type < kNameCount; ++type) {
    if (pin.tables().type_tx.get_atomic(type) <= pin.tx()) names.emplace_back(pin.tables().types.get(type));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> labels_in_use(const Pin& pin) {
  std::set<std::string> names;
  for (uint32_t set = 0; set < pin.view().label_set_count; ++set) {
    if (pin.tables().label_set_tx.get_atomic(set) > pin.tx()) continue;
    for (const TextNumber label : pin.tables().label_set(set)) names.emplace(pin.tables().labels.get(label));
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> nearest_uids(const Pin& pin, std::string_view uid, size_t count) {
  const size_t limit = std::min<size_t>(uid.size() / 2, 3);
  std::vector<std::pair<size_t, std::string>> found;
  const NodeNumber end = std::min(pin.view().node_count, kComparedUids);
  for (NodeNumber node = 0; node < end; ++node) {
    const std::string_view other = pin.tables().uids.get(node);
    const size_t shorter = std::min(other.size(), uid.size());
    if (other.size() + uid.size() - 2 * shorter > limit || !pin.is_known_node(node)) continue;
    const size_t steps = distance(uid, other, limit);
    if (steps <= limit) found.emplace_back(steps, other);
  }
  const size_t kept = std::min(count, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<ptrdiff_t>(kept), found.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < kept; ++i) names.push_back(std::move(found[i].second));
  return names;
}

}  // namespace palimpsest::statistics
