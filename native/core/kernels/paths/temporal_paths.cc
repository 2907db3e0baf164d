#include "core/kernels/paths/temporal_paths.h"

namespace palimpsest::paths {

namespace {

Row version_at(const Pin& pin, Row row, Micros instant) {
  const VersionTable& versions = pin.tables().edge_versions;
  Row found = row;
  pin.each_believed(Kind::kEdge, versions.owner(row), [&](Row other) {
    if (versions.valid_from(other) > instant || versions.valid_to(other) <= instant) return true;
    found = other;
    return false;
  });
  return found;
}

Path shown(const Pin& pin, WaySource& ways, const Found& found) {
  Path path{found.trip, {}};
  const std::vector<Micros> departs = step_departures(found.hops, found.trip, ways.question().rules());
  for (size_t i = 0; i < found.hops.size(); ++i) {
    const Hop& hop = found.hops[i];
    const Span span = *ways.span_of(hop.row);
    path.steps.push_back({version_at(pin, hop.row, departs[i]), hop.tail, hop.head, span.from, span.to, departs[i],
                          departs[i] + hop.ride});
  }
  return path;
}

}  // namespace

Status temporal_paths(const Pin& pin, const Filters& filters, const Question& question, StepCounter& counter,
                      Answer& answer) {
  if (question.from >= question.to) return Status::ok();
  WaySource ways(pin, filters, question, counter);
  std::vector<Found> paths;
  // One more than are asked for, to know whether there are more.
  if (const Status status = best_paths(ways, uint64_t{question.k} + 1, paths); !status.is_ok()) return status;
  answer.has_more = paths.size() > question.k;
  if (answer.has_more) paths.pop_back();
  for (const Found& found : paths) answer.paths.push_back(shown(pin, ways, found));
  return Status::ok();
}

}  // namespace palimpsest::paths
