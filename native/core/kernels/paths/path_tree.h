// The beginnings of paths that a search holds, each one hop longer than its parent: no node twice, times that chain.
// A search goes from one end to the other on its own clock; labels from the far end say what is in vain.
#pragma once

#include "core/kernels/paths/labels.h"
#include "core/kernels/paths/times.h"

namespace palimpsest::paths {

/// Where a search goes, and under which limits, on its clock.
struct Frame {
  Travel travel;
  NodeNumber origin;
  NodeNumber goal;
  Clock begin;  // the first departure allowed
  Clock bound;  // the last arrival allowed
  uint32_t min_hops;
  uint32_t max_hops;

  /// The labels that this search wants, from its goal.
  Labels::Area labels() const {
    const Travel back = travel == Travel::kForward ? Travel::kBackward : Travel::kForward;
    return {back, goal, origin, -bound, -begin};
  }
};

class PathTree {
 public:
  static constexpr uint32_t kRoot = 0;
  /// More beginnings at once than this are too many to hold.
  static constexpr uint32_t kMostPlaces = 1u << 21;

  struct Place {
    uint32_t parent;
    uint32_t depth;  // hops so far
    NodeNumber node;
    Row row;  // of the last hop
    Clock ride;
    Stretch departures;  // by the last hop
    uint32_t stretch;
    uint32_t stretches;
    Clock arrival;   // the earliest; the stay of the first step counts from before the beginning
    uint32_t first;  // with a wait limit: where all arrivals stand
    uint32_t count;
  };

  PathTree(WaySource& ways, const WaitRules& rules, const Frame& frame, const Labels& labels);

  const Place& place(uint32_t number) const { return places_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(places_.size()); }
  /// Forgets the beginnings made last.
  void shrink(uint32_t size);

  /// The latest arrival at a node from which `hops` further steps may still lead to the goal in time; INT64_MIN when
  /// none does.
  Clock latest_arrival(NodeNumber node, uint32_t hops) const;
  /// The departures from a beginning that may go on: on the search's clock.
  Stretch onward(uint32_t from) const;
  /// Goes on by a way to a node that is neither on the way nor too far; false when that cannot be.
  bool add(uint32_t from, Way& way, uint32_t& added);

  /// The latest first departure with which the last node is reached in time; INT64_MIN when there is none.
  Clock latest_start(uint32_t end) const { return latest_start(end, limits_[end]); }
  /// The least time between the first departure and the last arrival.
  Clock least_duration(uint32_t end) const;
  /// The hops up to here in the direction of the path, in real time.
  std::vector<Hop> hops(uint32_t end) const;

 private:
  std::span<const Stretch> departures(const Place& place) const;
  bool visits(uint32_t end, NodeNumber node) const;
  Clock latest_start(uint32_t end, Clock limit) const;

  WaySource& ways_;
  const WaitRules rules_;
  const Frame frame_;
  const Labels& labels_;
  std::vector<Place> places_;
  std::vector<Clock> limits_;  // by place: the latest arrival that is of use
  Stretches arrivals_;         // of all places
  mutable Stretches next_;
  mutable Stretches before_;
};

}  // namespace palimpsest::paths
