// Snapshots and diffs of random small stores against brute force over all rows: ties, touching intervals, self-loops,
// parallel edges, carved and closed rows, filters on both ends, scopes, every pair of pins and instants.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "check.h"
#include "core/kernels/corners/corner_changes.h"
#include "core/kernels/corners/diff.h"
#include "core/kernels/corners/snapshot.h"
#include "core/store/core_store.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

uint32_t below(Random& random, uint32_t bound) { return static_cast<uint32_t>(random() % bound); }

class Bytes {
 public:
  void u8(uint8_t value) { bytes_.push_back(value); }
  void u32(uint32_t value) { raw(&value, sizeof value); }
  void i64(int64_t value) { raw(&value, sizeof value); }
  void text(std::string_view value) {
    u32(static_cast<uint32_t>(value.size()));
    raw(value.data(), value.size());
  }
  void null() { u32(0xFFFFFFFFu); }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void raw(const void* data, size_t size) {
    const auto* from = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  std::vector<uint8_t> bytes_;
};

const std::vector<std::string> kUids = {"a", "b", "c", "ab", "aaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaac", "\xC3\xA9", "Z"};
const std::vector<std::string> kTypes = {"R", "S"};
const std::vector<std::string> kKeys = {"", "k1", "k2"};
const std::vector<std::string> kLabels = {"P", "Q"};

Micros random_instant(Random& random) { return 5 * static_cast<Micros>(below(random, 12)); }

void put_props(Random& random, Bytes& out) {
  const bool has_w = below(random, 3) > 0;
  const bool has_name = below(random, 3) == 0;
  out.u32((has_w ? 1 : 0) + (has_name ? 1 : 0));
  if (has_name) {
    out.text("name");
    out.u8(static_cast<uint8_t>(PropKind::kString));
    out.text(below(random, 2) == 0 ? "x" : "y");
  }
  if (has_w) {
    out.text("w");
    out.u8(static_cast<uint8_t>(PropKind::kInt64));
    out.i64(below(random, 2));
  }
}

void put_labels(Random& random, Bytes& out) {
  std::vector<std::string> labels;
  for (const auto& label : kLabels) {
    if (below(random, 2) == 0) labels.push_back(label);
  }
  out.u32(static_cast<uint32_t>(labels.size()));
  for (const auto& label : labels) out.text(label);
}

std::vector<uint8_t> random_operation(Random& random) {
  const bool is_edge = below(random, 3) > 0;
  const uint32_t choice = below(random, 6);
  const OpKind kind = choice < 4    ? (is_edge ? OpKind::kAssertEdge : OpKind::kAssertNode)
                      : choice == 4 ? (is_edge ? OpKind::kRetractEdge : OpKind::kRetractNode)
                                    : (is_edge ? OpKind::kReplaceEdge : OpKind::kReplaceNode);
  Bytes out;
  out.u32(1);
  out.u8(static_cast<uint8_t>(kind));
  const auto any = [&](const std::vector<std::string>& among) {
    return among[below(random, static_cast<uint32_t>(among.size()))];
  };
  out.text(any(kUids));
  if (is_edge) {
    out.text(any(kTypes));
    out.text(any(kUids));
    out.text(any(kKeys));
  }
  const Micros from = random_instant(random);
  out.i64(from);
  out.i64(below(random, 4) == 0 ? kOpenEnd : from + 1 + random_instant(random));
  for (int i = 0; i < 3; ++i) out.null();
  if (kind == OpKind::kAssertNode || kind == OpKind::kReplaceNode) put_labels(random, out);
  if (choice != 4) put_props(random, out);
  return out.bytes();
}

void put_node_filter(Random& random, Bytes& out, bool is_given) {
  out.u8(is_given ? 1 : 0);
  if (!is_given) return;
  if (below(random, 2) == 0) {
    out.null();
  } else {
    out.u32(5);
    for (uint32_t i = 0; i < 5; ++i) out.text(kUids[i]);
  }
  out.u32(below(random, 2));
  if (out.bytes()[out.bytes().size() - 4] == 1) out.text(kLabels[below(random, 2)]);
  out.null();
  out.u32(0);
}

std::vector<uint8_t> random_filter(Random& random) {
  if (below(random, 3) == 0) return {};
  Bytes out;
  if (below(random, 3) == 0) {
    out.u32(1);
    out.text("R");
  } else {
    out.null();
  }
  out.null();
  out.u32(0);
  for (int part = 0; part < 3; ++part) put_node_filter(random, out, below(random, 3) == 0);
  return out.bytes();
}

/// A corner without any index: every row is looked at.
struct PlainCorner {
  const Pin& pin;
  Micros at;
  const Filter& filter;
  const std::set<NodeNumber>& spared;

