#include "core/kernels/freshness/rivals.h"

#include <algorithm>

namespace palimpsest::freshness {

Rivals::Rivals(const Pin& pin, const std::vector<Fact>& facts, const NumberSet& functional, Micros at)
    : edges_(pin.tables().edges), facts_(facts), functional_(functional) {
  for (uint32_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].is_retracted && is_functional(facts[i])) ordered_.push_back(i);
  }
  const RowOrder order(pin, 0);
  std::sort(ordered_.begin(), ordered_.end(), [&](uint32_t a, uint32_t b) {
    const auto [type_a, type_b] = std::pair(type_of(facts[a]), type_of(facts[b]));
    if (type_a != type_b) return type_a < type_b;
    if (facts[a].from != facts[b].from) return facts[a].from < facts[b].from;
    return order.compare_edges(facts[a].edge, facts[b].edge) < 0;
  });
  for (size_t from = 0; from < ordered_.size();) {
    const TypeNumber type = type_of(facts[ordered_[from]]);
    std::vector<uint32_t> holding;
    for (; from < ordered_.size() && type_of(facts[ordered_[from]]) == type; ++from) {
      if (facts[ordered_[from]].holds(at)) holding.push_back(ordered_[from]);
    }
    add_conflict(std::move(holding));
  }
}

void Rivals::add_conflict(std::vector<uint32_t> holding) {
  std::sort(holding.begin(), holding.end(), [&](uint32_t a, uint32_t b) { return dst_of(a) < dst_of(b); });
  if (holding.empty() || dst_of(holding.front()) == dst_of(holding.back())) return;
  conflict_of_.resize(facts_.size(), kNone);
  counts_.resize(facts_.size(), 0);
  for (size_t from = 0; from < holding.size();) {
    size_t to = from;
    while (to < holding.size() && dst_of(holding[to]) == dst_of(holding[from])) ++to;
    for (size_t i = from; i < to; ++i) {
      conflict_of_[holding[i]] = static_cast<uint32_t>(conflicts_.size());
      counts_[holding[i]] = static_cast<uint32_t>(holding.size() - (to - from));
    }
    from = to;
  }
  conflicts_.push_back({std::move(holding)});
}

uint32_t Rivals::next_after(const Fact& fact) const {
  const TypeNumber type = type_of(fact);
  const auto found = std::partition_point(ordered_.begin(), ordered_.end(), [&](uint32_t other) {
    const TypeNumber other_type = type_of(facts_[other]);
    return other_type != type ? other_type < type : facts_[other].from <= fact.from;
  });
  return found == ordered_.end() || type_of(facts_[*found]) != type ? kNone : *found;
}

}  // namespace palimpsest::freshness
