#include "core/kernels/corners/corner_changes.h"

#include <algorithm>

namespace palimpsest {

namespace {

/// Calls `visit(first row, froms, tos, count)` for each block below `row_cut` whose zone passes `may_hold`.
template <typename MayHold, typename Visit>
bool each_block(const VersionTable& versions, Row row_from, Row row_cut, MayHold&& may_hold, Visit&& visit) {
  Micros from_scratch[kBlockRows];
  Micros to_scratch[kBlockRows];
  for (Row base = row_from & ~(kBlockRows - 1); base < row_cut; base += kBlockRows) {
    const uint32_t block = base >> kBlockShift;
    if (!may_hold(versions.zone(block))) continue;
    const uint32_t skipped = std::max(base, row_from) - base;
    const uint32_t count = std::min(kBlockRows, row_cut - base);
    const Micros* froms = versions.valid_froms().block(block).values(count, from_scratch);
    const Micros* tos = versions.valid_tos().block(block).values(count, to_scratch);
    if (!visit(base + skipped, froms + skipped, tos + skipped, count - skipped)) return false;
  }
  return true;
}

/// The rows of a block that pass, without a branch per row.
template <typename Test>
std::span<const Row> pick(Row first, const Micros* froms, const Micros* tos, uint32_t count, Row* picked, Test&& test) {
  uint32_t picked_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    picked[picked_count] = first + i;
    picked_count += test(froms[i], tos[i]) ? 1 : 0;
  }
  return {picked, picked_count};
}

bool zone_begins_in(const Zone& zone, Micros after, Micros until) {
  return zone.min_from <= until && zone.max_from > after;
}
bool zone_ends_in(const Zone& zone, Micros after, Micros until) { return zone.min_to <= until && zone.max_to > after; }
bool zone_holds(const Zone& zone, Micros at) {
  return zone.min_from <= at && (zone.has_open_end != 0 || zone.max_to > at);
}

uint32_t closings_until(const Pin& pin, Kind kind) {
  const Commit commit = pin.commit(pin.tx());
  return pin.row_cut(kind) - (kind == Kind::kEdge ? commit.believed_edges : commit.believed_nodes);
}

class Collector {
 public:
  Collector(Kind kind, const Corner& left, const Corner& right, StepCounter& steps, std::vector<SidedRow>& out)
      : kind_(kind),
        versions_(right.pin().versions(kind)),
        right_(right),
        older_(left.pin().tx() <= right.pin().tx() ? left : right),
        newer_(left.pin().tx() <= right.pin().tx() ? right : left),
        early_(left.at() <= right.at() ? left : right),
        late_(left.at() <= right.at() ? right : left),
        old_cut_(older_.pin().row_cut(kind)),
        steps_(steps),
        out_(out) {}

  Status run() {
    const bool is_done =
        (older_.pin().tx() == newer_.pin().tx() || (collect_written() && collect_closed())) &&
        (early_.at() == late_.at() || (kind_ == Kind::kEdge ? collect_begun() && collect_ended() : collect_bounded()));
    return is_done ? Status::ok() : steps_.status();
  }

 private:
  void put(Row row, const Corner& corner) { out_.push_back(SidedRow(row, &corner == &right_)); }
  bool is_believed_in_both(Row row) const { return newer_.pin().tx() < versions_.closed_tx(row); }

  /// Rows written between the pins: the older belief has none of them.
  bool collect_written() {
    const Micros at = newer_.at();
    return each_block(
        versions_, old_cut_, newer_.pin().row_cut(kind_), [&](const Zone& zone) { return zone_holds(zone, at); },
        [&](Row first, const Micros* froms, const Micros* tos, uint32_t count) {
          for (const Row row : pick(first, froms, tos, count, picked_,
                                    [&](Micros from, Micros to) { return (from <= at) & (at < to); })) {
            if (is_believed_in_both(row)) put(row, newer_);
          }
          return steps_.add(count);
        });
  }

  /// Rows that the older belief had and that were closed between the pins.
  bool collect_closed() {
    const Micros at = older_.at();
    const uint32_t end = closings_until(newer_.pin(), kind_);
    for (uint32_t number = closings_until(older_.pin(), kind_); number < end; ++number) {
      if (!steps_.add(1)) return false;
      const Row row = versions_.closing(number).row;
      if (row < old_cut_ && versions_.valid_from(row) <= at && at < versions_.valid_to(row)) put(row, older_);
    }
    return true;
  }

  void put_begun(std::span<const Row> rows) {
    for (const Row row : rows) {
      if (is_believed_in_both(row)) put(row, late_);
    }
  }

  /// Rows of both beliefs that begin between the instants and still hold at the later one.
  bool collect_begun() {
    const Micros after = early_.at();
    const Micros until = late_.at();
    const TimeRuns& runs = newer_.pin().view().runs;
    for (const auto& run : runs.runs) {
      const uint32_t from = time_runs_detail::lower_bound(versions_, *run, after + 1);
      const uint32_t to = time_runs_detail::lower_bound(versions_, *run, until + 1);
      if (run->rows.empty()) {
        const Row first = std::min(run->first + from, old_cut_);
        if (!collect_begun_range(first, std::min(run->first + to, old_cut_))) return false;
        continue;
      }
      if (!steps_.add(to - from)) return false;
      for (uint32_t i = from; i < to; ++i) {
        const Row row = run->rows[i];
        if (row < old_cut_ && versions_.valid_to(row) > until && is_believed_in_both(row)) put(row, late_);
      }
    }
    return collect_begun_range(std::min(runs.tail_first, old_cut_), std::min(runs.row_count, old_cut_));
  }

  bool collect_begun_range(Row from, Row to) {
    const Micros after = early_.at();
    const Micros until = late_.at();
    return each_block(
        versions_, from, to, [&](const Zone& zone) { return zone_begins_in(zone, after, until); },
        [&](Row first, const Micros* froms, const Micros* tos, uint32_t count) {
          const auto rows = pick(first, froms, tos, count, picked_, [&](Micros begin, Micros end) {
            return (begin > after) & (begin <= until) & (end > until);
          });
          put_begun(rows);
          return steps_.add(count);
        });
  }

  /// Rows of both beliefs that hold at the earlier instant and end by the later one.
  bool collect_ended() {
    const Micros after = early_.at();
    const Micros until = late_.at();
    return each_block(
        versions_, 0, old_cut_,
        [&](const Zone& zone) { return zone.min_from <= after && zone_ends_in(zone, after, until); },
        [&](Row first, const Micros* froms, const Micros* tos, uint32_t count) {
          const auto rows = pick(first, froms, tos, count, picked_, [&](Micros begin, Micros end) {
            return (begin <= after) & (end > after) & (end <= until);
          });
          for (const Row row : rows) {
            if (is_believed_in_both(row)) put(row, early_);
          }
          return steps_.add(count);
        });
  }

  /// Beginnings and ends in one pass, for rows that have no sorted runs.
  bool collect_bounded() { return collect_begun_range(0, old_cut_) && collect_ended(); }

  const Kind kind_;
  const VersionTable& versions_;
  const Corner& right_;
  const Corner& older_;
  const Corner& newer_;
  const Corner& early_;
  const Corner& late_;
  const Row old_cut_;
  StepCounter& steps_;
  std::vector<SidedRow>& out_;
  Row picked_[kBlockRows];
};

}  // namespace

Status one_sided_rows(Kind kind, const Corner& left, const Corner& right, StepCounter& steps,
                      std::vector<SidedRow>& out) {
  return Collector(kind, left, right, steps, out).run();
}

}  // namespace palimpsest
