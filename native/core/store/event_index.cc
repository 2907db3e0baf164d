#include "core/store/event_index.h"

#include <algorithm>

namespace palimpsest {

namespace {

constexpr uint32_t kRowsPerCheck = 4096;

/// For each version of a view, by row: whether it is an event now, and whether it ever was.
struct EventRows {
  RankBits now;
  RankBits ever;
};

EventRows event_rows(const StoreView& view) {
  const Tables& tables = *view.tables;
  EventRows rows{RankBits(view.edge_rows, true), RankBits(view.edge_rows, true)};
  for (uint32_t number = 0; number < view.event_toggle_count; ++number) {
    const EventToggles::Toggle toggle = tables.event_toggles.get(number);
    rows.now.flip(toggle.row);
    // A toggle by the commit that wrote the version says that it began no spell from the first; a later one says that
    // it was, or has become, a beginning.
    const bool is_at_writing = toggle.row >= tables.commits.get(toggle.tx).first_edge_row;
    if (is_at_writing == rows.ever.has(toggle.row)) rows.ever.flip(toggle.row);
  }
  return rows;
}

}  // namespace

void SortedEvents::reserve(size_t count) {
  at.reserve(count);
  src.reserve(count);
  dst.reserve(count);
  type.reserve(count);
  row.reserve(count);
}

void SortedEvents::add(const Tables& tables, Row edge_row) {
  const EdgeNumber edge = tables.edge_versions.owner(edge_row);
  at.push_back(tables.edge_versions.valid_from(edge_row));
  src.push_back(tables.edges.src(edge));
  dst.push_back(tables.edges.dst(edge));
  type.push_back(tables.edges.type(edge));
  row.push_back(edge_row);
}

void SortedEvents::clear() {
  at.clear();
  src.clear();
  dst.clear();
  type.clear();
  row.clear();
}

void SortedEvents::gather(const SortedEvents& from, std::span<const uint32_t> positions) {
  const auto take = [&](auto& column, const auto& whole) {
    column.resize(positions.size());
    for (size_t i = 0; i < positions.size(); ++i) column[i] = whole[positions[i]];
  };
  take(at, from.at);
  take(src, from.src);
  take(dst, from.dst);
  take(type, from.type);
  take(row, from.row);
}

uint64_t SortedEvents::bytes() const {
  return at.capacity() * sizeof(Micros) + (src.capacity() + dst.capacity()) * sizeof(NodeNumber) +
         type.capacity() * sizeof(TypeNumber) + row.capacity() * sizeof(Row);
}

uint32_t SortedEvents::lower_bound(Micros instant) const {
  return static_cast<uint32_t>(std::lower_bound(at.begin(), at.end(), instant) - at.begin());
}

uint32_t SortedEvents::lower_bound_row(const VersionTable& versions, Row edge_row) const {
  uint32_t low = lower_bound(versions.valid_from(edge_row));
  uint32_t high = size();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (time_runs_detail::is_before(versions, row[middle], edge_row)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

uint32_t EventIndex::rank_of(const VersionTable& versions, Row edge_row) const {
  const uint32_t rank = columns.lower_bound_row(versions, edge_row);
  return rank < columns.size() && columns.row[rank] == edge_row ? rank : kNone;
}

Status EventIndex::build(const StoreView& view, const StopToken& stop, std::shared_ptr<const EventIndex>& out) {
  const Tables& tables = *view.tables;
  const EventRows rows = event_rows(view);
  auto index = std::make_shared<EventIndex>();
  index->state = {view.tx, view.edge_rows, view.event_toggle_count};
  SortedEvents& columns = index->columns;
  columns.reserve(rows.ever.count(0, view.edge_rows));
  uint32_t until_check = kRowsPerCheck;
  bool is_stopped = false;
  view.runs.each_begun(tables.edge_versions, view.edge_rows, INT64_MIN, INT64_MAX, [&](Row row) {
    if (--until_check == 0) {
      until_check = kRowsPerCheck;
      is_stopped = stop.is_stopped();
      if (is_stopped) return false;
    }
    if (rows.ever.has(row)) columns.add(tables, row);
    return true;
  });
  if (is_stopped) return Status(Code::kCancelled, "the call was cancelled");
  index->events = RankBits(columns.size(), true);
  if (view.event_toggle_count > 0) {
    for (uint32_t rank = 0; rank < columns.size(); ++rank) {
      if (!rows.now.has(columns.row[rank])) index->events.flip(rank);
    }
    index->events.count_blocks();
  }
  out = std::move(index);
  return Status::ok();
}

}  // namespace palimpsest
