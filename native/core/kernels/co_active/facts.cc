#include "core/kernels/co_active/facts.h"

#include "core/kernels/stoppable_sort.h"
#include "core/kernels/touching_rows.h"

namespace palimpsest::co_active {

namespace {

struct NamedNodes {
  const NumberSet* nodes;
  bool is_by_dst;
};

/// The uids by which a filter can be read from lists; where it names some for either end, both ends are among these.
NamedNodes named_by(const Filter& filter) {
  if (filter.src_uids() != nullptr) return {filter.src_uids(), false};
  if (filter.dst_uids() != nullptr) return {filter.dst_uids(), true};
  return {filter.node_uids(), false};
}

class FactReader {
 public:
  FactReader(const Pin& pin, const Selection& selection, ValidWindow window, StepCounter& steps,
             std::vector<Fact>& facts)
      : pin_(pin),
        versions_(pin.tables().edge_versions),
        edges_(pin.tables().edges),
        selection_(selection),
        filter_(selection.filter),
        window_(window),
        steps_(steps),
        facts_(facts) {}

  bool read() {
    if (selection_.is_sweep()) {
      const Row end = pin_.row_cut(Kind::kEdge);
      return each_touching(versions_, 0, end, window_, steps_, [&](Row row) { add_row(row); }) && add_several();
    }
    const Incidence& incidence = pin_.tables().incidence;
    const auto [src, dst] = std::pair(selection_.src, selection_.dst);
    const bool starts_at_src = src != kNone && (dst == kNone || incidence.slot_count(src) <= incidence.slot_count(dst));
    if (starts_at_src) return read_list(src, true) && add_several();
    if (dst != kNone) return read_list(dst, false) && add_several();
    const auto [named, is_by_dst] = named_by(filter_);
    for (const NodeNumber node : named->sorted()) {
      if (!read_list(node, !is_by_dst)) return false;
    }
    return add_several();
  }

 private:
  bool read_list(NodeNumber node, bool is_src) {
    bool goes_on = true;
    pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
      goes_on = steps_.add(slots.size() + 1);
      if (!goes_on || slots.empty() || slots.front().valid_from >= window_.to) return false;
      if (max_end <= window_.from) return true;
      for (const Slot& slot : slots) {
        if (slot.valid_from >= window_.to) return false;
        const bool has_side = slot.other() == node || slot.is_incoming() != is_src;
        if (has_side && slot.row < pin_.row_cut(Kind::kEdge) && versions_.valid_to(slot.row) > window_.from) {
          add_row(slot.row);
        }
      }
      return true;
    });
    return goes_on;
  }

  /// A row that touches the window. What belongs to an edge of several versions waits: its span is more than the row.
  void add_row(Row row) {
    if (!pin_.is_believed_edge(row)) return;
    const EdgeNumber edge = versions_.owner(row);
    if ((selection_.src != kNone && edges_.src(edge) != selection_.src) ||
        (selection_.dst != kNone && edges_.dst(edge) != selection_.dst) || !filter_.passes_type(edges_.type(edge)) ||
        !filter_.passes_key(edge)) {
      return;
    }
    if (!pin_.tables().edge_index.is_single(edge)) {
      if (several_.empty() || several_.back() != edge) several_.push_back(edge);
      return;
    }
    const Micros from = versions_.valid_from(row);
    if (!filter_.passes_edge_predicates(row) || !passes_ends(edge, from)) return;
    add_fact({from, versions_.valid_to(row), edge});
  }

  /// Nothing is added once the call may hold no more; the counter's status then says so.
  void add_fact(const Fact& fact) {
    if (facts_.size() == facts_.capacity()) {
      const size_t more = std::max<size_t>(facts_.size(), 64);
      if (!steps_.status().is_ok() || !steps_.hold(more * sizeof(Fact))) return;
      facts_.reserve(facts_.size() + more);
    }
    facts_.push_back(fact);
  }

