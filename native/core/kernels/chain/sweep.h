// Lengths of chains by their first event, and the least of the longest; over events in backward order, then forward.
// Takes events that passed; knows nothing of the store.
#pragma once

#include "core/kernels/chain/onward.h"

namespace palimpsest::chain {

struct Link {
  Micros at;
  NodeNumber src;
  NodeNumber dst;
  Row row;
};

template <typename Onward>
class Lengths {
 public:
  Lengths(const Question& question, NodeNumber node_count, StepCounter& steps)
      : end_(question.end), onward_(question, node_count, steps) {}

  void forget() { onward_.forget(); }
  /// The events come in backward order. The longest chain that begins with this one goes to `length`, 0 when none may
  /// end; false when memory is short.
  bool add(Micros at, NodeNumber src, NodeNumber dst, uint32_t& length) {
    const uint32_t onward = onward_.after(dst, at);
    length = onward > 0 ? onward + 1 : end_ == kNone || dst == end_ ? 1 : 0;
    return length == 0 || onward_.add(src, at, length);
  }

 private:
  const NodeNumber end_;
  Onward onward_;
};

/// Picks a longest chain while events come in event order: always the first that still leaves enough.
class Picker {
 public:
  /// `start`: whom the first event leaves; kNone: any.
  Picker(const Question& question, NodeNumber start, uint32_t length)
      : question_(question), node_(start), left_(length) {}

  bool is_done() const { return left_ == 0; }
  /// Takes the event where it is next; `length` is that of the longest chain that begins with it.
  bool offer(const Link& event, uint32_t length) {
    if (length != left_ || (node_ != kNone && event.src != node_)) return false;
    if (has_any_) {
      if (question_.is_strict && event.at == at_) return false;
      if (question_.max_wait && event.at - at_ > *question_.max_wait) return false;
    }
    has_any_ = true;
    node_ = event.dst;
    at_ = event.at;
    --left_;
    return true;
  }

 private:
  const Question& question_;
  NodeNumber node_;
  uint32_t left_;
  bool has_any_ = false;
  Micros at_ = 0;
};

}  // namespace palimpsest::chain
