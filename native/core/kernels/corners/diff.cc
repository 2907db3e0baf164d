#include "core/kernels/corners/diff.h"

#include <algorithm>
#include <utility>

#include "core/kernels/corners/corner_changes.h"

namespace palimpsest {

namespace {

/// An identity that differs, with its versions in the corners where it passes.
struct Difference {
  uint32_t identity;
  Row left;
  Row right;

  Change change() const {
    return left == kNone ? Change::kAdded : right == kNone ? Change::kRemoved : Change::kChanged;
  }
};

class Differ {
 public:
  Differ(Corner& left, Corner& right, const DiffQuery& query, StepCounter& steps)
      : left_(left),
        right_(right),
        query_(query),
        steps_(steps),
        tables_(right.pin().tables()),
        node_count_(right.pin().view().node_count),
        in_scope_(node_count_) {}

  Status run(DiffPage& page) {
    if (const Status status = find_scope(); !status.is_ok()) return status;
    const bool walks_scope = query_.scope && is_scope_smaller();
    std::vector<SidedRow> rows;
    if (!query_.scope || (has_node_filter() && !walks_scope)) {
      if (const Status status = find_rows(Kind::kNode, rows); !status.is_ok()) return status;
    }
    if (query_.scope) {
      judge_scope_nodes();
    } else {
      for (const SidedRow row : rows) judge_sided(Kind::kNode, row);
    }
    put_totals(Kind::kNode, page);
    const std::vector<Difference> nodes = std::exchange(differences_, {});

    if (walks_scope) {
      if (const Status status = judge_scope_edges(); !status.is_ok()) return status;
    } else {
      const std::vector<NodeNumber> flipped = flipped_nodes(rows);
      rows.clear();
      if (const Status status = find_rows(Kind::kEdge, rows); !status.is_ok()) return status;
      differences_.reserve(rows.size());
      for (const SidedRow row : rows) judge_sided(Kind::kEdge, row);
      if (const Status status = judge_flipped(flipped); !status.is_ok()) return status;
    }
    put_totals(Kind::kEdge, page);
    put_page(nodes, differences_, page);
    return Status::ok();
  }

 private:
  bool has_node_filter() const { return right_.filter().has_node_part(); }
  const VersionTable& versions(Kind kind) const { return right_.pin().versions(kind); }
  Status find_rows(Kind kind, std::vector<SidedRow>& rows) { return one_sided_rows(kind, left_, right_, steps_, rows); }

  Status find_scope() {
    if (!query_.scope) return Status::ok();
    for (Corner* corner : {&left_, &right_}) {
      NodeMarks visited(node_count_);
      Reached reached;
      const Status status = search_hops(*corner, *query_.scope, visited, steps_, reached);
      if (!status.is_ok()) return status;
      for (const NodeNumber node : reached.nodes) {
        if (in_scope_.add(node)) scope_.push_back(node);
      }
    }
    return Status::ok();
  }

  void judge_scope_nodes() {
    for (const NodeNumber node : scope_) {
      judge_pair(Kind::kNode, left_.version_of(Kind::kNode, node), right_.version_of(Kind::kNode, node));
    }
  }

  bool is_edge_in_scope(EdgeNumber edge) const {
    return !query_.scope || (in_scope_.has(tables_.edges.src(edge)) && in_scope_.has(tables_.edges.dst(edge)));
  }

  bool passes(Corner& corner, Kind kind, Row row) {
    if (row == kNone) return false;
    return kind == Kind::kEdge ? corner.passes_edge(row) : corner.filter().passes_node_row(row);
  }

  /// The versions of one identity that are present in the corners; kNone where there is none.
  void judge_pair(Kind kind, Row left, Row right) {
    const Row passing_left = passes(left_, kind, left) ? left : kNone;
    const Row passing_right = passes(right_, kind, right) ? right : kNone;
    if (passing_left == passing_right) return;
    if (passing_left != kNone && passing_right != kNone &&
        !differs(tables_, kind, passing_left, passing_right, query_.compared)) {
      return;
    }
    differences_.push_back({versions(kind).owner(left != kNone ? left : right), passing_left, passing_right});
  }

  /// A row that only one corner has. An identity with a row in each is judged once, at the right one.
  void judge_sided(Kind kind, SidedRow sided) {
    const uint32_t identity = versions(kind).owner(sided.row());
    if (kind == Kind::kEdge && !is_edge_in_scope(identity)) return;
    const VersionIndex& index = kind == Kind::kEdge ? tables_.edge_index : tables_.node_index;
    const bool is_single = index.is_single(identity);
    if (sided.is_right()) {
      judge_pair(kind, is_single ? kNone : left_.version_of(kind, identity), sided.row());
    } else if (is_single || right_.version_of(kind, identity) == kNone) {
      judge_pair(kind, sided.row(), kNone);
    }
  }

  /// Nodes that may be an end of an edge in one corner and may not in the other, ascending.
  std::vector<NodeNumber> flipped_nodes(const std::vector<SidedRow>& node_rows) {
    std::vector<NodeNumber> flipped;
    if (!has_node_filter()) return flipped;
    for (const SidedRow sided : node_rows) {
      const NodeNumber node = tables_.node_versions.owner(sided.row());
      if (left_.verdict(node) != right_.verdict(node)) flipped.push_back(node);
    }
    std::sort(flipped.begin(), flipped.end());
    flipped.erase(std::unique(flipped.begin(), flipped.end()), flipped.end());
    return flipped;
  }

