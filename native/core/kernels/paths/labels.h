// How early each node can be reached from the far end of a search, by at most so many steps: what a search from the
// other end enters only nodes from which it can still arrive. Walks without a wait limit, so never too strict.
// Grows layer by layer, as far as a search finds it worth while.
#pragma once

#include "core/kernels/paths/ways.h"

namespace palimpsest::paths {

inline constexpr Clock kNoClock = reach::kNoClock;

class Labels {
 public:
  struct Area {
    Travel travel;  // the labels' own
    NodeNumber start;
    NodeNumber barrier;  // walks end there
    Clock begin;         // nobody leaves earlier
    Clock end;           // nobody arrives later
  };
  Labels(WaySource& ways, const WaitRules& rules, const Area& area);

  /// Adds walks of one step more. False when the counter has stopped.
  bool grow();
  /// About what `grow` would look at.
  uint64_t cost_of_growing() const;
  /// Whether walks of `hops` steps are all known.
  bool knows(uint32_t hops) const { return hops <= depth_ || frontier_.empty(); }
  /// The earliest arrival by a walk of at most `hops` steps, of those that are known; kNoClock when there is none.
  Clock earliest(NodeNumber node, uint32_t hops) const;

 private:
  struct Label {
    uint32_t hops;
    uint32_t next;  // one of fewer hops and a later arrival
    Clock arrival;
  };
  struct Reached {
    NodeNumber node;
    Clock arrival;
  };
  void improve(NodeNumber node, Clock arrival, std::vector<Reached>& fresh);

  WaySource& ways_;
  const WaitRules rules_;
  const Area area_;
  uint32_t depth_ = 0;
  reach::NodeSet places_;
  std::vector<uint32_t> newest_;  // by place
  std::vector<Label> labels_;
  std::vector<Reached> frontier_;  // reached anew, or earlier, by the last layer
};

}  // namespace palimpsest::paths
