#include "core/kernels/version_log.h"

#include <functional>

#include "core/kernels/rows/row_order.h"
#include "core/kernels/rows/sort_rows.h"
#include "core/kernels/touching_rows.h"

namespace palimpsest {

TxRange commits_between(const Pin& pin, Micros from, Micros to) {
  const Tx first = from == INT64_MIN ? 0 : pin.tx_at(from - 1) + 1;
  return {first, to == INT64_MAX ? kNeverTx : pin.tx_at(to - 1) + 1};
}

namespace {

class LogWalk {
 public:
  LogWalk(const Pin& pin, const LogQuery& query, const Filter& filter, const Filter& names, const StopToken& stop,
          LogAnswer& out)
      : pin_(pin), query_(query), filter_(filter), names_(names), steps_(stop), out_(out) {}

  Status run() {
    const bool is_done = query_.identity ? walk_identity() : walk_commits();
    if (!sorting_.is_ok()) return sorting_;
    return is_done ? Status::ok() : steps_.status();
  }

 private:
  uint64_t page_end() const { return query_.page.ordinal + query_.page.limit; }

  bool passes(Kind kind, Row row) {
    const VersionTable& versions = pin_.versions(kind);
    const Micros from = versions.valid_from(row);
    if (!query_.window.touches(from, versions.valid_to(row))) return false;
    if (kind == Kind::kNode) return names_.passes_node_row(row) && filter_.passes_node_row(row);
    if (!names_.passes_edge(row) || !filter_.passes_edge(row)) return false;
    if (!filter_.has_node_part()) return true;
    const EdgeNumber edge = versions.owner(row);
    const EdgeTable& edges = pin_.tables().edges;
    return filter_.passes_ends(edges.src(edge), edges.dst(edge), query_.window.judged_at(from));
  }
  /// Tests belief and content, counts the row, and says whether it belongs to the answer.
  bool takes(Kind kind, Row row) {
    const VersionTable& versions = pin_.versions(kind);
    const Tx closed = versions.closed_tx(row);
    const bool is_current = closed > pin_.tx();
    if (is_current ? !query_.wants_current : !query_.wants_superseded || closed <= query_.ended_after) return false;
    unsigned manner = 0;
    if (!is_current) {
      manner = static_cast<unsigned>(versions.closing(versions.closing_number(row)).ended_by);
      if ((query_.ended_by_mask >> manner & 1) == 0) return false;
    }
    if (!passes(kind, row)) return false;
    ++(is_current ? out_.current : out_.ended_by[manner]);
    return true;
  }

  /// One group: rows of one commit and kind. `each` calls back with every candidate and gives false when stopped.
  template <typename Each>
  bool walk_group(Kind kind, Each&& each) {
    const uint64_t before = out_.total();
    if (before >= page_end()) return each([&](Row row) { takes(kind, row); });
    PageSpan page{query_.page.ordinal > before ? query_.page.ordinal - before : 0, 0};
    page.limit = page_end() - before - page.ordinal;
    if (page.ordinal == 0 && page.limit >= pin_.row_cut(kind)) return walk_whole_group(kind, each);
    const RowOrder& order = order_of(kind);
    PageSelector<Row, std::function<bool(Row, Row)>> selector(
        page, [&order, kind](Row a, Row b) { return order.is_row_less(kind, a, b); });
    const bool is_done = each([&](Row row) {
      if (takes(kind, row)) selector.add(order.key_of_row(kind, row), row);
    });
    for (const Row row : selector.take()) out_.rows.push_back({kind, row});
    return is_done;
  }

  /// A group that is all on the page.
  template <typename Each>
  bool walk_whole_group(Kind kind, Each&& each) {
    std::vector<Row> rows;
    const bool is_done = each([&](Row row) {
      if (takes(kind, row)) rows.push_back(row);
    });
    if (!is_done) return false;
    auto& sorter = sorters_[static_cast<size_t>(kind)];
    if (!sorter) sorter.emplace(pin_, kind);
    sorting_ = sorter->sort(rows, steps_);
    for (const Row row : rows) out_.rows.push_back({kind, row});
    return sorting_.is_ok();
  }

  /// Groups of rows that are given in append order, so that commits ascend.
  bool walk_scattered(const std::vector<Row> (&rows)[2]) {
    size_t at[2] = {0, 0};
    while (at[0] < rows[0].size() || at[1] < rows[1].size()) {
      const auto tx_at = [&](int kind) {
        const auto index = static_cast<size_t>(kind);
        return at[index] < rows[index].size() ? pin_.tx_of(static_cast<Kind>(kind), rows[index][at[index]]) : kNeverTx;
      };
      const Tx tx = std::min(tx_at(0), tx_at(1));
      for (const int kind : {0, 1}) {
        const auto index = static_cast<size_t>(kind);
        if (tx_at(kind) != tx) continue;
        const Row end = first_row(static_cast<Kind>(kind), tx + 1);
        const bool is_done = walk_group(static_cast<Kind>(kind), [&](auto&& visit) {
          for (; at[index] < rows[index].size() && rows[index][at[index]] < end; ++at[index]) {
            if (!steps_.add(1)) return false;
            visit(rows[index][at[index]]);
          }
          return true;
        });
        if (!is_done) return false;
      }
    }
    return true;
  }