  bool add_several() {
    if (!sort_stoppable(several_, steps_, std::less<>())) return false;
    several_.erase(std::unique(several_.begin(), several_.end()), several_.end());
    for (const EdgeNumber edge : several_) {
      rows_.clear();
      pin_.each_believed(Kind::kEdge, edge, [&](Row row) {
        rows_.push_back(row);
        return true;
      });
      if (!steps_.add(rows_.size())) return false;
      std::sort(rows_.begin(), rows_.end(),
                [&](Row a, Row b) { return versions_.valid_from(a) < versions_.valid_from(b); });
      add_spans(edge);
    }
    return true;
  }

  /// The maximal runs of passing versions inside one spell, from all believed rows of the edge in time order.
  void add_spans(EdgeNumber edge) {
    Micros spell_from = 0;
    Fact span{0, 0, 0};  // edge 0: none is begun
    const auto end_span = [&] {
      if (span.edge != 0 && window_.touches(span.from, span.to) && passes_ends(edge, spell_from)) {
        add_fact(span);
      }
      span.edge = 0;
    };
    Micros last_end = INT64_MIN;
    for (const Row row : rows_) {
      const Micros from = versions_.valid_from(row);
      if (from != last_end) {
        end_span();
        spell_from = from;
      }
      last_end = versions_.valid_to(row);
      if (!filter_.passes_edge_predicates(row)) {
        end_span();
        continue;
      }
      if (span.edge == 0) span = {from, last_end, edge};
      span.to = last_end;
    }
    end_span();
  }

  /// Judged at the spell's beginning, cut to the window. `where.node` spares the ends that the selection names.
  bool passes_ends(EdgeNumber edge, Micros spell_from) const {
    if (!filter_.has_node_part()) return true;
    const Micros at = window_.judged_at(spell_from);
    const NodeNumber src = edges_.src(edge);
    const NodeNumber dst = edges_.dst(edge);
    return filter_.passes_src(src, at) && filter_.passes_dst(dst, at) &&
           (is_named(src) || filter_.passes_node(src, at)) && (is_named(dst) || filter_.passes_node(dst, at));
  }
  bool is_named(NodeNumber node) const { return node == selection_.src || node == selection_.dst; }

  const Pin& pin_;
  const VersionTable& versions_;
  const EdgeTable& edges_;
  const Selection& selection_;
  const Filter& filter_;
  const ValidWindow window_;
  StepCounter& steps_;
  std::vector<Fact>& facts_;
  std::vector<EdgeNumber> several_;  // edges of more than one version, as they were met
  std::vector<Row> rows_;
};

}  // namespace

uint64_t Selection::row_bound(const Pin& pin) const {
  if (is_sweep()) return pin.row_cut(Kind::kEdge);
  const Incidence& incidence = pin.tables().incidence;
  uint64_t rows = UINT64_MAX;
  for (const NodeNumber node : {src, dst}) {
    if (node != kNone) rows = std::min<uint64_t>(rows, incidence.slot_count(node));
  }
  if (rows != UINT64_MAX) return rows;
  rows = 0;
  for (const NodeNumber node : named_by(filter).nodes->sorted()) rows += incidence.slot_count(node);
  return rows;
}

Status read_facts(const Pin& pin, const Selection& selection, ValidWindow window, const RowOrder& order,
                  StepCounter& steps, std::vector<Fact>& facts) {
  FactReader reader(pin, selection, window, steps, facts);
  if (!reader.read() || !steps.status().is_ok()) return steps.status();
  const EdgeTable& edges = pin.tables().edges;
  const bool is_sorted = sort_stoppable(facts, steps, [&](const Fact& a, const Fact& b) {
    if (a.from != b.from) return a.from < b.from;
    const uint64_t key_a = order.key_of_node(edges.src(a.edge));
    const uint64_t key_b = order.key_of_node(edges.src(b.edge));
    return key_a != key_b ? key_a < key_b : order.compare_edges(a.edge, b.edge) < 0;
  });
  return is_sorted ? Status::ok() : steps.status();
}

}  // namespace palimpsest::co_active
