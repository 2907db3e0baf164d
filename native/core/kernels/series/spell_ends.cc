#include "core/kernels/series/spell_ends.h"

#include <algorithm>

namespace palimpsest::series {

namespace {
constexpr uint32_t kMany = 32;
}

Row SpellEnds::neighbour(Row row, bool is_before) {
  const VersionTable& versions = pin_.tables().edge_versions;
  const EdgeNumber edge = versions.owner(row);
  const Micros cut = is_before ? versions.valid_from(row) : versions.valid_to(row);
  if (cut == kOpenEnd) return kNone;
  auto sorted = sorted_.empty() ? sorted_.end() : sorted_.find(edge);
  if (sorted == sorted_.end()) {
    Row found = kNone;
    uint32_t count = 0;
    pin_.each_believed(Kind::kEdge, edge, [&](Row other) {
      if ((is_before ? versions.valid_to(other) : versions.valid_from(other)) == cut) found = other;
      return found == kNone && ++count < kMany;
    });
    if (found != kNone || count < kMany) return found;
    sorted = sorted_.try_emplace(edge).first;
    pin_.each_believed(Kind::kEdge, edge, [&](Row other) {
      sorted->second.push_back({versions.valid_from(other), versions.valid_to(other), other});
      return true;
    });
    std::sort(sorted->second.begin(), sorted->second.end(),
              [](const Version& a, const Version& b) { return a.from < b.from; });
  }
  const auto end_of = [&](const Version& version) { return is_before ? version.to : version.from; };
  const auto found = std::lower_bound(sorted->second.begin(), sorted->second.end(), cut,
                                      [&](const Version& version, Micros at) { return end_of(version) < at; });
  return found == sorted->second.end() || end_of(*found) != cut ? kNone : found->row;
}

}  // namespace palimpsest::series
