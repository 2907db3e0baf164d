#include "core/kernels/paths/times.h"

#include <algorithm>
#include <optional>

namespace palimpsest::paths {

namespace {

/// The part of `departures` that lies in one of the windows [stretch.first + before, stretch.last + after].
void cut_to_windows(std::span<const Stretch> stretches, Clock before, Clock after, std::span<const Stretch> departures,
                    Stretches& out) {
  out.clear();
  if (before > after) return;  // one must wait and may not
  size_t open = 0;
  for (size_t i = 0; i < stretches.size();) {
    const Clock first = stretches[i].first + before;
    Clock last = stretches[i].last + after;
    for (++i; i < stretches.size() && stretches[i].first + before <= last + 1; ++i) last = stretches[i].last + after;
    while (open < departures.size() && departures[open].last < first) ++open;
    for (size_t d = open; d < departures.size() && departures[d].first <= last; ++d) {
      out.push_back({std::max(first, departures[d].first), std::min(last, departures[d].last)});
    }
  }
}

void shift(Stretches& stretches, Clock by) {
  for (Stretch& stretch : stretches) stretch = {stretch.first + by, stretch.last + by};
}

/// The latest first departure of those who leave by the last of `hops` at one of the instants.
std::optional<Micros> latest_start(std::span<const Hop> hops, Stretches leaving, const WaitRules& rules) {
  Stretches before;
  for (size_t i = hops.size() - 1; i > 0 && !leaving.empty(); --i) {
    departures_before(leaving, hops[i - 1].departures, hops[i - 1].ride, rules, before);
    std::swap(leaving, before);
  }
  return leaving.empty() ? std::nullopt : std::optional(leaving.back().last);
}

/// The earliest last arrival of those who leave by the first of `hops` at one of the instants.
std::optional<Micros> earliest_end(std::span<const Hop> hops, Stretches leaving, const WaitRules& rules) {
  Stretches after;
  for (size_t i = 1; i < hops.size() && !leaving.empty(); ++i) {
    shift(leaving, hops[i - 1].ride);
    departures_after(leaving, hops[i].departures, rules, after);
    std::swap(leaving, after);
  }
  return leaving.empty() ? std::nullopt : std::optional(leaving.front().first + hops.back().ride);
}

Trip earliest_trip(std::span<const Hop> hops, const WaitRules& rules) {
  const Micros arrival = *earliest_end(hops, hops.front().departures, rules);
  const Micros last = arrival - hops.back().ride;
  return {*latest_start(hops, {{last, last}}, rules), arrival};
}

/// A shortest trip leaves, by some hop, at the first or last instant of a stretch: else it could be moved, to become
/// shorter or earlier. What comes before that instant and what comes after it do not depend on each other.
Trip shortest_trip(std::span<const Hop> hops, const WaitRules& rules) {
  bool is_plain = !rules.has_limit();
  for (const Hop& hop : hops) is_plain = is_plain && hop.departures.size() == 1;
  // To arrive later by some time lets one depart later by at most as much.
  if (is_plain) return earliest_trip(hops, rules);
  std::optional<Trip> best;
  const auto try_leaving = [&](size_t hop, Micros at) {
    const auto departure = latest_start(hops.first(hop + 1), {{at, at}}, rules);
    const auto arrival = departure ? earliest_end(hops.subspan(hop), {{at, at}}, rules) : std::nullopt;
    if (!arrival) return;
    const Trip trip{*departure, *arrival};
    const bool is_better = !best || trip.duration() < best->duration() ||
                           (trip.duration() == best->duration() && trip.arrival < best->arrival);
    if (is_better) best = trip;
  };
  for (size_t hop = 0; hop < hops.size(); ++hop) {
    for (const Stretch& stretch : hops[hop].departures) {
      try_leaving(hop, stretch.first);
      if (stretch.last != stretch.first) try_leaving(hop, stretch.last);
    }
  }
  return *best;
}

}  // namespace

void departures_after(std::span<const Stretch> arrivals, std::span<const Stretch> departures, const WaitRules& rules,
                      Stretches& out) {
  cut_to_windows(arrivals, rules.tie, rules.wait, departures, out);
}

void departures_before(std::span<const Stretch> next, std::span<const Stretch> departures, Clock ride,
                       const WaitRules& rules, Stretches& out) {
  cut_to_windows(next, -rules.wait - ride, -rules.tie - ride, departures, out);
}

Trip best_trip(std::span<const Hop> hops, Criterion criterion, const WaitRules& rules) {
  if (criterion == Criterion::kFastest) return shortest_trip(hops, rules);
  if (criterion != Criterion::kLatestDeparture) return earliest_trip(hops, rules);
  const Micros departure = *latest_start(hops, hops.back().departures, rules);
  return {departure, *earliest_end(hops, {{departure, departure}}, rules)};
}

std::vector<Micros> step_departures(std::span<const Hop> hops, Trip trip, const WaitRules& rules) {
  std::vector<Stretches> toward(hops.size());  // departures from which the arrival can be kept
  const Micros last = trip.arrival - hops.back().ride;
  toward.back() = {{last, last}};
  for (size_t i = hops.size() - 1; i > 0; --i) {
    departures_before(toward[i], hops[i - 1].departures, hops[i - 1].ride, rules, toward[i - 1]);
  }
  std::vector<Micros> departs;
  Stretches leaving{{trip.departure, trip.departure}};
  for (size_t i = 0; i < hops.size(); ++i) {
    if (i > 0) {
      Stretches arrivals = std::move(leaving);
      shift(arrivals, hops[i - 1].ride);
      departures_after(arrivals, toward[i], rules, leaving);
    }
    departs.push_back(leaving.front().first);
  }
  return departs;
}

}  // namespace palimpsest::paths
