#include "core/kernels/corners/corner.h"

namespace palimpsest {

Row Corner::version_of(Kind kind, uint32_t identity) const {
  const VersionTable& versions = pin_.versions(kind);
  Row found = kNone;
  pin_.each_believed(kind, identity, [&](Row row) {
    if (versions.valid_from(row) > at_ || versions.valid_to(row) <= at_) return true;
    found = row;
    return false;
  });
  return found;
}

uint32_t Corner::verdict(NodeNumber node) {
  if (verdicts_.has(node)) return verdicts_.value(node);
  uint32_t verdict = 0;
  if (spared_.has(node) || filter_.passes_node(node, at_)) {
    if (filter_.passes_src(node, at_)) verdict |= kAsSrc;
    if (filter_.passes_dst(node, at_)) verdict |= kAsDst;
  }
  verdicts_.set(node, verdict);
  return verdict;
}

}  // namespace palimpsest
