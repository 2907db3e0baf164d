#include "core/kernels/paths/ways.h"

#include <algorithm>

namespace palimpsest::paths {

uint32_t WayList::next(Cursor& cursor, Clock from, Clock to) const {
  const bool is_forward = travel_ == Travel::kForward;
  const Micros least_end = is_forward ? from : -to;
  const Micros last_begin = is_forward ? to : -from;
  while (cursor.chunk < chunks_.size()) {
    const Chunk& chunk = chunks_[cursor.chunk];
    if (chunk.max_end < least_end) cursor.way = chunk.end;
    if (cursor.way == chunk.end) {
      ++cursor.chunk;
      continue;
    }
    return ways_[cursor.way].begins > last_begin ? kNone : cursor.way++;
  }
  return kNone;
}

WaySource::WaySource(const Pin& pin, const Filters& filters, const Question& question, StepCounter& counter)
    : pin_(pin),
      filters_(filters),
      question_(question),
      counter_(counter),
      ends_(pin, filters.where, question.from, question.to) {
  ends_.spare(question.src, question.dst);
  if (filters.src) leaving_.emplace(pin, *filters.src, question.from, question.to);
  if (filters.dst) reaching_.emplace(pin, *filters.dst, question.from, question.to);
}

std::shared_ptr<WayList> WaySource::out_of(NodeNumber node, Travel travel) {
  const uint64_t name = (uint64_t{node} << 1) | static_cast<uint64_t>(travel);
  if (const auto found = lists_.find(name); found != lists_.end()) return found->second;
  auto list = std::make_shared<WayList>();
  list->travel_ = travel;
  std::vector<Way>& ways = list->ways_;
  pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
    if (!slots.empty() && slots.front().valid_from >= question_.to) return false;
    if (max_end <= question_.from) return counter_.add(1);
    for (const Slot& slot : slots) {
      if (slot.valid_from >= question_.to) break;
      if (slot.other() == node || !leaves_by(slot.is_incoming(), travel)) continue;
      ways.push_back({.departures = {},
                      .ride = 0,
                      .begins = slot.valid_from,
                      .other = slot.other(),
                      .row = slot.row,
                      .is_incoming = slot.is_incoming()});
    }
    list->chunks_.push_back({static_cast<uint32_t>(ways.size()), max_end});
    return counter_.add(slots.size());
  });
  if (!counter_.status().is_ok()) return std::make_shared<WayList>();
  if (kept_ways_ > kMostWays) {
    lists_.clear();
    spans_.clear();
    counter_.let_go(kept_ways_ * sizeof(Way));
    kept_ways_ = 0;
  }
  if (!counter_.hold(ways.size() * sizeof(Way))) return std::make_shared<WayList>();
  kept_ways_ += ways.size();
  lists_.emplace(name, list);
  return list;
}

std::vector<Span> WaySource::spans_of(EdgeNumber edge) const {
  const VersionTable& versions = pin_.tables().edge_versions;
  std::vector<Row> rows;
  pin_.each_believed(Kind::kEdge, edge, [&](Row row) {
    rows.push_back(row);
    return true;
  });
  std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return versions.valid_from(a) < versions.valid_from(b); });
  std::vector<Span> spans;
  size_t spell = 0;  // spans that the running spell has so far
  bool was_passing = false;
  bool is_whole = true;
  const auto end_spell = [&] {
    for (size_t i = spans.size() - spell; i < spans.size(); ++i) spans[i].is_whole_spell = is_whole;
    spell = 0;
    was_passing = false;
    is_whole = true;
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && versions.valid_to(rows[i - 1]) != versions.valid_from(rows[i])) end_spell();
    if (!filters_.where.passes_edge(rows[i])) {
      is_whole = was_passing = false;
      continue;
    }
    if (was_passing) {
      spans.back().to = versions.valid_to(rows[i]);
    } else {
      spans.push_back({rows[i], versions.valid_from(rows[i]), versions.valid_to(rows[i]), true});
      ++spell;
    }
    was_passing = true;
  }
  end_spell();
  return spans;
}

