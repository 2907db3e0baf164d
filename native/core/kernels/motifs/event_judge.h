// Whether an event passes what one pattern edge asks of it: judged once per event and edge, on whatever thread is
// first.
#pragma once

#include <atomic>
#include <memory>

#include "core/kernels/events/event_source.h"
#include "core/kernels/motifs/event_graph.h"

namespace palimpsest::motifs {

class EventJudge {
 public:
  EventJudge(const Pin& pin, const Pattern& pattern, uint32_t event_count) : pin_(pin), pattern_(pattern) {
    if (pattern.has_filters()) verdicts_ = std::make_unique<std::atomic<uint16_t>[]>(event_count);
  }

  template <typename Tick>
  bool passes(const EventGraph<Tick>& graph, uint32_t rank, uint32_t edge) const {
    if (!verdicts_) return true;
    const Filter& filter = pattern_.filters[edge];
    if (filter.is_trivial()) return true;
    // Bit `edge` of the high byte: judged; of the low byte: it passes. Two threads that judge both find the same.
    const auto judged = static_cast<uint16_t>(0x100u << edge);
    const auto passing = static_cast<uint16_t>(1u << edge);
    const uint16_t verdict = verdicts_[rank].load(std::memory_order_relaxed);
    if ((verdict & judged) != 0) return (verdict & passing) != 0;
    const bool is_passing = judge(filter, graph.rows[rank]);
    verdicts_[rank].fetch_or(static_cast<uint16_t>(judged | (is_passing ? passing : 0)), std::memory_order_relaxed);
    return is_passing;
  }

 private:
  bool judge(const Filter& filter, Row row) const {
    const VersionTable& versions = pin_.tables().edge_versions;
    const EdgeTable& edges = pin_.tables().edges;
    const EdgeNumber edge = versions.owner(row);
    return passes_event(filter, row, edges.src(edge), edges.dst(edge), versions.valid_from(row));
  }

  const Pin& pin_;
  const Pattern& pattern_;
  std::unique_ptr<std::atomic<uint16_t>[]> verdicts_;
};

}  // namespace palimpsest::motifs
