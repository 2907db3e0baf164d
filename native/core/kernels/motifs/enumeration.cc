#include "core/kernels/motifs/enumeration.h"

#include "core/kernels/motifs/grid_search.h"
#include "core/kernels/motifs/pattern_search.h"

namespace palimpsest::motifs {

namespace {
constexpr uint32_t kBlockEvents = 1024;

uint32_t block_count(uint32_t events) { return (events + kBlockEvents - 1) / kBlockEvents; }
}  // namespace

template <typename Tick>
Enumeration<Tick>::Enumeration(const Pin& pin, const EventGraph<Tick>& graph, const Question& question)
    : graph_(graph), question_(question), judge_(pin, question.pattern, graph.event_count) {}

template <typename Tick>
template <typename Use>
bool Enumeration<Tick>::with_search(Purpose purpose, Use&& use) const {
  const Tick delta = graph_.delta_ticks(question_.delta);
  if (question_.is_grid()) return use(GridSearch<Tick>(graph_, question_.ties, delta));
  // Only what is shown must come in the order of its events.
  const StepOrder order = purpose == Purpose::kShow ? StepOrder::kChronological : StepOrder::kConnected;
  return use(PatternSearch<Tick>(graph_, question_.pattern, judge_, question_.ties, delta, order));
}

template <typename Tick>
Status Enumeration<Tick>::count(StepCounter& steps, std::vector<uint64_t>& counts) {
  const uint32_t blocks = block_count(graph_.event_count);
  block_counts_.assign(blocks, 0);
  std::vector<std::array<uint64_t, kGridCells>> cells(most_workers());
  for (auto& own : cells) own.fill(0);
  const Status status = run_tasks(blocks, steps, [&](unsigned worker, uint32_t block, WorkerSteps& own_steps) {
    auto& own = cells[worker];
    uint64_t found = 0;
    const uint32_t end = std::min(graph_.event_count, (block + 1) * kBlockEvents);
    const bool is_whole = with_search(Purpose::kCount, [&](auto search) {
      for (uint32_t rank = block * kBlockEvents; rank < end; ++rank) {
        const bool goes_on = search.from_first(rank, own_steps, [&](const Instance& instance) {
          ++own[instance.cell];
          ++found;
          return true;
        });
        if (!goes_on) return false;
      }
      return true;
    });
    block_counts_[block] = found;
    return is_whole;
  });
  for (const auto& own : cells) {
    for (size_t cell = 0; cell < counts.size(); ++cell) counts[cell] += own[cell];
  }
  return status;
}

template <typename Tick>
Status Enumeration<Tick>::find_page(PageSpan page, StepCounter& steps, std::vector<Instance>& out) {
  if (page.limit == 0) return Status::ok();
  uint64_t to_pass = page.ordinal;
  uint32_t block = 0;
  while (block < block_counts_.size() && block_counts_[block] <= to_pass) to_pass -= block_counts_[block++];
  if (!block_counts_.empty() && block == block_counts_.size()) return Status::ok();
  bool is_full = false;
  const Status status = run_tasks(1, steps, [&](unsigned, uint32_t, WorkerSteps& own_steps) {
    return with_search(Purpose::kShow, [&](auto search) {
      for (uint32_t rank = block * kBlockEvents; rank < graph_.event_count && !is_full; ++rank) {
        const bool goes_on = search.from_first(rank, own_steps, [&](const Instance& instance) {
          if (to_pass > 0) {
            --to_pass;
            return true;
          }
          out.push_back(instance);
          is_full = out.size() == page.limit;
          return !is_full;
        });
        if (!goes_on && !is_full) return false;
      }
      return true;
    });
  });
  return status;
}

template class Enumeration<uint32_t>;
template class Enumeration<int64_t>;

}  // namespace palimpsest::motifs
