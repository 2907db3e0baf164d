#include "core/kernels/co_active/groups.h"

#include "core/kernels/stoppable_sort.h"

namespace palimpsest::co_active {

namespace {
constexpr uint8_t kSrcBit = 1;
constexpr uint8_t kDstBit = 2;

uint64_t key_of(NodeNumber first, NodeNumber second) { return (uint64_t{first} << 32) | second; }

/// The end of b that an end of a is compared with; 0 for all where it is compared with none.
NodeNumber compared(uint8_t ends, NodeNumber src, NodeNumber dst) {
  if ((ends & kSrcBit) != 0) return src;
  return (ends & kDstBit) != 0 ? dst : 0;
}
}  // namespace

void KeyedFacts::add(const KeyRule& rule, Side side, NodeNumber src, NodeNumber dst, uint32_t index) {
  switch (rule.kind) {
    case KeyKind::kNone:
      items_.push_back({0, index, dst});
      return;
    case KeyKind::kUnorderedPair:
      items_.push_back({key_of(std::min(src, dst), std::max(src, dst)), index, dst});
      return;
    case KeyKind::kAnyNode:
      items_.push_back({src, index, dst});
      if (src != dst) items_.push_back({dst, index, src});
      return;
    case KeyKind::kEnds:
      break;
  }
  if (side == Side::kA) {
    items_.push_back({key_of(rule.src_equals == 0 ? 0 : src, rule.dst_equals == 0 ? 0 : dst), index, dst});
    return;
  }
  // An end of a that equals both ends of b makes b a loop.
  constexpr uint8_t kBoth = kSrcBit | kDstBit;
  if ((rule.src_equals == kBoth || rule.dst_equals == kBoth) && src != dst) return;
  items_.push_back({key_of(compared(rule.src_equals, src, dst), compared(rule.dst_equals, src, dst)), index, dst});
}

Status KeyedFacts::make(const EdgeTable& edges, const KeyRule& rule, Side side, const std::vector<Fact>& facts,
                        StepCounter& steps, KeyedFacts& out) {
  const size_t most = facts.size() * (rule.kind == KeyKind::kAnyNode ? 2 : 1);
  // The entries of one group, at most all, are copied beside the items.
  if (!steps.hold(most * (sizeof(Item) + sizeof(Entry)))) return steps.status();
  out.facts_ = &facts;
  out.items_.reserve(most);
  for (uint32_t index = 0; index < facts.size(); ++index) {
    const EdgeNumber edge = facts[index].edge;
    if (!steps.add(1)) return steps.status();
    out.add(rule, side, edges.src(edge), edges.dst(edge), index);
  }
  return sort_stoppable(out.items_, steps, std::less<>()) ? Status::ok() : steps.status();
}

KeyedFacts::Group KeyedFacts::group_at(size_t position) const {
  const uint64_t key = items_[position].key;
  // Most groups are short: doubled strides find their end sooner than a search of the rest.
  size_t stride = 1;
  while (position + stride < items_.size() && items_[position + stride].key == key) stride *= 2;
  const auto from = items_.begin() + static_cast<ptrdiff_t>(position + stride / 2);
  const auto to = items_.begin() + static_cast<ptrdiff_t>(std::min(position + stride, items_.size()));
  const auto end = std::partition_point(from, to, [&](const Item& item) { return item.key == key; });
  return {key, position, static_cast<size_t>(end - items_.begin())};
}

void KeyedFacts::read(const Group& group, uint32_t first, uint32_t end, std::vector<Entry>& entries) const {
  const auto from = items_.begin() + static_cast<ptrdiff_t>(group.from);
  const auto to = items_.begin() + static_cast<ptrdiff_t>(group.to);
  entries.clear();
  for (auto item = std::partition_point(from, to, [&](const Item& each) { return each.index < first; });
       item != to && item->index < end; ++item) {
    const Fact& fact = (*facts_)[item->index];
    entries.push_back({fact.from, fact.to, item->index, item->other});
  }
}

}  // namespace palimpsest::co_active
