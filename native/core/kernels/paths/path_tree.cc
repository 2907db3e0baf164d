#include "core/kernels/paths/path_tree.h"

#include <algorithm>

namespace palimpsest::paths {

namespace {
constexpr Clock kNever = INT64_MIN;
}

PathTree::PathTree(WaySource& ways, const WaitRules& rules, const Frame& frame, const Labels& labels)
    : ways_(ways), rules_(rules), frame_(frame), labels_(labels) {
  places_.push_back({.parent = kNone,
                     .depth = 0,
                     .node = frame.origin,
                     .row = kNone,
                     .ride = 0,
                     .departures = {},
                     .stretch = 0,
                     .stretches = 1,
                     .arrival = frame.begin - rules.tie,
                     .first = 0,
                     .count = 0});
  limits_.push_back(frame.bound);
}

void PathTree::shrink(uint32_t size) {
  if (size < places_.size()) arrivals_.resize(places_[size].first);
  places_.resize(size);
  limits_.resize(size);
}

Clock PathTree::latest_arrival(NodeNumber node, uint32_t hops) const {
  if (node == frame_.goal) return frame_.bound;
  if (!labels_.knows(hops)) return frame_.bound - rules_.tie;
  const Clock label = labels_.earliest(node, hops);
  return label == kNoClock ? kNever : -label - rules_.tie;
}

Stretch PathTree::onward(uint32_t from) const {
  const Place& place = places_[from];
  const bool may_wait = from == kRoot || !rules_.has_limit();
  const Clock last =
      may_wait ? frame_.bound : std::min(frame_.bound, arrivals_[place.first + place.count - 1].last + rules_.wait);
  return {place.arrival + rules_.tie, last};
}

bool PathTree::visits(uint32_t end, NodeNumber node) const {
  for (uint32_t at = end; at != kNone; at = places_[at].parent) {
    if (places_[at].node == node) return true;
  }
  return false;
}

std::span<const Stretch> PathTree::departures(const Place& place) const {
  if (place.stretches == 1) return {&place.departures, 1};
  return ways_.stretches(place.stretch, place.stretches);
}

bool PathTree::add(uint32_t from, Way& way, uint32_t& added) {
  const Place& parent = places_[from];
  const uint32_t depth = parent.depth + 1;
  if (way.other == frame_.goal ? depth < frame_.min_hops : depth >= frame_.max_hops) return false;
  const Clock limit = latest_arrival(way.other, frame_.max_hops - depth);
  const Clock least = parent.arrival + rules_.tie;
  if (limit < least || visits(from, way.other) || !ways_.open(way, parent.node, frame_.travel)) return false;

  const auto departures = ways_.departures(way);
  Place place{.parent = from,
              .depth = depth,
              .node = way.other,
              .row = way.row,
              .ride = way.ride,
              .departures = way.departures,
              .stretch = way.stretch,
              .stretches = way.stretches,
              .arrival = 0,
              .first = static_cast<uint32_t>(arrivals_.size()),
              .count = 0};
  if (!rules_.has_limit()) {
    const auto found = std::find_if(departures.begin(), departures.end(),
                                    [&](const Stretch& stretch) { return stretch.last >= least; });
    if (found == departures.end()) return false;
    place.arrival = std::max(found->first, least) + way.ride;
  } else {
    if (from == kRoot) {
      next_.clear();
      for (const Stretch& stretch : departures) {
        if (stretch.last >= least) next_.push_back({std::max(stretch.first, least), stretch.last});
      }
    } else {
      departures_after(std::span(arrivals_).subspan(parent.first, parent.count), departures, rules_, next_);
    }
    if (next_.empty()) return false;
    place.arrival = next_.front().first + way.ride;
  }
  if (place.arrival > limit) return false;
  if (rules_.has_limit()) {
    for (const Stretch& stretch : next_) arrivals_.push_back({stretch.first + way.ride, stretch.last + way.ride});
    place.count = static_cast<uint32_t>(next_.size());
  }
  added = size();
  places_.push_back(place);
  limits_.push_back(limit);
  return true;
}

Clock PathTree::latest_start(uint32_t end, Clock limit) const {
  const Clock latest = limit - places_[end].ride;
  if (!rules_.has_limit()) {
    Clock last = latest;
    for (uint32_t at = end;;) {
      const Place& place = places_[at];
      Clock departure = kNever;
      for (const Stretch& stretch : departures(place)) {
        if (stretch.first > last) break;
        departure = std::min(stretch.last, last);
      }
      if (departure == kNever || place.parent == kRoot) return departure;
      at = place.parent;
      last = departure - rules_.tie - places_[at].ride;
    }
  }
  next_.clear();
  for (const Stretch& stretch : departures(places_[end])) {
    if (stretch.first <= latest) next_.push_back({stretch.first, std::min(stretch.last, latest)});
  }
  for (uint32_t at = places_[end].parent; at != kRoot && !next_.empty(); at = places_[at].parent) {
    departures_before(next_, departures(places_[at]), places_[at].ride, rules_, before_);
    std::swap(next_, before_);
  }
  return next_.empty() ? kNever : next_.back().last;
}

Clock PathTree::least_duration(uint32_t end) const {
  bool is_plain = !rules_.has_limit();
  for (uint32_t at = end; at != kRoot && is_plain; at = places_[at].parent) is_plain = places_[at].stretches == 1;
  // As in `best_trip`: the earliest arrival is then that of a shortest trip.
  if (is_plain) return places_[end].arrival - latest_start(end, places_[end].arrival);
  const std::vector<Hop> all = hops(end);
  return best_trip(all, Criterion::kFastest, rules_).duration();
}

std::vector<Hop> PathTree::hops(uint32_t end) const {
  std::vector<Hop> hops(places_[end].depth);
  const bool is_forward = frame_.travel == Travel::kForward;
  size_t next = is_forward ? hops.size() : 0;
  for (uint32_t at = end; at != kRoot; at = places_[at].parent) {
    const Place& place = places_[at];
    const NodeNumber before = places_[place.parent].node;
    Hop& hop = is_forward ? hops[--next] : hops[next++];
    const auto stretches = departures(place);
    hop = {place.row,
           is_forward ? before : place.node,
           is_forward ? place.node : before,
           place.ride,
           {stretches.begin(), stretches.end()}};
    if (is_forward) continue;
    std::reverse(hop.departures.begin(), hop.departures.end());
    for (Stretch& stretch : hop.departures) stretch = {-(stretch.last + place.ride), -(stretch.first + place.ride)};
  }
  return hops;
}

}  // namespace palimpsest::paths
