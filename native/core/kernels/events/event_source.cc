#include "core/kernels/events/event_source.h"

#include <algorithm>
#include <bit>

#include "core/store/event_cache.h"

namespace palimpsest {

Status EventSource::open(const Pin& pin, StepCounter& steps, EventSource& out) {
  if (!steps.status().is_ok()) return steps.status();
  out.tables_ = &pin.tables();
  return pin.tables().event_cache().get(pin, steps.token(), out.events_);
}

Status EventSource::open_at(const Pin& pin, const NamedEnds& ends, ValidWindow window, StepCounter& steps,
                            EventSource& out) {
  const VersionTable& versions = pin.tables().edge_versions;
  std::vector<Row> rows;
  const bool is_done = each_at_ends(pin, ends, window, steps, [&](Row row) {
    const bool is_event = versions.valid_from(row) >= window.from && pin.is_believed_edge(row);
    if (is_event && pin.begins_spell(Kind::kEdge, row)) rows.push_back(row);
  });
  if (!is_done) return steps.status();
  std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return time_runs_detail::is_before(versions, a, b); });
  auto listed = std::make_shared<SortedEvents>();
  listed->reserve(rows.size());
  for (const Row row : rows) listed->add(pin.tables(), row);
  out.tables_ = &pin.tables();
  out.listed_ = std::move(listed);
  return Status::ok();
}

EventSlice EventSource::listed_slice() const {
  return {listed_->size(),     listed_->at.data(),   listed_->src.data(),
          listed_->dst.data(), listed_->type.data(), listed_->row.data()};
}

bool EventSource::is_ready(const Pin& pin) { return pin.tables().event_cache().is_ready(pin); }

EventSource::Stretch EventSource::stretch_of(ValidWindow window) const {
  return {PinEvents::range_of(events_->index().columns, window.from, window.to),
          PinEvents::range_of(events_->added(), window.from, window.to)};
}

uint32_t EventSource::added_before(uint32_t rank) const {
  if (events_->added().size() == 0) return 0;
  return events_->added().lower_bound_row(tables_->edge_versions, events_->index().columns.row[rank]);
}

uint32_t EventSource::select(Range ranks, uint32_t* out) const {
  const RankBits& bits = events_->bits();
  const auto removed = events_->removed();
  auto next_removed = std::lower_bound(removed.begin(), removed.end(), ranks.begin);
  uint32_t count = 0;
  for (uint32_t first = ranks.begin; first < ranks.end;) {
    const uint32_t end = std::min(ranks.end, (first | 63) + 1);
    uint64_t word = bits.word(first >> 6) >> (first & 63);
    if (end - first < 64) word &= (uint64_t{1} << (end - first)) - 1;
    for (; next_removed != removed.end() && *next_removed < end; ++next_removed) {
      word &= ~(uint64_t{1} << (*next_removed - first));
    }
    for (; word != 0; word &= word - 1) out[count++] = first + static_cast<uint32_t>(std::countr_zero(word));
    first = end;
  }
  return count;
}

void EventSource::merge(std::span<const uint32_t> ranks, Range added_range, SortedEvents& out) const {
  const SortedEvents& base = events_->index().columns;
  const SortedEvents& added = events_->added();
  uint32_t next_added = added_range.begin;
  out.clear();
  const auto copy = [&](const SortedEvents& from, uint32_t position) {
    out.at.push_back(from.at[position]);
    out.src.push_back(from.src[position]);
    out.dst.push_back(from.dst[position]);
    out.type.push_back(from.type[position]);
    out.row.push_back(from.row[position]);
  };
  const auto is_due = [&](uint32_t rank) {
    if (next_added == added_range.end || added.at[next_added] > base.at[rank]) return false;
    return added.at[next_added] < base.at[rank] ||
           time_runs_detail::is_before(tables_->edge_versions, added.row[next_added], base.row[rank]);
  };
  for (const uint32_t rank : ranks) {
    while (is_due(rank)) copy(added, next_added++);
    copy(base, rank);
  }
  while (next_added < added_range.end) copy(added, next_added++);
}

EventSlice EventSource::read(Stretch stretch, SortedEvents& scratch) const {
  const auto [begin, end] = stretch.ranks;
  const SortedEvents& base = events_->index().columns;
  uint32_t selected[EventSlice::kMostEvents];
  const uint32_t count = select(stretch.ranks, selected);
  if (stretch.added.begin != stretch.added.end) {
    merge({selected, count}, stretch.added, scratch);
  } else if (count < end - begin) {
    scratch.gather(base, {selected, count});
  } else {
    return {count,
            base.at.data() + begin,
            base.src.data() + begin,
            base.dst.data() + begin,
            base.type.data() + begin,
            base.row.data() + begin};
  }
  return {scratch.size(),     scratch.at.data(),   scratch.src.data(),
          scratch.dst.data(), scratch.type.data(), scratch.row.data()};
}

}  // namespace palimpsest
