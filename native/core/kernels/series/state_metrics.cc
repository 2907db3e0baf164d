#include "core/kernels/series/state_metrics.h"

#include "core/kernels/node_marks.h"
#include "core/kernels/series/passing_stretches.h"
#include "core/kernels/touching_rows.h"

namespace palimpsest::series {

namespace {

/// Counts intervals over the beginnings of buckets: one up where each starts, one down where it stops.
class Coverage {
 public:
  Coverage(const Buckets& buckets, std::vector<uint64_t>& out) : finder_(buckets), out_(out) {
    out_.assign(buckets.count() + 1, 0);
  }
  void add(Micros from, Micros to) {
    const uint32_t first = finder_.first_from(from);
    const uint32_t end = finder_.first_from(to);
    ++out_[first];
    --out_[end];  // wraps below zero until `finish` has summed it up
  }
  void finish() {
    uint64_t open = 0;
    for (uint64_t& count : out_) count = open += count;
    out_.pop_back();
  }

 private:
  Buckets::Finder finder_;
  std::vector<uint64_t>& out_;
};

}  // namespace

Status active_edges(const Pin& pin, const Population& population, const Buckets& buckets, StepCounter& steps,
                    std::vector<uint64_t>& out) {
  const VersionTable& versions = pin.tables().edge_versions;
  const ValidWindow window = buckets.window_of_starts();
  const Filter& filter = *population.filter;
  reach::PassingInstants passing(pin, filter, window.from, window.to);
  passing.begin_subject(population.node);
  Coverage coverage(buckets, out);
  const bool is_done = each_version(pin, population, window, steps, [&](Row row, NodeNumber src, NodeNumber dst) {
    const Micros from = std::max(versions.valid_from(row), window.from);
    const Micros to = std::min(versions.valid_to(row), window.to);
    each_passing_stretch(passing, filter, src, dst, from, to,
                         [&](Micros first, Micros end) { coverage.add(first, end); });
  });
  coverage.finish();
  return is_done ? Status::ok() : steps.status();
}

Status ended_edges(const Pin& pin, const Population& population, const Buckets& buckets, StepCounter& steps,
                   std::vector<uint64_t>& out) {
  const VersionTable& versions = pin.tables().edge_versions;
  const EdgeTable& edges = pin.tables().edges;
  const Filter& filter = *population.filter;
  // A later version of the spell may differ from the one that its event shows: only that one is judged.
  const Filter everything = Filter::trivial(pin);
  Population any = population;
  any.filter = &everything;
  SpellEnds spells(pin);
  Buckets::Finder finder(buckets);
  out.assign(buckets.count(), 0);
  // What ends at the first boundary touches the microsecond before it.
  const ValidWindow window{buckets.window().from - 1, buckets.window().to};
  const bool is_done = each_version(pin, any, window, steps, [&](Row row, NodeNumber src, NodeNumber dst) {
    const Micros end = versions.valid_to(row);
    if (!buckets.holds(end) || !spells.is_end(row)) return;
    if (!filter.is_trivial()) {
      if (!filter.passes_type(edges.type(versions.owner(row)))) return;
      const Row first = spells.first_of(row);
      if (!passes_event(filter, first, src, dst, versions.valid_from(first), population.node)) return;
    }
    ++out[finder.of(end)];
  });
  return is_done ? Status::ok() : steps.status();
}

Status nodes(const Pin& pin, const Filter& filter, const Buckets& buckets, StepCounter& steps,
             std::vector<uint64_t>& out) {
  const VersionTable& versions = pin.tables().node_versions;
  Coverage coverage(buckets, out);
  const bool is_done =
      palimpsest::each_touching(versions, 0, pin.row_cut(Kind::kNode), buckets.window_of_starts(), steps, [&](Row row) {
        if (!pin.is_believed_node(row) || !filter.passes_node_row(row)) return;
        coverage.add(versions.valid_from(row), versions.valid_to(row));
      });
  coverage.finish();
  return is_done ? Status::ok() : steps.status();
}

Status new_nodes(const Pin& pin, const Filter& filter, const Buckets& buckets, StepCounter& steps,
                 std::vector<uint64_t>& out) {
  const VersionTable& versions = pin.tables().node_versions;
  const VersionIndex& index = pin.tables().node_index;
  NodeMarks seen(pin.view().node_count);
  Buckets::Finder finder(buckets);
  out.assign(buckets.count(), 0);
  const bool is_done =
      palimpsest::each_touching(versions, 0, pin.row_cut(Kind::kNode), buckets.window(), steps, [&](Row row) {
        if (!pin.is_believed_node(row)) return;
        Row first = row;
        const NodeNumber node = versions.owner(row);
        if (!index.is_single(node)) {
          // Once for each node, however many versions it has.
          if (!seen.add(node)) return;
          pin.each_believed(Kind::kNode, node, [&](Row other) {
            if (versions.valid_from(other) < versions.valid_from(first)) first = other;
            return true;
          });
        }
        const Micros at = versions.valid_from(first);
        if (buckets.holds(at) && filter.passes_node_row(first)) ++out[finder.of(at)];
      });
  return is_done ? Status::ok() : steps.status();
}

}  // namespace palimpsest::series