  bool has(Kind kind, Row row) const {
    const VersionTable& rows = pin.versions(kind);
    return pin.is_believed(kind, row) && rows.valid_from(row) <= at && at < rows.valid_to(row);
  }
  bool passes_edge(Row row) const {
    const EdgeNumber edge = pin.tables().edge_versions.owner(row);
    const NodeNumber src = pin.tables().edges.src(edge);
    const NodeNumber dst = pin.tables().edges.dst(edge);
    const auto passes_both = [&](NodeNumber node) { return spared.contains(node) || filter.passes_node(node, at); };
    return filter.passes_edge(row) && filter.passes_src(src, at) && filter.passes_dst(dst, at) && passes_both(src) &&
           passes_both(dst);
  }
  std::vector<Row> rows(Kind kind) const {
    std::vector<Row> found;
    for (Row row = 0; row < pin.row_cut(kind); ++row) {
      if (!has(kind, row)) continue;
      if (kind == Kind::kEdge ? passes_edge(row) : filter.passes_node_row(row)) found.push_back(row);
    }
    return found;
  }
  bool exists(NodeNumber node) const {
    for (Row row = 0; row < pin.row_cut(Kind::kNode); ++row) {
      if (has(Kind::kNode, row) && pin.tables().node_versions.owner(row) == node) return true;
    }
    return false;
  }
  std::map<NodeNumber, uint32_t> search(const KhopQuery& query) const {
    std::map<NodeNumber, uint32_t> hop_of;
    for (const NodeNumber seed : query.seeds) hop_of.emplace(seed, 0);
    for (uint32_t hop = 1; hop <= query.hops; ++hop) {
      const auto before = hop_of;
      for (const Row row : rows(Kind::kEdge)) {
        const EdgeNumber edge = pin.tables().edge_versions.owner(row);
        const NodeNumber src = pin.tables().edges.src(edge);
        const NodeNumber dst = pin.tables().edges.dst(edge);
        if (query.nodes_must_exist && !(exists(src) && exists(dst))) continue;
        if (query.orientation != Orientation::kIn && before.contains(src)) hop_of.emplace(dst, hop);
        if (query.orientation != Orientation::kOut && before.contains(dst)) hop_of.emplace(src, hop);
      }
    }
    return hop_of;
  }
};

using Identity = std::vector<std::string>;

Identity identity_of(const Tables& tables, Kind kind, uint32_t number) {
  if (kind == Kind::kNode) return {std::string(tables.uids.get(number))};
  const EdgeTable& edges = tables.edges;
  return {std::string(tables.uids.get(edges.src(number))), std::string(tables.types.get(edges.type(number))),
          std::string(tables.uids.get(edges.dst(number))), edges.key(number)};
}

std::vector<NodeNumber> random_seeds(Random& random, const Pin& pin) {
  std::set<NodeNumber> seeds;
  for (uint32_t i = 0; i <= below(random, 2); ++i) seeds.insert(below(random, pin.view().node_count));
  return {seeds.begin(), seeds.end()};
}

KhopQuery random_search(Random& random, const std::vector<NodeNumber>& seeds) {
  return {seeds, below(random, 4), static_cast<Orientation>(below(random, 3)), below(random, 2) == 0};
}

void check_snapshot(Random& random, const Pin& pin) {
  const auto bytes = random_filter(random);
  auto filter = Filter::parse(bytes, pin);
  CHECK(filter.is_ok());
  const auto seeds = random_seeds(random, pin);
  const std::set<NodeNumber> seed_set(seeds.begin(), seeds.end());
  const Micros at = random_instant(random);
  const PlainCorner plain{pin, at, filter.value(), seed_set};
  const KhopQuery search = random_search(random, seeds);

  const auto hop_of = plain.search(search);
  std::vector<std::pair<Identity, Row>> expected_edges;
  for (const Row row : plain.rows(Kind::kEdge)) {
    const EdgeNumber edge = pin.tables().edge_versions.owner(row);
    const NodeNumber src = pin.tables().edges.src(edge);
    const NodeNumber dst = pin.tables().edges.dst(edge);
    if (!hop_of.contains(src) || !hop_of.contains(dst)) continue;
    if (search.nodes_must_exist && !(plain.exists(src) && plain.exists(dst))) continue;
    expected_edges.emplace_back(identity_of(pin.tables(), Kind::kEdge, edge), row);
  }
  std::sort(expected_edges.begin(), expected_edges.end());
  std::vector<std::pair<uint32_t, Identity>> expected_nodes;
  for (const auto& [node, hop] : hop_of) expected_nodes.emplace_back(hop, identity_of(pin.tables(), Kind::kNode, node));
  std::sort(expected_nodes.begin(), expected_nodes.end());

  const NumberSet spared(seeds);
  Corner corner(pin, at, filter.value(), spared);
  const StopToken stop;
  StepCounter steps(stop);
  const uint64_t from = below(random, 3);
  const uint64_t to = from + below(random, 8);
  SnapshotPage page;
  CHECK(snapshot_subgraph(corner, {search, PageRange{from, to}, PageRange{from, to}}, steps, page).is_ok());
  CHECK(page.edges_total == expected_edges.size());
  CHECK(page.nodes_total == expected_nodes.size());
  const auto page_size = [&](size_t total) { return std::min<size_t>(to, total) - std::min<size_t>(from, total); };
  CHECK(page.edges.size() == page_size(expected_edges.size()));
  for (size_t i = 0; i < page.edges.size(); ++i) CHECK(page.edges[i] == expected_edges[from + i].second);
  CHECK(page.nodes.size() == page_size(expected_nodes.size()));
  for (size_t i = 0; i < page.nodes.size(); ++i) {
    const auto& node = page.nodes[i];
    CHECK(node.hop == expected_nodes[from + i].first);
    CHECK(identity_of(pin.tables(), Kind::kNode, node.node) == expected_nodes[from + i].second);
    CHECK((node.row != kNone) == plain.exists(node.node));
  }
}

std::vector<std::string> plain_differences(const Tables& tables, Kind kind, Row before, Row after, bool has_interval) {
  const VersionTable& rows = kind == Kind::kEdge ? tables.edge_versions : tables.node_versions;
  std::set<std::string> names;
  const auto content = [&](Row row) {
    std::map<std::string, std::pair<int, uint64_t>> values;
    std::vector<PropValue> stored;
    rows.properties().collect(row, stored);
    for (const auto& value : stored) {
      values[std::string(tables.prop_names.get(value.name))] = {static_cast<int>(value.kind), value.bits};
    }
    return values;
  };
  const auto before_props = content(before);
  const auto after_props = content(after);
  for (const auto& props : {before_props, after_props}) {
    for (const auto& [name, value] : props) {
      const auto a = before_props.find(name);
      const auto b = after_props.find(name);
      if (a == before_props.end() || b == after_props.end() || a->second != b->second) names.insert("props." + name);
    }
  }
  if (kind == Kind::kNode) {
    const auto a = tables.label_set(rows.label_set(before));
    const auto b = tables.label_set(rows.label_set(after));
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) names.insert("labels");
  }
  if (has_interval && rows.valid_from(before) != rows.valid_from(after)) names.insert("valid_from");
  if (has_interval && rows.valid_to(before) != rows.valid_to(after)) names.insert("valid_to");
  return {names.begin(), names.end()};
}

