// Instances one by one: how many begin in each block of events, and those of one page in the operator's order.
// Blocks are searched in parallel and joined in their order.
#pragma once

#include "core/kernels/motifs/event_graph.h"
#include "core/kernels/motifs/event_judge.h"
#include "core/kernels/motifs/instance.h"

namespace palimpsest::motifs {

template <typename Tick>
class Enumeration {
 public:
  /// The graph and the question must outlive it.
  Enumeration(const Pin& pin, const EventGraph<Tick>& graph, const Question& question);

  /// Counts every instance by cell (one cell for a pattern of its own) and remembers how many each block has.
  Status count(StepCounter& steps, std::vector<uint64_t>& counts);
  /// The instances of the page, lexicographic by the events in pattern order. Cheap after `count`, which tells it where
  /// to begin; else it begins at the first event.
  Status find_page(PageSpan page, StepCounter& steps, std::vector<Instance>& out);

 private:
  enum class Purpose : uint8_t { kCount, kShow };
  template <typename Use>
  bool with_search(Purpose purpose, Use&& use) const;

  const EventGraph<Tick>& graph_;
  const Question& question_;
  EventJudge judge_;
  std::vector<uint64_t> block_counts_;
};

extern template class Enumeration<uint32_t>;
extern template class Enumeration<int64_t>;

}  // namespace palimpsest::motifs
