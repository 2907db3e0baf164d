#include "core/kernels/reach/passing.h"

namespace palimpsest::reach {

void PassingInstants::spare(NodeNumber subject, NodeNumber other_subject) {
  if (filter_.has_node() && (subject != subject_ || other_subject != other_subject_)) stretches_.clear();
  subject_ = subject;
  other_subject_ = other_subject;
}

const std::vector<Stretch>& PassingInstants::of(NodeNumber node, bool is_src) {
  const auto [found, is_new] = stretches_.try_emplace((uint64_t{node} << 1) | (is_src ? 1 : 0));
  if (is_new) found->second = judge(node, is_src);
  return found->second;
}

std::vector<Stretch> PassingInstants::judge(NodeNumber node, bool is_src) const {
  const VersionTable& versions = pin_.tables().node_versions;
  std::vector<Micros> cuts{from_};
  pin_.each_believed(Kind::kNode, node, [&](Row row) {
    for (const Micros cut : {versions.valid_from(row), versions.valid_to(row)}) {
      if (cut > from_ && cut < to_) cuts.push_back(cut);
    }
    return true;
  });
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Stretch> passing;
  for (size_t i = 0; i < cuts.size(); ++i) {
    if (!passes(node, is_src, cuts[i])) continue;
    const Micros last = (i + 1 < cuts.size() ? cuts[i + 1] : to_) - 1;
    if (!passing.empty() && passing.back().last == cuts[i] - 1) {
      passing.back().last = last;
    } else {
      passing.push_back({cuts[i], last});
    }
  }
  return passing;
}

}  // namespace palimpsest::reach
