// When a node passes the filters on the ends of edges: its versions cut time into stretches, each judged once.
// Knows the filter and node versions; nothing of edges.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/kernels/filter/filter.h"
#include "core/kernels/reach/instants.h"

namespace palimpsest::reach {

class PassingInstants {
 public:
  /// Judges instants in [from, to) only.
  PassingInstants(const Pin& pin, const Filter& filter, Micros from, Micros to)
      : pin_(pin), filter_(filter), from_(from), to_(to) {}

  /// `where.node` spares the subject. Forgets what was judged where that matters.
  void begin_subject(NodeNumber subject) { spare(subject, kNone); }
  /// The same for two subjects.
  void spare(NodeNumber subject, NodeNumber other_subject);
  /// The node as an end of an edge at one instant.
  bool passes(NodeNumber node, bool is_src, Micros at) const {
    return (is_src ? filter_.passes_src(node, at) : filter_.passes_dst(node, at)) &&
           (node == subject_ || node == other_subject_ || filter_.passes_node(node, at));
  }
  /// All instants of the window at which it passes: ascending, disjoint. Valid until the next subject.
  const std::vector<Stretch>& of(NodeNumber node, bool is_src);

 private:
  std::vector<Stretch> judge(NodeNumber node, bool is_src) const;

  const Pin& pin_;
  const Filter& filter_;
  const Micros from_;
  const Micros to_;
  NodeNumber subject_ = kNone;
  NodeNumber other_subject_ = kNone;
  std::unordered_map<uint64_t, std::vector<Stretch>> stretches_;  // by node and end
};

}  // namespace palimpsest::reach
