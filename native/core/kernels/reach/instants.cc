#include "core/kernels/reach/instants.h"

namespace palimpsest::reach {

size_t InstantSet::first_reaching(Clock instant) const {
  const auto found = std::lower_bound(stretches_.begin(), stretches_.end(), instant,
                                      [](const Stretch& stretch, Clock value) { return stretch.last < value; });
  return static_cast<size_t>(found - stretches_.begin());
}

void InstantSet::add(Stretch stretch, std::vector<Stretch>& fresh) {
  Clock open = stretch.first;
  for (size_t i = first_reaching(stretch.first); i < stretches_.size() && stretches_[i].first <= stretch.last; ++i) {
    if (stretches_[i].first > open) fresh.push_back({open, stretches_[i].first - 1});
    open = stretches_[i].last + 1;
  }
  if (open <= stretch.last) fresh.push_back({open, stretch.last});
  add(stretch);
}

void InstantSet::add(Stretch stretch) {
  const size_t begin = first_reaching(stretch.first - 1);
  size_t end = begin;
  for (; end < stretches_.size() && stretches_[end].first <= stretch.last + 1; ++end) {
    stretch.first = std::min(stretch.first, stretches_[end].first);
    stretch.last = std::max(stretch.last, stretches_[end].last);
  }
  const auto at = stretches_.begin() + static_cast<ptrdiff_t>(begin);
  if (begin == end) {
    stretches_.insert(at, stretch);
    return;
  }
  *at = stretch;
  stretches_.erase(at + 1, stretches_.begin() + static_cast<ptrdiff_t>(end));
}

std::vector<Stretch> InstantSet::within(Clock first, Clock last) const {
  std::vector<Stretch> part;
  for (size_t i = first_reaching(first); i < stretches_.size() && stretches_[i].first <= last; ++i) {
    part.push_back({std::max(first, stretches_[i].first), std::min(last, stretches_[i].last)});
  }
  return part;
}

Clock InstantSet::next_after(Clock instant) const {
  const size_t i = first_reaching(instant + 1);
  return i == stretches_.size() ? kNoClock : std::max(stretches_[i].first, instant + 1);
}

Clock InstantSet::end_of_stretch(Clock instant) const {
  const size_t i = first_reaching(instant);
  return i == stretches_.size() || stretches_[i].first > instant ? kNoClock : stretches_[i].last;
}

}  // namespace palimpsest::reach