  bool walk_identity() {
    const Kind kind = query_.has_edges ? Kind::kEdge : Kind::kNode;
    const Tables& tables = pin_.tables();
    std::vector<Row> rows[2];
    (kind == Kind::kEdge ? tables.edge_index : tables.node_index)
        .each(*query_.identity, pin_.row_cut(kind), [&](Row row) {
          const Tx closed = pin_.versions(kind).closed_tx(row);
          const TxRange* range = query_.written_or_ended ? &*query_.written_or_ended : nullptr;
          const bool is_in =
              range == nullptr || range->holds(pin_.tx_of(kind, row)) || (closed <= pin_.tx() && range->holds(closed));
          if (is_in) rows[static_cast<size_t>(kind)].push_back(row);
          return true;
        });
    return walk_scattered(rows);
  }

  bool walk_commits() {
    const TxRange range = query_.written_or_ended.value_or(query_.written);
    const Tx first = std::max<Tx>(range.from, 1);
    const Tx end = std::min<Tx>(range.to, pin_.tx() + 1);
    if (query_.written_or_ended && first > 1 && !walk_ended_earlier(first, end)) return false;
    for (Tx tx = first; tx < end; ++tx) {
      for (const Kind kind : {Kind::kNode, Kind::kEdge}) {
        if (!wants(kind)) continue;
        const Row from = first_row(kind, tx);
        const Row to = first_row(kind, tx + 1);
        if (from == to) continue;
        const bool is_done = walk_group(kind, [&](auto&& visit) {
          return each_touching(pin_.versions(kind), from, to, query_.window, steps_, visit);
        });
        if (!is_done) return false;
      }
      if (!steps_.add(1)) return false;
    }
    return true;
  }

  /// Rows of commits before `first` whose belief ended in [first, end).
  bool walk_ended_earlier(Tx first, Tx end) {
    if (first >= end) return true;
    std::vector<Row> rows[2];
    for (const Kind kind : {Kind::kNode, Kind::kEdge}) {
      if (!wants(kind)) continue;
      const VersionTable& versions = pin_.versions(kind);
      const Row limit = first_row(kind, first);
      auto& found = rows[static_cast<size_t>(kind)];
      const uint32_t closing_end = end_of_closings(kind, end - 1);
      for (uint32_t number = first_closing(kind, first); number < closing_end; ++number) {
        const Row row = versions.closing(number).row;
        if (row < limit) found.push_back(row);
        if (!steps_.add(1)) return false;
      }
      std::sort(found.begin(), found.end());
    }
    return walk_scattered(rows);
  }

  bool wants(Kind kind) const { return kind == Kind::kEdge ? query_.has_edges : query_.has_nodes; }
  Row first_row(Kind kind, Tx tx) const {
    if (tx > pin_.tx()) return pin_.row_cut(kind);
    const Commit commit = pin_.commit(tx);
    return kind == Kind::kEdge ? commit.first_edge_row : commit.first_node_row;
  }
  uint32_t first_closing(Kind kind, Tx tx) const {
    const Commit commit = pin_.commit(tx);
    return kind == Kind::kEdge ? commit.first_edge_closing : commit.first_node_closing;
  }
  /// Behind the last closing of a commit. The next commit's record may not be there yet, so it is counted: what was
  /// believed before and what was written, less what is believed after.
  uint32_t end_of_closings(Kind kind, Tx tx) const {
    const Commit before = pin_.commit(tx - 1);
    const Commit commit = pin_.commit(tx);
    const uint32_t written = first_row(kind, tx + 1) - first_row(kind, tx);
    return kind == Kind::kEdge ? commit.first_edge_closing + before.believed_edges + written - commit.believed_edges
                               : commit.first_node_closing + before.believed_nodes + written - commit.believed_nodes;
  }
  const RowOrder& order_of(Kind kind) {
    auto& order = orders_[static_cast<size_t>(kind)];
    if (!order) order.emplace(pin_, query_.identity ? 0 : pin_.row_cut(kind));
    return *order;
  }

  const Pin& pin_;
  const LogQuery& query_;
  const Filter& filter_;
  const Filter& names_;
  StepCounter steps_;
  LogAnswer& out_;
  std::optional<RowOrder> orders_[2];
  std::optional<RowSorter> sorters_[2];
  Status sorting_;
};

}  // namespace

Status version_log(const Pin& pin, const LogQuery& query, const Filter& filter, const Filter& names,
                   const StopToken& stop, LogAnswer& out) {
  return LogWalk(pin, query, filter, names, stop, out).run();
}

}  // namespace palimpsest
