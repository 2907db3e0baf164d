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

bool EventSource::is_ready(const Pin& pin) { return pin.tables().event_cache().is_ready(pin); }

EventSource::Stretch EventSource::stretch_of(ValidWindow window) const {
  return {PinEvents::range_of(events_->index().columns, window.from, window.to),
          PinEvents::range_of(events_->added(), window.from, window.to)};
}

uint32_t EventSource::added_before(uint32_t rank) const {
  if (events_->added().size() == 0) return 0;
  return events_->added().lower_bound_row(tables_->edge_versions, events_->index().columns.row[rank]);
}

EventSlice EventSource::read(Stretch stretch, SortedEvents& scratch) const {
  const auto [begin, end] = stretch.ranks;
  const SortedEvents& base = events_->index().columns;
  const RankBits& bits = events_->bits();
  const auto removed = events_->removed();
  auto next_removed = std::lower_bound(removed.begin(), removed.end(), begin);
  const bool is_whole = stretch.added.begin == stretch.added.end && bits.count(begin, end) == end - begin &&
                        (next_removed == removed.end() || *next_removed >= end);
  if (is_whole) {
    return {end - begin,
            base.at.data() + begin,
            base.src.data() + begin,
            base.dst.data() + begin,
            base.type.data() + begin,
            base.row.data() + begin};
  }
  scratch.clear();
  const SortedEvents& added = events_->added();
  uint32_t next_added = stretch.added.begin;
  const auto copy = [&](const SortedEvents& from, uint32_t position) {
    scratch.at.push_back(from.at[position]);
    scratch.src.push_back(from.src[position]);
    scratch.dst.push_back(from.dst[position]);
    scratch.type.push_back(from.type[position]);
    scratch.row.push_back(from.row[position]);
  };
  const auto is_due = [&](uint32_t rank) {
    if (next_added == stretch.added.end || added.at[next_added] > base.at[rank]) return false;
    return added.at[next_added] < base.at[rank] ||
           time_runs_detail::is_before(tables_->edge_versions, added.row[next_added], base.row[rank]);
  };
  for (uint32_t rank = begin; rank < end; ++rank) {
    if (!bits.has(rank)) continue;
    if (next_removed != removed.end() && *next_removed == rank) {
      ++next_removed;
      continue;
    }
    while (is_due(rank)) copy(added, next_added++);
    copy(base, rank);
  }
  while (next_added < stretch.added.end) copy(added, next_added++);
  return {scratch.size(),     scratch.at.data(),   scratch.src.data(),
          scratch.dst.data(), scratch.type.data(), scratch.row.data()};
}

}  // namespace palimpsest
