#include "core/kernels/motifs/motifs.h"

#include "core/kernels/events/event_source.h"
#include "core/kernels/motifs/enumeration.h"
#include "core/kernels/motifs/window_counts.h"

namespace palimpsest::motifs {

namespace {

constexpr uint64_t kLongExtent = 8'000;  // five times as many steps are about what may run at once

Status make_graph(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps,
                  std::shared_ptr<const AnyGraph>& out) {
  const uint64_t before = steps.total();
  EventList events;
  const bool with_loops = question.pattern.has_loops();
  if (Status status = collect_events(pin, filter, question.window, with_loops, steps, events); !status.is_ok()) {
    return status;
  }
  auto graph = std::make_shared<AnyGraph>();
  if (Status status = build_graph(std::move(events), pin.view().node_count, steps, *graph); !status.is_ok()) {
    return status;
  }
  graph->build_steps = steps.total() - before;
  out = std::move(graph);
  return Status::ok();
}

/// The graph of the question's events: that of all events is kept for the next question.
Status graph_of(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps,
                std::shared_ptr<const AnyGraph>& out) {
  const bool is_whole = filter.is_trivial() && question.window.is_unbounded() && !question.pattern.has_loops();
  if (!is_whole) return make_graph(pin, filter, question, steps, out);
  const uint64_t before = steps.total();
  const auto make = [&](std::shared_ptr<const DerivedCache::Item>& item) {
    std::shared_ptr<const AnyGraph> graph;
    Status status = make_graph(pin, filter, question, steps, graph);
    item = std::move(graph);
    return status;
  };
  std::shared_ptr<const DerivedCache::Item> item;
  if (Status status = pin.tables().derived_cache().get(pin, steps.token(), make, item); !status.is_ok()) return status;
  out = std::static_pointer_cast<const AnyGraph>(item);
  // A ceiling must not tell who found the graph made from who made it.
  return steps.total() == before && !steps.add(out->build_steps) ? steps.status() : Status::ok();
}

/// Counts by windows where that can be, else one by one, which tells `enumeration` where pages begin.
template <typename Tick>
Status count_all(const EventGraph<Tick>& graph, const Question& question, Enumeration<Tick>& enumeration,
                 StepCounter& steps, CountAnswer& answer) {
  std::vector<WideCount> wide(question.is_grid() ? kGridCells : 1);
  if (can_count_by_windows(question, graph.has_ties)) {
    if (Status status = count_by_windows(graph, question, steps, wide); !status.is_ok()) return status;
  } else {
    std::vector<uint64_t> counts(wide.size());
    if (Status status = enumeration.count(steps, counts); !status.is_ok()) return status;
    std::copy(counts.begin(), counts.end(), wide.begin());
  }
  WideCount total = 0;
  for (const WideCount count : wide) total += count;
  if (total > INT64_MAX) {
    return Status(Code::kLimit, "there are more instances than 2^63 - 1; ask for a shorter window or delta");
  }
  answer.counts.assign(wide.begin(), wide.end());
  answer.total = static_cast<uint64_t>(total);
  return Status::ok();
}

template <typename Tick>
void show(const EventGraph<Tick>& graph, const Instance& instance, FindAnswer& answer) {
  for (uint32_t i = 0; i < instance.edge_count; ++i) answer.rows.push_back(graph.rows[instance.ranks[i]]);
  const auto first = static_cast<Micros>(graph.tick_of(instance.ranks[0]));
  const auto last = static_cast<Micros>(graph.tick_of(instance.ranks[instance.edge_count - 1]));
  answer.spans.push_back((last - first) * graph.tick_us);
  answer.cells.push_back(instance.cell);
}

}  // namespace

bool is_long(const Pin& pin, const Filter& filter, const Question& question) {
  const Extent extent = extent_of(pin, filter, question.window);
  return extent.count > kLongExtent || (extent.is_sweep && !EventSource::is_ready(pin));
}

Status count_motifs(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps,
                    CountAnswer& answer) {
  std::shared_ptr<const AnyGraph> any;
  if (Status status = graph_of(pin, filter, question, steps, any); !status.is_ok()) return status;
  answer.events = any->passed;
  const auto count = [&]<typename Tick>(const EventGraph<Tick>& graph) {
    Enumeration<Tick> enumeration(pin, graph, question);
    return count_all(graph, question, enumeration, steps, answer);
  };
  return std::visit(count, any->graph);
}

Status find_motifs(const Pin& pin, const Filter& filter, const Question& question, PageSpan page, StepCounter& steps,
                   FindAnswer& answer) {
  std::shared_ptr<const AnyGraph> any;
  if (Status status = graph_of(pin, filter, question, steps, any); !status.is_ok()) return status;
  const auto find = [&]<typename Tick>(const EventGraph<Tick>& graph) {
    Enumeration<Tick> enumeration(pin, graph, question);
    CountAnswer counted;
    if (Status status = count_all(graph, question, enumeration, steps, counted); !status.is_ok()) return status;
    answer.total = counted.total;
    std::vector<Instance> instances;
    if (page.ordinal >= counted.total) return Status::ok();
    if (Status status = enumeration.find_page(page, steps, instances); !status.is_ok()) return status;
    for (const Instance& instance : instances) show(graph, instance, answer);
    return Status::ok();
  };
  return std::visit(find, any->graph);
}

}  // namespace palimpsest::motifs
