#include "core/kernels/reach/repeats.h"

// Why skipping is exact. Let P be the shift of one period. What a period does depends on the frontier at its base, on
// the steps around the departures and on the sets where something arrives, nothing else. The next period does the same,
// P later, if
//   the frontier is that of the base, P later;
//   every step that was crossed covered the departures and still does P later, and no further one begins by then;
//   every touched node's set where something arrives now, P later, is what it was there at the base, P later.
// The frontier and the steps then repeat as long as the steps have room (`slack_`). The sets: take the arrivals of the
// period at one node apart into hulls [x, y] that do not meet, in whatever way, and for one of them let a be the set
// at the base within it, b the new arrivals.
//   All of [x, y] was known before: nothing is new there, and so it stays up to the end of what was known.
//   Else the third condition says (a ∪ b) ∩ [x + P, y + P] = a + P, as long as nothing was known in (y, y + P] before;
//   so one period later (a ∪ b ∪ (b + P)) ∩ [x + 2P, y + 2P] = ((a ∪ b) ∩ [x + P, y + P]) + P = a + 2P, as long as
//   nothing was known in (y, y + 2P], and so on: up to the next instant known before beyond y, and short of the next
//   hull.
// Hence the bound on the number of periods that each hull gives.

namespace palimpsest::reach {

void Repeats::note_arrival(uint32_t place, Stretch stretch, const InstantSet& known) {
  const auto [found, is_first] = touched_.try_emplace(place);
  if (is_first) found->second.before = known;
  found->second.arrivals.push_back(stretch);
}

bool Repeats::is_repeated(const std::vector<Piece>& frontier, uint64_t period) const {
  if (frontier.size() != base_.size() || period > static_cast<uint64_t>((kNoClock / 4) / wait_)) return false;
  const Clock shift = static_cast<Clock>(period) * wait_;
  return std::equal(frontier.begin(), frontier.end(), base_.begin(), [shift](const Piece& now, const Piece& then) {
    return now.place == then.place && now.stretch.first == then.stretch.first + shift &&
           now.stretch.last == then.stretch.last + shift;
  });
}

void Repeats::restart(const std::vector<Piece>& frontier, uint64_t layer) {
  base_ = frontier;
  base_layer_ = layer;
  slack_ = kNoClock;
  has_partial_crossing_ = false;
  touched_.clear();
  fresh_.clear();
}

namespace {

/// Joins stretches that lie at most `gap` apart.
std::vector<Stretch> hulls_of(std::vector<Stretch>& stretches, Clock gap) {
  std::sort(stretches.begin(), stretches.end(), [](Stretch a, Stretch b) { return a.first < b.first; });
  std::vector<Stretch> hulls;
  for (const Stretch stretch : stretches) {
    if (!hulls.empty() && stretch.first - hulls.back().last <= gap) {
      hulls.back().last = std::max(hulls.back().last, stretch.last);
    } else {
      hulls.push_back(stretch);
    }
  }
  return hulls;
}

}  // namespace

Clock Repeats::times_alike(Touched& touched, const InstantSet& known, Clock shift) {
  // Arrivals of one wave may lie some periods apart, those of two waves anywhere: whichever way they are taken apart,
  // the argument holds, so the best one counts.
  Clock best = 0;
  for (Clock gap = shift; gap < kNoClock / 8; gap *= 4) {
    const std::vector<Stretch> hulls = hulls_of(touched.arrivals, gap);
    best = std::max(best, times_alike(hulls, touched.before, known, shift));
    if (hulls.size() == 1) break;
  }
  return best;
}

Clock Repeats::times_alike(const std::vector<Stretch>& hulls, const InstantSet& before, const InstantSet& known,
                           Clock shift) {
  Clock times = kNoClock;
  for (size_t i = 0; i < hulls.size() && times > 0; ++i) {
    const Stretch hull = hulls[i];
    const Clock known_until = before.end_of_stretch(hull.first);
    if (known_until != kNoClock && known_until >= hull.last) {
      times = std::min(times, (known_until - hull.last) / shift);
      continue;
    }
    const Clock known_ahead = before.next_after(hull.last);
    const Clock next_hull = i + 1 < hulls.size() ? hulls[i + 1].first : kNoClock;
    const Clock limit = std::min(known_ahead, next_hull);
    if (limit != kNoClock) times = std::min(times, (limit - 1 - hull.last) / shift);
    if (times == 0) return 0;
    std::vector<Stretch> then = before.within(hull.first, hull.last);
    for (Stretch& stretch : then) {
      stretch.first += shift;
      stretch.last += shift;
    }
    if (then != known.within(hull.first + shift, hull.last + shift)) return 0;
  }
  return times;
}

}  // namespace palimpsest::reach