std::optional<Span> WaySource::span_of(Row row) {
  const VersionTable& versions = pin_.tables().edge_versions;
  const EdgeNumber edge = versions.owner(row);
  if (pin_.tables().edge_index.is_single(edge)) {
    if (!pin_.is_believed_edge(row) || !filters_.where.passes_edge(row)) return std::nullopt;
    return Span{row, versions.valid_from(row), versions.valid_to(row), true};
  }
  const auto [found, is_new] = spans_.try_emplace(edge);
  if (is_new) found->second = spans_of(edge);
  const std::vector<Span>& spans = found->second;
  const auto span = std::lower_bound(spans.begin(), spans.end(), versions.valid_from(row),
                                     [](const Span& each, Micros from) { return each.from < from; });
  if (span == spans.end() || span->row != row) return std::nullopt;
  return *span;
}

void WaySource::intersect(const std::vector<Stretch>& others) {
  cut_.clear();
  for (size_t a = 0, b = 0; a < open_.size() && b < others.size();) {
    const Clock first = std::max(open_[a].first, others[b].first);
    const Clock last = std::min(open_[a].last, others[b].last);
    if (first <= last) cut_.push_back({first, last});
    if (open_[a].last < others[b].last) {
      ++a;
    } else {
      ++b;
    }
  }
  std::swap(open_, cut_);
}

/// Leaves in `open_` the instants at which the span may be crossed; false when there are none.
bool WaySource::cross_at_once(const Span& span, NodeNumber tail, NodeNumber head, bool is_tail_src) {
  const Stretch inside{std::max(span.from, question_.from), std::min(span.to, question_.to) - 1};
  if (inside.first > inside.last) return false;
  open_.assign(1, inside);
  if (filters_.where.has_node_part()) {
    intersect(ends_.of(tail, is_tail_src));
    intersect(ends_.of(head, !is_tail_src));
  }
  if (leaving_ && tail == question_.src) intersect(leaving_->of(tail, true));
  if (reaching_ && head == question_.dst) intersect(reaching_->of(head, true));
  return !open_.empty();
}

/// Leaves in `open_` the one instant of departure; false when the span cannot be ridden.
bool WaySource::ride(const Span& span, NodeNumber tail, NodeNumber head, bool is_tail_src) {
  // An open end lies beyond every window.
  if (!span.is_whole_spell || span.from < question_.from || span.to > question_.to) return false;
  if (filters_.where.has_node_part() &&
      (!ends_.passes(tail, is_tail_src, span.from) || !ends_.passes(head, !is_tail_src, span.to))) {
    return false;
  }
  if (leaving_ && tail == question_.src && !leaving_->passes(tail, true, span.from)) return false;
  if (reaching_ && head == question_.dst && !reaching_->passes(head, true, span.to)) return false;
  open_.assign(1, {span.from, span.from});
  return true;
}

void WaySource::read(Way& way, NodeNumber node, Travel travel) {
  way.state = Way::State::kShut;
  const std::optional<Span> span = span_of(way.row);
  if (!span) return;
  const bool is_forward = travel == Travel::kForward;
  const NodeNumber tail = is_forward ? node : way.other;
  const NodeNumber head = is_forward ? way.other : node;
  // The slot stands in the list of `node`, so it comes in where the node is the edge's dst.
  const bool is_tail_src = way.is_incoming != is_forward;
  if (!(question_.is_ride() ? ride(*span, tail, head, is_tail_src) : cross_at_once(*span, tail, head, is_tail_src))) {
    return;
  }
  way.state = Way::State::kOpen;
  way.ride = question_.is_ride() ? span->to - span->from : 0;
  if (!is_forward) {
    std::reverse(open_.begin(), open_.end());
    for (Stretch& stretch : open_) stretch = {-(stretch.last + way.ride), -(stretch.first + way.ride)};
  }
  way.departures = {open_.front().first, open_.back().last};
  way.stretches = static_cast<uint32_t>(open_.size());
  if (open_.size() == 1) return;
  way.stretch = static_cast<uint32_t>(pool_.size());
  pool_.insert(pool_.end(), open_.begin(), open_.end());
}

}  // namespace palimpsest::paths
