#include "core/kernels/motifs/motifs.h"

#include "core/kernels/events/event_source.h"
#include "core/kernels/motifs/enumeration.h"

namespace palimpsest::motifs {

namespace {

constexpr uint64_t kLongSweep = 20'000;

Status graph_of(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps, AnyGraph& out) {
  EventList events;
  const bool with_loops = question.pattern.has_loops();
  if (Status status = collect_events(pin, filter, question.window, with_loops, steps, events); !status.is_ok()) {
    return status;
  }
  return build_graph(std::move(events), pin.view().node_count, steps, out);
}

Status total_of(const std::vector<uint64_t>& counts, uint64_t& total) {
  total = 0;
  for (const uint64_t count : counts) {
    if (__builtin_add_overflow(total, count, &total) || total > INT64_MAX) {
      return Status(Code::kLimit, "there are more instances than 2^63 - 1; ask for a shorter window or delta");
    }
  }
  return Status::ok();
}

}  // namespace

bool is_long(const Pin& pin, const Filter& filter, const Question& question) {
  const TimeRuns& runs = pin.view().runs;
  const auto [from, to] = question.window;
  const bool is_short = runs.count_begun(pin.tables().edge_versions, runs.row_count, from, to) <= kLongSweep;
  if (is_short && EventSource::is_ready(pin)) return false;
  return !names_few_nodes(pin, filter, question.window);
}

Status count_motifs(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps,
                    CountAnswer& answer) {
  AnyGraph any;
  if (Status status = graph_of(pin, filter, question, steps, any); !status.is_ok()) return status;
  answer.events = any.passed;
  answer.counts.assign(question.is_grid() ? kGridCells : 1, 0);
  const Status status = std::visit(
      [&](const auto& graph) {
        using Tick = typename std::decay_t<decltype(graph)>::Tick;
        return Enumeration<Tick>(pin, graph, question).count(steps, answer.counts);
      },
      any.graph);
  return status.is_ok() ? total_of(answer.counts, answer.total) : status;
}

Status find_motifs(const Pin& pin, const Filter& filter, const Question& question, PageSpan page, StepCounter& steps,
                   FindAnswer& answer) {
  AnyGraph any;
  if (Status status = graph_of(pin, filter, question, steps, any); !status.is_ok()) return status;
  return std::visit(
      [&](const auto& graph) {
        using Tick = typename std::decay_t<decltype(graph)>::Tick;
        Enumeration<Tick> enumeration(pin, graph, question);
        std::vector<uint64_t> counts(question.is_grid() ? kGridCells : 1, 0);
        if (Status status = enumeration.count(steps, counts); !status.is_ok()) return status;
        if (Status status = total_of(counts, answer.total); !status.is_ok()) return status;
        std::vector<Instance> instances;
        if (Status status = enumeration.find_page(page, steps, instances); !status.is_ok()) return status;
        for (const Instance& instance : instances) {
          for (uint32_t i = 0; i < instance.edge_count; ++i) answer.rows.push_back(graph.rows[instance.ranks[i]]);
          const auto first = static_cast<Micros>(graph.tick_of(instance.ranks[0]));
          const auto last = static_cast<Micros>(graph.tick_of(instance.ranks[instance.edge_count - 1]));
          answer.spans.push_back((last - first) * graph.tick_us);
          answer.cells.push_back(instance.cell);
        }
        return Status::ok();
      },
      any.graph);
}

}  // namespace palimpsest::motifs
