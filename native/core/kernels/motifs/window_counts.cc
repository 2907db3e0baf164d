#include "core/kernels/motifs/window_counts.h"

#include "core/base/parallel.h"
#include "core/kernels/motifs/star_counter.h"
#include "core/kernels/motifs/triangle_counter.h"
#include "core/kernels/motifs/wedge_counter.h"

namespace palimpsest::motifs {

namespace {

constexpr uint32_t kTaskSlots = 32'768;

/// Cuts the slots into tasks; `count(from, to, worker steps, own)` adds up a Counts that is joined afterwards.
template <typename Counts, typename Tick, typename Count>
Status add_up(const EventGraph<Tick>& graph, StepCounter& steps, Counts& total, Count&& count) {
  const uint32_t tasks = (graph.slot_count + kTaskSlots - 1) / kTaskSlots;
  std::vector<Counts> by_worker(most_workers());
  const Status status = run_tasks(tasks, steps, [&](unsigned worker, uint32_t task, WorkerSteps& own_steps) {
    // The first slot is a sentinel, and 2^32 slots end before a task could pass them.
    const uint32_t from = std::max(1u, task * kTaskSlots);
    const uint32_t to = task + 1 == tasks ? graph.slot_count : (task + 1) * kTaskSlots;
    Counts own;
    if (!count(from, to, own_steps, own)) return false;
    by_worker[worker].add(own);
    return true;
  });
  for (const Counts& own : by_worker) total.add(own);
  return status;
}

struct Parts {
  bool stars;
  bool triangles;
};

template <typename Tick>
Status count_grid(const EventGraph<Tick>& graph, const Question& question, Parts parts, StepCounter& steps,
                  GridCounts& total) {
  const Tick delta = graph.delta_ticks(question.delta);
  const bool is_strict = question.ties == Ties::kStrict && graph.has_ties;
  return add_up(graph, steps, total, [&](uint32_t from, uint32_t to, WorkerSteps& own_steps, GridCounts& own) {
    if (!own_steps.add(to - from)) return false;
    if (parts.stars) {
      StarCounter<Tick> stars(graph, delta, is_strict, own);
      const auto add_steps = [&](uint64_t taken) { return own_steps.add(taken); };
      const bool goes_on =
          each_chain(graph, from, to, delta, [&](const Chain& chain) { return stars.count(chain, add_steps); });
      if (!goes_on) return false;
    }
    if (!parts.triangles) return true;
    TriangleCounter<Tick> triangles(graph, delta, is_strict, own);
    return triangles.count(from, to, [&](uint64_t taken) { return own_steps.add(taken); });
  });
}

template <typename Tick>
Status count_wedges(const EventGraph<Tick>& graph, const Question& question, StepCounter& steps, WedgeCounts& total) {
  const Tick delta = graph.delta_ticks(question.delta);
  const bool is_strict = question.ties == Ties::kStrict && graph.has_ties;
  return add_up(graph, steps, total, [&](uint32_t from, uint32_t to, WorkerSteps& own_steps, WedgeCounts& own) {
    WedgeCounter<Tick> wedges(graph, delta, is_strict, own);
    return own_steps.add(to - from) && each_chain(graph, from, to, delta, [&](const Chain& chain) {
             wedges.count(chain);
             return own_steps.add(chain.length());
           });
  });
}

}  // namespace

bool can_count_by_windows(const Question& question, bool has_ties) {
  if (question.ties == Ties::kAllow && has_ties) return false;
  const Pattern& pattern = question.pattern;
  if (question.is_grid()) return true;
  if (pattern.has_filters() || pattern.has_loops()) return false;
  return pattern.edges.size() <= 2 || grid_cell(pattern) != kNoCell;
}

template <typename Tick>
Status count_by_windows(const EventGraph<Tick>& graph, const Question& question, StepCounter& steps,
                        std::vector<WideCount>& counts) {
  const Pattern& pattern = question.pattern;
  if (pattern.edges.size() == 1) {
    counts[0] = graph.event_count;
    return Status::ok();
  }
  if (pattern.edges.size() == 2) {
    WedgeCounts wedges;
    const Status status = count_wedges(graph, question, steps, wedges);
    counts[0] = wedges.of(pattern.edges[1]);
    return status;
  }
  GridCounts found;
  if (question.is_grid()) {
    const Status status = count_grid(graph, question, {true, true}, steps, found);
    const auto cells = found.cells();
    counts.assign(cells.begin(), cells.end());
    return status;
  }
  const uint8_t cell = grid_cell(pattern);
  const bool is_triangle = GridCounts::is_triangle(cell);
  const Status status = count_grid(graph, question, {!is_triangle, is_triangle}, steps, found);
  counts[0] = found.cells()[cell];
  return status;
}

template Status count_by_windows(const EventGraph<uint32_t>&, const Question&, StepCounter&, std::vector<WideCount>&);
template Status count_by_windows(const EventGraph<int64_t>&, const Question&, StepCounter&, std::vector<WideCount>&);

}  // namespace palimpsest::motifs
