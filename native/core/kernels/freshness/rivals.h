// Which believed facts of functional types follow or contradict each other: one object at a time is meant.
// Facts are named by their positions among the facts of the subject.
#pragma once

#include <span>
#include <vector>

#include "core/kernels/filter/number_set.h"
#include "core/kernels/freshness/subject_facts.h"
#include "core/kernels/rows/row_order.h"

namespace palimpsest::freshness {

/// The facts of one type that hold at the instant together, where they have two objects or more.
struct Conflict {
  std::vector<uint32_t> facts;
};

class Rivals {
 public:
  Rivals(const Pin& pin, const std::vector<Fact>& facts, const NumberSet& functional, Micros at);

  bool is_functional(const Fact& fact) const { return functional_.has(type_of(fact)); }
  /// The fact of a functional type that began first after this one, kNone where none did.
  uint32_t next_after(const Fact& fact) const;
  const std::vector<Conflict>& conflicts() const { return conflicts_; }
  /// The position in `conflicts` of the conflict that a fact is in, kNone where it is in none.
  uint32_t conflict_of(uint32_t fact) const { return conflict_of_.empty() ? kNone : conflict_of_[fact]; }
  /// How many facts a fact conflicts with.
  uint32_t count(uint32_t fact) const { return counts_.empty() ? 0 : counts_[fact]; }

 private:
  TypeNumber type_of(const Fact& fact) const { return edges_.type(fact.edge); }
  NodeNumber dst_of(uint32_t fact) const { return edges_.dst(facts_[fact].edge); }
  void add_conflict(std::vector<uint32_t> holding);

  const EdgeTable& edges_;
  const std::vector<Fact>& facts_;
  const NumberSet& functional_;
  std::vector<uint32_t> ordered_;  // believed facts of functional types by (type, from, dst, key)
  std::vector<Conflict> conflicts_;
  std::vector<uint32_t> conflict_of_;
  std::vector<uint32_t> counts_;
};

}  // namespace palimpsest::freshness