  /// Edges whose version is the same in both corners while the verdict on an end is not.
  Status judge_flipped(const std::vector<NodeNumber>& flipped) {
    NodeMarks is_flipped(node_count_);
    for (const NodeNumber node : flipped) is_flipped.set(node, 0);
    for (const NodeNumber node : flipped) {
      const bool was_whole = left_.each_begun_slot(node, steps_, [&](const Slot& slot) {
        // An edge between two flipped nodes is judged at its tail.
        const bool is_judged_here = !slot.is_incoming() || slot.other() == node || !is_flipped.has(slot.other());
        if (!is_judged_here || !left_.is_live(slot.row) || !right_.has(Kind::kEdge, slot.row)) return true;
        if (is_edge_in_scope(tables_.edge_versions.owner(slot.row))) judge_pair(Kind::kEdge, slot.row, slot.row);
        return true;
      });
      if (!was_whole) return steps_.status();
    }
    return Status::ok();
  }

  /// True when the lists of the scope's nodes are shorter than what the corners leave to be tested.
  bool is_scope_smaller() const {
    const Pin& newer = left_.pin().tx() > right_.pin().tx() ? left_.pin() : right_.pin();
    const Pin& older = left_.pin().tx() > right_.pin().tx() ? right_.pin() : left_.pin();
    uint64_t between = newer.row_cut(Kind::kEdge) - older.row_cut(Kind::kEdge);
    if (left_.at() != right_.at()) {
      const auto [early, late] = std::minmax({left_.at(), right_.at()});
      between += newer.view().runs.count_begun(tables_.edge_versions, newer.row_cut(Kind::kEdge), early + 1, late + 1);
    }
    const uint64_t blocks = newer.row_cut(Kind::kEdge) >> kBlockShift;  // each zone would be looked at
    uint64_t slots = 0;
    for (const NodeNumber node : scope_) {
      slots += tables_.incidence.slot_count(node);
      if (slots > between + blocks) return false;
    }
    return true;
  }

  /// Every edge with both ends in the scope, met at its tail.
  Status judge_scope_edges() {
    // One walk by the later instant sees the rows of both corners.
    Corner& late = left_.at() > right_.at() ? left_ : right_;
    const Row cut = std::max(left_.pin().row_cut(Kind::kEdge), right_.pin().row_cut(Kind::kEdge));
    for (const NodeNumber node : scope_) {
      if (!steps_.add(tables_.incidence.slot_count(node))) return steps_.status();
      tables_.incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
        if (slots.empty() || max_end <= std::min(left_.at(), right_.at())) return true;
        for (const Slot& slot : slots) {
          if (slot.valid_from > late.at()) return false;
          if (slot.row >= cut || (slot.is_incoming() && slot.other() != node) || !in_scope_.has(slot.other())) continue;
          const bool is_left = left_.has(Kind::kEdge, slot.row);
          const bool is_right = right_.has(Kind::kEdge, slot.row);
          if (is_left && is_right) {
            if (has_node_filter()) judge_pair(Kind::kEdge, slot.row, slot.row);
          } else if (is_left || is_right) {
            judge_sided(Kind::kEdge, SidedRow(slot.row, is_right));
          }
        }
        return true;
      });
    }
    return Status::ok();
  }

  /// Counts what was found of a kind and keeps what is listed.
  void put_totals(Kind kind, DiffPage& page) {
    for (const Difference& difference : differences_) ++page.totals[total_of(kind, difference.change())];
    const auto is_listed = [&](Change change) { return (query_.included >> total_of(kind, change) & 1) != 0; };
    if (!is_listed(Change::kAdded) || !is_listed(Change::kRemoved) || !is_listed(Change::kChanged)) {
      std::erase_if(differences_, [&](const Difference& difference) { return !is_listed(difference.change()); });
    }
    page.rows_total += differences_.size();
  }

  void put_row(Kind kind, const Difference& difference, DiffPage& page) {
    DiffRow row{kind, difference.change(), difference.left, difference.right, {}};
    if (row.change == Change::kChanged) {
      row.changed = names_of_differences(tables_, kind, row.left, row.right, query_.compared);
    }
    page.rows.push_back(std::move(row));
  }

  void put_page(const std::vector<Difference>& nodes, const std::vector<Difference>& edges, DiffPage& page) {
    const auto identities = [](const std::vector<Difference>& differences) {
      std::vector<uint32_t> numbers(differences.size());
      for (size_t i = 0; i < differences.size(); ++i) numbers[i] = differences[i].identity;
      return numbers;
    };
    const PageRange range = query_.rows;
    if (range.from < nodes.size() && range.from < range.to) {
      NodeMarks position_of(node_count_);
      for (size_t i = 0; i < nodes.size(); ++i) position_of.set(nodes[i].identity, static_cast<uint32_t>(i));
      for (const NodeNumber node : node_page(tables_, identities(nodes), range)) {
        put_row(Kind::kNode, nodes[position_of.value(node)], page);
      }
    }
    if (range.to > nodes.size()) {
      const PageRange rest{range.from > nodes.size() ? range.from - nodes.size() : 0, range.to - nodes.size()};
      for (const uint32_t position : edge_page(tables_, node_count_, identities(edges), rest)) {
        put_row(Kind::kEdge, edges[position], page);
      }
    }
  }

  Corner& left_;
  Corner& right_;
  const DiffQuery& query_;
  StepCounter& steps_;
  const Tables& tables_;
  const NodeNumber node_count_;
  NodeMarks in_scope_;
  std::vector<NodeNumber> scope_;
  std::vector<Difference> differences_;
};

}  // namespace

Status diff_snapshots(Corner& left, Corner& right, const DiffQuery& query, StepCounter& steps, DiffPage& page) {
  return Differ(left, right, query, steps).run(page);
}

}  // namespace palimpsest
