#include "core/kernels/reach/rides.h"

#include <deque>
#include <queue>

namespace palimpsest::reach {

namespace {

struct Event {
  Clock at;
  uint32_t place;
  uint64_t hops;     // of an arrival
  const Step* ride;  // of a departure, null for an arrival
};

/// In time order; at one instant arrivals come first where ties may chain, departures first where they may not.
struct IsLater {
  bool departures_first;
  bool operator()(const Event& a, const Event& b) const {
    if (a.at != b.at) return a.at > b.at;
    return ((a.ride != nullptr) != departures_first) && ((b.ride != nullptr) == departures_first);
  }
};

/// Arrivals at a node that a later departure may follow: times ascending, steps ascending. An arrival with as many
/// steps as a later one is of no use any more.
struct Arrivals {
  std::deque<std::pair<Clock, uint64_t>> recent;
  Clock covered = INT64_MIN;  // rides that leave up to here wait for their departure already
  Clock earliest = kNoClock;
  uint64_t least_hops = 0;
};

}  // namespace

bool find_by_rides(const Search& search, std::vector<FoundNode>& reached) {
  const Rules& rules = search.rules;
  NodeSet nodes;
  std::deque<Arrivals> states(1);
  std::priority_queue<Event, std::vector<Event>, IsLater> queue(IsLater{rules.tie > 0});
  nodes.add(search.subject);
  for (const Step& ride : search.steps.out_of(search.subject).steps()) queue.push({ride.first, 0, 0, &ride});
  uint32_t missing = search.goal.size();
  const bool can_stop_early = !search.goal.is_everything() && !rules.counts_hops;

  while (!queue.empty() && !(can_stop_early && missing == 0)) {
    const Event event = queue.top();
    queue.pop();
    if (!search.counter.add(1)) return false;
    Arrivals& state = states[event.place];
    if (event.ride != nullptr) {
      uint64_t hops = 0;
      if (event.place != 0) {
        while (!state.recent.empty() && state.recent.front().first < event.at - rules.wait) state.recent.pop_front();
        if (state.recent.empty()) continue;
        hops = state.recent.front().second;
      }
      if (rules.max_hops != 0 && hops >= rules.max_hops) continue;
      const uint32_t head = nodes.add(event.ride->other);
      if (head == states.size()) states.emplace_back();
      if (head != 0) queue.push({event.ride->last, head, hops + 1, nullptr});
      continue;
    }
    if (state.earliest == kNoClock) {
      state.earliest = event.at;
      state.least_hops = event.hops;
      if (!search.goal.is_everything() && search.goal.wants(nodes.node(event.place))) --missing;
    }
    state.least_hops = std::min(state.least_hops, event.hops);
    while (!state.recent.empty() && state.recent.back().second >= event.hops) state.recent.pop_back();
    state.recent.emplace_back(event.at, event.hops);

    const StepList& list = search.steps.out_of(nodes.node(event.place));
    const auto rides = list.steps();
    for (size_t i = list.begun_at(std::max(event.at + rules.tie, state.covered)); i < rides.size(); ++i) {
      if (rides[i].first > event.at + rules.wait) break;
      queue.push({rides[i].first, event.place, 0, &rides[i]});
    }
    state.covered = std::max(state.covered, event.at + rules.wait + 1);
  }
  for (uint32_t place = 1; place < nodes.size(); ++place) {
    const Arrivals& state = states[place];
    if (state.earliest == kNoClock || !search.goal.wants(nodes.node(place))) continue;
    reached.push_back({nodes.node(place), state.earliest, state.least_hops});
  }
  return true;
}

}  // namespace palimpsest::reach
