#include "core/kernels/reach/search.h"

#include "core/kernels/reach/labels.h"
#include "core/kernels/reach/rides.h"
#include "core/kernels/reach/waits.h"
#include "core/kernels/reach/waves.h"

namespace palimpsest::reach {

namespace {

// Beyond this many events presences flicker rather than change: waves follow them by periods.
constexpr uint64_t kFlickerLimit = 50'000;

Outcome find_earliest_under_wait(const Search& search, std::vector<FoundNode>& reached) {
  if (search.rules.wait == 0) return Outcome::kTooManyEvents;  // nobody stays present: not for the simulation
  const bool may_flicker = search.rules.wait == 1 && search.rules.tie == 1;
  return find_by_events(search, may_flicker ? kFlickerLimit : UINT64_MAX, reached);
}

/// Joins the steps of `counted` to the arrivals of `reached`, which are about the same nodes.
void take_hops(const std::vector<FoundNode>& counted, std::vector<FoundNode>& reached) {
  NodeSet places;
  for (const FoundNode& row : reached) places.add(row.node);
  for (const FoundNode& row : counted) reached[places.find(row.node)].hops = row.hops;
}

}  // namespace

bool find_reached(const Search& search, std::vector<FoundNode>& reached) {
  const Rules& rules = search.rules;
  if (rules.has_wait_limit() && rules.crossing == Crossing::kRide) return find_by_rides(search, reached);

  if (rules.max_hops != 0) {
    return rules.has_wait_limit() ? find_by_waves(search, UINT32_MAX, reached)
                                  : find_by_layers(search, UINT32_MAX, reached);
  }
  if (rules.has_wait_limit()) {
    const Outcome outcome = find_earliest_under_wait(search, reached);
    if (outcome == Outcome::kStopped) return false;
    if (outcome == Outcome::kTooManyEvents) return find_by_waves(search, UINT32_MAX, reached);
  } else if (!find_earliest(search, reached)) {
    return false;
  }
  if (!rules.counts_hops || reached.empty()) return true;

  const auto expected = static_cast<uint32_t>(reached.size());
  std::vector<FoundNode> counted;
  const bool is_done =
      rules.has_wait_limit() ? find_by_waves(search, expected, counted) : find_by_layers(search, expected, counted);
  if (is_done) take_hops(counted, reached);
  return is_done;
}

}  // namespace palimpsest::reach