using ExpectedRow = std::tuple<Kind, Identity, Row, Row, std::vector<std::string>>;

void check_diff(Random& random, const Pin& left_pin, const Pin& right_pin) {
  const auto bytes = random_filter(random);
  auto left_filter = Filter::parse(bytes, left_pin);
  auto right_filter = Filter::parse(bytes, right_pin);
  CHECK(left_filter.is_ok() && right_filter.is_ok());
  const auto seeds = below(random, 2) == 0 ? random_seeds(random, right_pin) : std::vector<NodeNumber>{};
  const std::set<NodeNumber> seed_set(seeds.begin(), seeds.end());
  const Micros left_at = random_instant(random);
  const Micros right_at = below(random, 4) == 0 ? left_at : random_instant(random);
  const PlainCorner plain_left{left_pin, left_at, left_filter.value(), seed_set};
  const PlainCorner plain_right{right_pin, right_at, right_filter.value(), seed_set};
  const Tables& tables = right_pin.tables();

  DiffQuery query;
  query.compared = below(random, 2) == 0 ? Compared::kContent : Compared::kContentAndInterval;
  if (below(random, 2) == 0) query.included = below(random, 1u << kTotals);
  std::set<NodeNumber> scope;
  if (!seeds.empty()) {
    query.scope = random_search(random, seeds);
    query.scope->nodes_must_exist = false;
    for (const auto& plain : {plain_left, plain_right}) {
      for (const auto& [node, hop] : plain.search(*query.scope)) scope.insert(node);
    }
  }

  std::array<uint64_t, kTotals> totals{};
  std::vector<ExpectedRow> expected;
  for (const Kind kind : {Kind::kNode, Kind::kEdge}) {
    const VersionTable& rows = right_pin.versions(kind);
    std::map<uint32_t, std::pair<Row, Row>> pairs;
    const auto pair_of = [&](Row row) -> std::pair<Row, Row>& {
      return pairs.try_emplace(rows.owner(row), kNone, kNone).first->second;
    };
    for (const Row row : plain_left.rows(kind)) pair_of(row).first = row;
    for (const Row row : plain_right.rows(kind)) pair_of(row).second = row;
    std::vector<ExpectedRow> of_kind;
    for (const auto& [identity, pair] : pairs) {
      const auto in_scope = [&](NodeNumber node) { return !query.scope || scope.contains(node); };
      if (kind == Kind::kNode ? !in_scope(identity)
                              : !(in_scope(tables.edges.src(identity)) && in_scope(tables.edges.dst(identity)))) {
        continue;
      }
      const Change change = pair.first == kNone    ? Change::kAdded
                            : pair.second == kNone ? Change::kRemoved
                                                   : Change::kChanged;
      std::vector<std::string> changed;
      if (change == Change::kChanged) {
        const bool has_interval = query.compared == Compared::kContentAndInterval;
        changed = plain_differences(tables, kind, pair.first, pair.second, has_interval);
        if (changed.empty()) continue;
      }
      ++totals[total_of(kind, change)];
      if ((query.included >> total_of(kind, change) & 1) == 0) continue;
      of_kind.emplace_back(kind, identity_of(tables, kind, identity), pair.first, pair.second, changed);
    }
    std::sort(of_kind.begin(), of_kind.end());
    expected.insert(expected.end(), of_kind.begin(), of_kind.end());
  }

  const NumberSet spared(seeds);
  Corner left(left_pin, left_at, left_filter.value(), spared);
  Corner right(right_pin, right_at, right_filter.value(), spared);
  const StopToken stop;
  StepCounter steps(stop);
  query.rows.from = below(random, 4);
  query.rows.to = query.rows.from + below(random, 20);
  DiffPage page;
  CHECK(diff_snapshots(left, right, query, steps, page).is_ok());
  CHECK(page.totals == totals);
  CHECK(page.rows_total == expected.size());
  const size_t from = std::min<size_t>(query.rows.from, expected.size());
  CHECK(page.rows.size() == std::min<size_t>(query.rows.to, expected.size()) - from);
  for (size_t i = 0; i < page.rows.size(); ++i) {
    const DiffRow& row = page.rows[i];
    const auto& [kind, identity, left_row, right_row, changed] = expected[from + i];
    CHECK(row.kind == kind && row.left == left_row && row.right == right_row && row.changed == changed);
  }
}

void check_store(uint64_t seed) {
  Random random(seed);
  CoreStore store;
  Tx tx = 0;
  const uint32_t batch_count = 1 + below(random, 12);
  for (uint32_t batch = 0; batch < batch_count; ++batch) {
    bool is_good = true;
    for (uint32_t i = 0; i <= below(random, 8) && is_good; ++i) {
      is_good = store.stage().apply(random_operation(random), i).is_ok();
    }
    if (!is_good) {
      store.abort();
      continue;
    }
    tx = store.seal(1000 + batch);
    store.publish(std::array<uint8_t, 32>{});
  }
  const Pin latest(store.view(), tx);
  if (latest.view().node_count == 0) return;
  for (int i = 0; i < 12; ++i) {
    const Pin left = latest.at(below(random, tx + 1));
    const Pin right = below(random, 3) == 0 ? left : latest.at(below(random, tx + 1));
    check_snapshot(random, left);
    check_diff(random, left, right);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2000;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    if (count <= 20) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    check_store(seed);
  }
  std::printf("corners_test: seeds %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1));
  return 0;
}
