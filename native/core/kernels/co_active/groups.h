// Facts of both selections sorted by what `on` compares, so that only facts of one group can make a pair.
// A group is made of copies of its facts in their order; without keys there is one group of all.
#pragma once

#include <span>
#include <vector>

#include "core/kernels/co_active/facts.h"

namespace palimpsest::co_active {

enum class KeyKind : uint8_t { kNone = 0, kEnds, kUnorderedPair, kAnyNode };

/// For kEnds, which ends of b the src and the dst of a must equal: bit 0 its src, bit 1 its dst, 0 none.
struct KeyRule {
  KeyKind kind = KeyKind::kNone;
  uint8_t src_equals = 0;
  uint8_t dst_equals = 0;
};

/// A fact in its group.
struct Entry {
  Micros from;
  Micros to;
  uint32_t index;    // position among the facts of its selection
  NodeNumber other;  // kAnyNode: the end that is not the group's
};

/// The facts of one selection by their keys.
class KeyedFacts {
 public:
  enum class Side : uint8_t { kA, kB };
  static Status make(const EdgeTable& edges, const KeyRule& rule, Side side, const std::vector<Fact>& facts,
                     StepCounter& steps, KeyedFacts& out);

  struct Group {
    uint64_t key;
    size_t from;
    size_t to;
  };
  size_t size() const { return items_.size(); }
  /// The group that begins at a position.
  Group group_at(size_t position) const;
  /// Replaces `entries` by the group's facts whose index is in [first, end).
  void read(const Group& group, uint32_t first, uint32_t end, std::vector<Entry>& entries) const;

 private:
  struct Item {
    uint64_t key;
    uint32_t index;
    NodeNumber other;
    bool operator<(const Item& item) const { return key != item.key ? key < item.key : index < item.index; }
  };
  void add(const KeyRule& rule, Side side, NodeNumber src, NodeNumber dst, uint32_t index);

  const std::vector<Fact>* facts_ = nullptr;
  std::vector<Item> items_;
};

/// Calls `visit(Group of a, Group of b)` for every key that both sides have, in order of the keys. False when the
/// counter or the visit (by giving false) said stop.
template <typename Visit>
bool each_shared_group(const KeyedFacts& a, const KeyedFacts& b, StepCounter& steps, Visit&& visit) {
  for (size_t at_a = 0, at_b = 0; at_a < a.size() && at_b < b.size();) {
    if (!steps.add(1)) return false;
    const KeyedFacts::Group of_a = a.group_at(at_a);
    const KeyedFacts::Group of_b = b.group_at(at_b);
    if (of_a.key == of_b.key && !visit(of_a, of_b)) return false;
    if (of_a.key <= of_b.key) at_a = of_a.to;
    if (of_b.key <= of_a.key) at_b = of_b.to;
  }
  return true;
}

}  // namespace palimpsest::co_active
