#include "core/kernels/reach_repeats.h"

// Why skipping is exact. Let P be the shift of one period. What a period does depends on the frontier at its base, on the
// steps around the departures and on the sets within the hull of its arrivals, nothing else. The next period does the same,
// P later, if
//   the frontier is that of the base, P later;
//   every step that was crossed covered the departures and still does P later, and no further one begins by then;
//   every touched node's set within the hull + P now is that within the hull at the base, P later.
// The frontier and the steps then repeat as long as the steps have room (`slack_`). The sets: let a be the set at the base
// within the hull [x, y], b the new arrivals, all within [x, y]. The third condition says
//   (a ∪ b) ∩ [x + P, y + P] = a + P, as long as nothing was known in (y, y + P] before;
// so one period later (a ∪ b ∪ (b + P)) ∩ [x + 2P, y + 2P] = ((a ∪ b) ∩ [x + P, y + P]) + P = a + 2P, as long as nothing was
// known in (y, y + 2P], and so on. Hence the number of periods is bounded by the next instant known before beyond y.

namespace palimpsest::reach {

void Repeats::note_arrival(uint32_t place, Stretch stretch, const InstantSet& known) {
  const auto [found, is_first] = touched_.try_emplace(place, Touched{stretch, {}});
  Touched& touched = found->second;
  if (is_first) {
    touched.before = known;
    return;
  }
  touched.hull.first = std::min(touched.hull.first, stretch.first);
  touched.hull.last = std::max(touched.hull.last, stretch.last);
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

Clock Repeats::times_alike(const Touched& touched, const InstantSet& known, Clock shift) {
  const Clock known_ahead = touched.before.next_after(touched.hull.last);
  const Clock times = known_ahead == kNoClock ? kNoClock : (known_ahead - 1 - touched.hull.last) / shift;
  if (times == 0) return 0;
  std::vector<Stretch> then = touched.before.within(touched.hull.first, touched.hull.last);
  for (Stretch& stretch : then) {
    stretch.first += shift;
    stretch.last += shift;
  }
  return then == known.within(touched.hull.first + shift, touched.hull.last + shift) ? times : 0;
}

}  // namespace palimpsest::reach
