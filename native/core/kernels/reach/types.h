// What the searches of temporal_reachability share: steps, rules, the nodes asked for and the nodes found.
// Time here is a clock that runs as the search does, so that there is only a search forward; knows nothing of the
// store.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/stop.h"
#include "core/base/types.h"

namespace palimpsest::reach {

/// An instant as the search travels: t forward, -t backward. Every rule of A8 is its own mirror image.
using Clock = int64_t;
inline constexpr Clock kNoClock = INT64_MAX;

enum class Crossing : uint8_t {
  kInstant,  // depart and arrive at one and the same instant of the step
  kRide,     // depart at its first instant, arrive at its last
};

/// A way from a node to another one. `kInstant`: open at every instant of [first, last]. `kRide`: leaves at `first`,
/// arrives at `last`, which is later. Steps lie in the window and have passed every filter.
struct Step {
  Clock first;
  Clock last;
  NodeNumber other;
};

struct Rules {
  Crossing crossing = Crossing::kInstant;
  Clock begin = 0;        // the first instant of the window on this clock
  Clock tie = 0;          // the least wait between two steps: 0, or 1 when ties are strict
  Clock wait = kNoClock;  // the longest wait; kNoClock when there is no limit
  uint32_t max_hops = 0;  // 0: no limit
  bool counts_hops = false;

  bool has_wait_limit() const { return wait != kNoClock; }
};

/// The steps out of one node.
class StepList {
 public:
  StepList() = default;
  explicit StepList(std::vector<Step> steps);

  std::span<const Step> steps() const { return steps_; }
  /// The position of the first step that begins at or after `instant`.
  size_t begun_at(Clock instant) const;
  /// Visits the steps with first <= `to` and last >= `from`, ascending by first.
  template <typename Visit>
  void each_touching(Clock from, Clock to, Visit&& visit) const {
    for (size_t block = 0; block < block_last_.size(); ++block) {
      const size_t begin = block * kBlockSteps;
      if (steps_[begin].first > to) return;
      if (block_last_[block] < from) continue;
      const size_t end = std::min(begin + kBlockSteps, steps_.size());
      for (size_t i = begin; i < end && steps_[i].first <= to; ++i) {
        if (steps_[i].last >= from) visit(steps_[i]);
      }
    }
  }

 private:
  static constexpr size_t kBlockSteps = 32;
  std::vector<Step> steps_;        // ascending by first
  std::vector<Clock> block_last_;  // the greatest `last` of each block
};

/// Where a search gets its steps from; a list stays valid as long as the source.
class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual const StepList& out_of(NodeNumber node) = 0;
};

/// Numbers 0, 1, 2, … for nodes in order of first touch: what a search keeps per node lies in small dense columns.
/// The table behind it is as long as the store has nodes; it is kept per thread and cleaned by touch, never as a whole.
class NodeSet {
 public:
  NodeSet();
  ~NodeSet();
  NodeSet(const NodeSet&) = delete;
  NodeSet& operator=(const NodeSet&) = delete;

  uint32_t find(NodeNumber node) const { return node < table_.size() ? table_[node] : kNone; }
  uint32_t add(NodeNumber node) {
    if (node >= table_.size()) grow(node);
    uint32_t& place = table_[node];
    if (place == kNone) {
      place = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(node);
    }
    return place;
  }
  NodeNumber node(uint32_t place) const { return nodes_[place]; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  void clear();

 private:
  void grow(NodeNumber node);
  std::vector<uint32_t> table_;
  std::vector<NodeNumber> nodes_;
};

/// The nodes that an answer is about: all, or those of `to`. A search may end when all of them are found.
class Goal {
 public:
  Goal() = default;  // all nodes
  explicit Goal(std::span<const NodeNumber> targets, NodeNumber subject);

  bool is_everything() const { return targets_ == nullptr; }
  bool wants(NodeNumber node) const { return targets_ == nullptr || targets_->find(node) != kNone; }
  /// How many nodes can be found at most; UINT32_MAX when the answer is about all.
  uint32_t size() const { return targets_ == nullptr ? UINT32_MAX : targets_->size(); }

 private:
  std::unique_ptr<NodeSet> targets_;
};

struct FoundNode {
  NodeNumber node;
  Clock arrival;
  uint64_t hops;  // 0 where they are not counted
};

/// What each search gets and gives. `reached` holds wanted nodes other than the subject, in no order.
struct Search {
  StepSource& steps;
  const Rules& rules;
  const Goal& goal;
  NodeNumber subject;
  StepCounter& counter;
};

}  // namespace palimpsest::reach
