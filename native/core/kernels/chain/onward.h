// By node, the longest chain that leaves it after a given instant, while events come in backward event order.
// Two kinds: without a wait limit one number per node is enough, with one a falling row of (instant, length).
// Know instants, nodes and lengths; nothing of the store.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/kernels/chain/chain.h"
#include "core/kernels/node_marks.h"

namespace palimpsest::chain {

/// Whatever chain leaves a node can still be caught.
class AnyWait {
 public:
  AnyWait(const Question& question, NodeNumber node_count, StepCounter& steps)
      : node_count_(node_count), is_strict_(question.is_strict), steps_(steps) {
    forget();
  }

  void forget() {
    longest_.emplace(node_count_);
    pending_.clear();
  }
  /// 0 where no chain leaves the node that an event arriving at `at` can catch.
  uint32_t after(NodeNumber node, Micros at) {
    if (at != pending_at_ && !pending_.empty()) settle();
    return longest_->value_or(node, 0);
  }
  /// A chain of so many events leaves the node at `at`. False when memory is short.
  bool add(NodeNumber node, Micros at, uint32_t length) {
    if (!is_strict_) {
      raise(node, length);
      return true;
    }
    // Events of one instant do not see each other.
    pending_at_ = at;
    if (pending_.size() == pending_.capacity() && !grow()) return false;
    pending_.push_back({node, length});
    return true;
  }

 private:
  struct Pending {
    NodeNumber node;
    uint32_t length;
  };
  void raise(NodeNumber node, uint32_t length) {
    if (longest_->value_or(node, 0) < length) longest_->set(node, length);
  }
  void settle() {
    for (const Pending& each : pending_) raise(each.node, each.length);
    pending_.clear();
  }
  bool grow() {
    const size_t capacity = std::max<size_t>(64, 2 * pending_.capacity());
    if (!steps_.hold((capacity - pending_.capacity()) * sizeof(Pending))) return false;
    pending_.reserve(capacity);
    return true;
  }

  const NodeNumber node_count_;
  const bool is_strict_;
  StepCounter& steps_;
  std::optional<NodeMarks> longest_;
  std::vector<Pending> pending_;
  Micros pending_at_ = INT64_MIN;
};

/// A chain must leave at most `wait` after the event before it arrives.
class LimitedWait {
 public:
  LimitedWait(const Question& question, NodeNumber node_count, StepCounter& steps)
      : node_count_(node_count), is_strict_(question.is_strict), wait_(*question.max_wait), steps_(steps) {
    forget();
  }

  void forget() {
    places_.emplace(node_count_);
    nodes_.clear();
    links_.clear();
    free_ = kNone;
  }
  uint32_t after(NodeNumber node, Micros at) {
    if (!places_->has(node)) return 0;
    Node& here = nodes_[places_->value(node)];
    settle(here, at);
    // Nobody who comes yet can wait that long either.
    while (here.latest != kNone && links_[here.latest].at > at + wait_) drop(here, here.latest);
    return here.latest == kNone ? 0 : links_[here.latest].length;
  }
  bool add(NodeNumber node, Micros at, uint32_t length) {
    if (places_->add(node, static_cast<uint32_t>(nodes_.size()))) {
      if (!make_room(nodes_)) return false;
      nodes_.emplace_back();
    }
    if (!make_room(links_)) return false;
    Node& here = nodes_[places_->value(node)];
    settle(here, at);
    here.pending_length = std::max(here.pending_length, length);
    here.pending_at = at;
    if (!is_strict_) settle(here, INT64_MIN);
    return true;
  }

 private:
  /// Chains that leave a node, from the latest to the earliest: the earlier ones are shorter, else the later would
  /// never be taken.
  struct Node {
    uint32_t latest = kNone;
    uint32_t earliest = kNone;
    uint32_t pending_length = 0;  // of the running instant
    Micros pending_at = 0;
  };
  struct Link {
    Micros at;
    uint32_t length;
    uint32_t later;
    uint32_t earlier;
  };

  template <typename T>
  bool make_room(std::vector<T>& items) {
    if (items.size() < items.capacity()) return true;
    const size_t capacity = std::max<size_t>(64, 2 * items.capacity());
    if (!steps_.hold((capacity - items.capacity()) * sizeof(T))) return false;
    items.reserve(capacity);
    return true;
  }
  /// Lets in what left the node after `at`.
  void settle(Node& here, Micros at) {
    if (here.pending_length == 0 || here.pending_at == at) return;
    while (here.earliest != kNone && links_[here.earliest].length <= here.pending_length) drop(here, here.earliest);
    uint32_t link = free_;
    if (link == kNone) {
      link = static_cast<uint32_t>(links_.size());
      links_.emplace_back();
    } else {
      free_ = links_[link].earlier;
    }
    links_[link] = {here.pending_at, here.pending_length, here.earliest, kNone};
    (here.earliest == kNone ? here.latest : links_[here.earliest].earlier) = link;
    here.earliest = link;
    here.pending_length = 0;
  }
  /// Takes out the first or the last of a row.
  void drop(Node& here, uint32_t link) {
    const auto [at, length, later, earlier] = links_[link];
    (later == kNone ? here.latest : links_[later].earlier) = earlier;
    (earlier == kNone ? here.earliest : links_[earlier].later) = later;
    links_[link].earlier = free_;
    free_ = link;
  }

  const NodeNumber node_count_;
  const bool is_strict_;
  const Micros wait_;
  StepCounter& steps_;
  std::optional<NodeMarks> places_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  uint32_t free_ = kNone;
};

}  // namespace palimpsest::chain
