#include "core/kernels/neighborhood/evolution.h"

#include "core/kernels/rows/row_order.h"
#include "core/kernels/series/passing_stretches.h"

namespace palimpsest::neighborhood {

namespace {

/// The samples [begin, end) at which an edge leads to another node.
struct Presence {
  EdgeNumber edge;
  NodeNumber other;
  uint32_t begin;
  uint32_t end;
};

/// Joins stretches that meet or overlap and agree in `key`; what comes out is ordered by (key, begin).
template <typename Key>
void join(std::vector<Presence>& presences, Key&& key) {
  std::sort(presences.begin(), presences.end(), [&](const Presence& a, const Presence& b) {
    return key(a) != key(b) ? key(a) < key(b) : a.begin < b.begin;
  });
  size_t kept = 0;
  for (const Presence& presence : presences) {
    if (kept > 0 && key(presences[kept - 1]) == key(presence) && presence.begin <= presences[kept - 1].end) {
      presences[kept - 1].end = std::max(presences[kept - 1].end, presence.end);
    } else {
      presences[kept++] = presence;
    }
  }
  presences.resize(kept);
}

class Evolution {
 public:
  Evolution(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps)
      : pin_(pin),
        filter_(filter),
        question_(question),
        steps_(steps),
        samples_(question.first, question.last, question.stride) {}

  Status run(PageSpan rows, PageSpan series, Answer& out) {
    if (!collect()) return steps_.status();
    join(presences_, [](const Presence& presence) { return presence.edge; });
    const std::vector<uint32_t> degrees = counts();
    if (!changes(rows, out)) return steps_.status();
    std::erase_if(presences_, [&](const Presence& presence) { return presence.other == question_.node; });
    join(presences_, [](const Presence& presence) { return presence.other; });
    const std::vector<uint32_t> neighbours = counts();
    out.series_total = samples_.count();
    const uint64_t end = std::min<uint64_t>(samples_.count(), series.ordinal + series.limit);
    for (uint64_t i = series.ordinal; i < end; ++i) {
      const auto sample = static_cast<uint32_t>(i);
      out.series.push_back({samples_.at(sample), degrees[sample], neighbours[sample]});
    }
    return Status::ok();
  }

 private:
  bool has_orientation(const Slot& slot) const {
    if (question_.orientation == Orientation::kBoth || slot.other() == question_.node) return true;
    return slot.is_incoming() == (question_.orientation == Orientation::kIn);
  }

  /// Every stretch of samples at which a version of the node's list counts.
  bool collect() {
    const VersionTable& versions = pin_.tables().edge_versions;
    const Micros window_from = question_.first - question_.lookback + 1;
    reach::PassingInstants passing(pin_, filter_, question_.first, question_.last + 1);
    passing.begin_subject(question_.node);
    bool is_done = true;
    pin_.tables().incidence.each_chunk(question_.node, [&](std::span<const Slot> slots, Micros max_end) {
      if (slots.empty() || max_end <= window_from) return is_done = steps_.add(1);
      if (slots.front().valid_from > question_.last) return false;
      if (!(is_done = steps_.add(slots.size()))) return false;
      for (const Slot& slot : slots) {
        if (slot.valid_from > question_.last) return false;
        if (!has_orientation(slot) || !pin_.is_believed_edge(slot.row)) continue;
        const Micros from = std::max(slot.valid_from, question_.first);
        const Micros to = std::min(versions.valid_to(slot.row) + question_.lookback - 1, question_.last + 1);
        if (from >= to || !filter_.passes_edge(slot.row)) continue;
        const NodeNumber src = slot.is_incoming() ? slot.other() : question_.node;
        const NodeNumber dst = slot.is_incoming() ? question_.node : slot.other();
        series::each_passing_stretch(passing, filter_, src, dst, from, to, [&](Micros first, Micros end) {
          const uint32_t begin = samples_.first_from(first);
          const uint32_t behind = samples_.first_from(end);
          if (begin < behind) presences_.push_back({versions.owner(slot.row), slot.other(), begin, behind});
        });
      }
      return true;
    });
    // What was found is sorted twice.
    return is_done && steps_.add(2 * presences_.size());
  }

  /// How many stretches hold each sample.
  std::vector<uint32_t> counts() const {
    std::vector<uint32_t> out(samples_.count() + 1, 0);
    for (const Presence& presence : presences_) {
      ++out[presence.begin];
      --out[presence.end];  // wraps below zero until it is summed up
    }
    uint32_t open = 0;
    for (uint32_t& count : out) count = open += count;
    return out;
  }

  /// Compares the neighbours at the first and the last sample. Needs the presences joined by edge.
  bool changes(PageSpan page, Answer& out) {
    struct Both {
      NodeNumber other;
      uint32_t at_first;
      uint32_t at_last;
    };
    std::vector<Both> ends;
    for (const Presence& presence : presences_) {
      const bool is_at_first = presence.begin == 0;
      const bool is_at_last = presence.end == samples_.count();
      if (presence.other == question_.node || (!is_at_first && !is_at_last)) continue;
      ends.push_back({presence.other, is_at_first ? 1u : 0u, is_at_last ? 1u : 0u});
    }
    std::sort(ends.begin(), ends.end(), [](const Both& a, const Both& b) { return a.other < b.other; });
    const RowOrder order(pin_, ends.size());
    const auto is_before = [&](const NeighbourRow& a, const NeighbourRow& b) {
      return a.change != b.change ? a.change < b.change : order.compare_nodes(a.node, b.node) < 0;
    };
    PageSelector<NeighbourRow, decltype(is_before)> selector(page, is_before);
    for (size_t i = 0; i < ends.size();) {
      Both sum = ends[i];
      for (++i; i < ends.size() && ends[i].other == sum.other; ++i) {
        sum.at_first += ends[i].at_first;
        sum.at_last += ends[i].at_last;
      }
      const Change change = sum.at_last == 0 ? Change::kLost : sum.at_first == 0 ? Change::kGained : Change::kKept;
      const auto place = static_cast<size_t>(change);
      ++out.totals[place];
      if (!question_.wants[place]) continue;
      const uint64_t key = (uint64_t{place} << 62) | (order.key_of_node(sum.other) >> 2);
      selector.add(key, NeighbourRow{change, sum.other, sum.at_last == 0 ? sum.at_first : sum.at_last});
    }
    out.rows = selector.take();
    return steps_.add(ends.size());
  }

  const Pin& pin_;
  const Filter& filter_;
  const Question& question_;
  StepCounter& steps_;
  const Samples samples_;
  std::vector<Presence> presences_;
};

}  // namespace

Status neighborhood_evolution(const Pin& pin, const Filter& filter, const Question& question, PageSpan rows,
                              PageSpan series, StepCounter& steps, Answer& out) {
  const uint64_t count = Samples::count_of(question.first, question.last, question.stride);
  if (count > Samples::kMost) return Status(Code::kLimit, "more than 100,000 samples");
  if (!steps.add(count)) return steps.status();
  return Evolution(pin, filter, question, steps).run(rows, series, out);
}

}  // namespace palimpsest::neighborhood
