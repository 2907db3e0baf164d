#include "core/kernels/paths/labels.h"

namespace palimpsest::paths {

Labels::Labels(WaySource& ways, const WaitRules& rules, const Area& area) : ways_(ways), rules_(rules), area_(area) {
  // The first step keeps no stay.
  frontier_.push_back({area.start, area.begin - rules.tie});
}

Clock Labels::earliest(NodeNumber node, uint32_t hops) const {
  const uint32_t place = places_.find(node);
  if (place == kNone) return kNoClock;
  for (uint32_t label = newest_[place]; label != kNone; label = labels_[label].next) {
    if (labels_[label].hops <= hops) return labels_[label].arrival;
  }
  return kNoClock;
}

uint64_t Labels::cost_of_growing() const {
  uint64_t slots = 0;
  for (const Reached& reached : frontier_) slots += ways_.slot_count(reached.node);
  return slots;
}

void Labels::improve(NodeNumber node, Clock arrival, std::vector<Reached>& fresh) {
  const uint32_t place = places_.add(node);
  if (place == newest_.size()) newest_.push_back(kNone);
  const uint32_t newest = newest_[place];
  if (newest != kNone && labels_[newest].arrival <= arrival) return;
  if (newest != kNone && labels_[newest].hops == depth_) {
    labels_[newest].arrival = arrival;
    return;
  }
  newest_[place] = static_cast<uint32_t>(labels_.size());
  labels_.push_back({depth_, newest, arrival});
  fresh.push_back({node, arrival});
}

bool Labels::grow() {
  std::vector<Reached> fresh;
  ++depth_;
  for (const Reached& here : frontier_) {
    if (here.node == area_.barrier) continue;
    const auto list = ways_.out_of(here.node, area_.travel);
    const Clock from = here.arrival + rules_.tie;
    WayList::Cursor cursor;
    for (uint32_t at; (at = list->next(cursor, from, area_.end)) != kNone;) {
      Way& way = list->way(at);
      if (!ways_.counter().add(1)) return false;
      if (way.other == area_.start || earliest(way.other, depth_) <= from) continue;
      if (!ways_.open(way, here.node, area_.travel) || way.departures.last < from) continue;
      for (const Stretch& stretch : ways_.departures(way)) {
        if (stretch.last < from) continue;
        const Clock arrival = std::max(stretch.first, from) + way.ride;
        if (arrival <= area_.end) improve(way.other, arrival, fresh);
        break;
      }
    }
  }
  // A node may have been improved again after it was noted.
  for (Reached& reached : fresh) reached.arrival = earliest(reached.node, depth_);
  frontier_ = std::move(fresh);
  return ways_.counter().status().is_ok();
}

}  // namespace palimpsest::paths
