// One generation of the temporal index: every edge version that was ever an event, in event order, with the columns
// that sweeps read side by side. Immutable; a position is a rank. Made from a view, outlives it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/rank_bits.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/store/store_view.h"

namespace palimpsest {

/// Columns of events, ascending by (at, edge, row).
struct SortedEvents {
  std::vector<Micros> at;
  std::vector<NodeNumber> src;
  std::vector<NodeNumber> dst;
  std::vector<TypeNumber> type;
  std::vector<Row> row;

  uint32_t size() const { return static_cast<uint32_t>(row.size()); }
  void reserve(size_t count);
  void add(const Tables& tables, Row edge_row);
  void clear();
  /// Makes these the events at some positions of others.
  void gather(const SortedEvents& from, std::span<const uint32_t> positions);
  uint64_t bytes() const;
  /// The first position whose event is at or after an instant.
  uint32_t lower_bound(Micros instant) const;
  /// The first position that is not before a version in event order.
  uint32_t lower_bound_row(const VersionTable& versions, Row edge_row) const;
};

/// What a generation, or the events of one commit, were made of.
struct EventState {
  Tx tx = 0;
  Row row_cut = 0;
  uint32_t toggle_cut = 0;
};

struct EventIndex {
  EventState state;
  SortedEvents columns;
  RankBits events;  // which of the columns' versions are events at `state`

  /// The rank of a version; kNone when it was never an event.
  uint32_t rank_of(const VersionTable& versions, Row edge_row) const;
  uint64_t bytes() const { return columns.bytes() + events.bytes(); }

  /// Of everything that the view shows. kCancelled when the token says so.
  static Status build(const StoreView& view, const StopToken& stop, std::shared_ptr<const EventIndex>& out);
};

}  // namespace palimpsest
