#include "core/store/pin_events.h"

#include <algorithm>

namespace palimpsest {

namespace {

/// Versions that are events at one of two commits and not at the other, ascending by row. `before` is the earlier one.
std::vector<Row> changed_rows(const Tables& tables, const EventState& before, const EventState& after) {
  std::vector<Row> rows;
  for (Row row = before.row_cut; row < after.row_cut; ++row) rows.push_back(row);
  for (uint32_t number = before.toggle_cut; number < after.toggle_cut; ++number) {
    rows.push_back(tables.event_toggles.get(number).row);
  }
  std::sort(rows.begin(), rows.end());
  // What was turned over an even number of times is what it was.
  std::vector<Row> odd;
  for (size_t i = 0; i < rows.size();) {
    size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[i]) ++end;
    if ((end - i) % 2 != 0) odd.push_back(rows[i]);
    i = end;
  }
  return odd;
}

SortedEvents toggled(const Tables& tables, const SortedEvents& columns, std::vector<Row> flips) {
  const auto is_before = [&](Row a, Row b) { return time_runs_detail::is_before(tables.edge_versions, a, b); };
  std::sort(flips.begin(), flips.end(), is_before);
  std::vector<Row> rows;
  rows.reserve(columns.row.size() + flips.size());
  std::set_symmetric_difference(columns.row.begin(), columns.row.end(), flips.begin(), flips.end(),
                                std::back_inserter(rows), is_before);
  SortedEvents result;
  result.reserve(rows.size());
  for (const Row row : rows) result.add(tables, row);
  return result;
}

}  // namespace

PinEvents::PinEvents(std::shared_ptr<const EventIndex> index)
    : index_(std::move(index)), bits_(index_, &index_->events), state_(index_->state) {}

PinEvents::PinEvents(const PinEvents& earlier, const Pin& pin)
    : index_(earlier.index_), bits_(earlier.bits_), state_{pin.tx(), pin.row_cut(Kind::kEdge), pin.toggle_cut()} {
  const Tables& tables = pin.tables();
  std::vector<uint32_t> removed_flips;
  std::vector<Row> added_flips;
  for (const Row row : changed_rows(tables, earlier.state_, state_)) {
    const uint32_t rank = index_->rank_of(tables.edge_versions, row);
    if (rank != kNone && bits_->has(rank)) {
      removed_flips.push_back(rank);
    } else {
      added_flips.push_back(row);
    }
  }
  std::sort(removed_flips.begin(), removed_flips.end());
  std::set_symmetric_difference(earlier.removed_.begin(), earlier.removed_.end(), removed_flips.begin(),
                                removed_flips.end(), std::back_inserter(removed_));
  added_ = toggled(tables, earlier.added_, std::move(added_flips));
}

PinEvents::PinEvents(std::shared_ptr<const EventIndex> index, const Pin& pin)
    : index_(std::move(index)), state_{pin.tx(), pin.row_cut(Kind::kEdge), pin.toggle_cut()} {
  const Tables& tables = pin.tables();
  auto bits = std::make_shared<RankBits>(index_->events);
  for (const Row row : changed_rows(tables, state_, {0, state_.row_cut, index_->state.toggle_cut})) {
    const uint32_t rank = index_->rank_of(tables.edge_versions, row);
    if (rank != kNone) bits->flip(rank);
  }
  const std::vector<Row>& rows = index_->columns.row;
  for (uint32_t rank = 0; rank < rows.size(); ++rank) {
    if (rows[rank] >= state_.row_cut) bits->clear(rank);
  }
  bits->count_blocks();
  bits_ = std::move(bits);
}

PinEvents::Range PinEvents::range_of(const SortedEvents& columns, Micros from, Micros to) {
  const uint32_t begin = columns.lower_bound(from);
  const uint32_t end = to == INT64_MAX ? columns.size() : columns.lower_bound(to);
  return {begin, std::max(begin, end)};
}

uint64_t PinEvents::count(Micros from, Micros to) const {
  const Range ranks = range_of(index_->columns, from, to);
  const Range added = range_of(added_, from, to);
  const auto first = std::lower_bound(removed_.begin(), removed_.end(), ranks.begin);
  const auto last = std::lower_bound(first, removed_.end(), ranks.end);
  return uint64_t{bits_->count(ranks.begin, ranks.end)} - static_cast<uint64_t>(last - first) +
         (added.end - added.begin);
}

}  // namespace palimpsest
