#include "core/kernels/aggregate/parts.h"

#include <algorithm>

#include "core/base/parallel.h"

namespace palimpsest::aggregate {

namespace {
constexpr uint64_t kEventsOfPart = 100'000;
constexpr uint64_t kMostParts = 8;

/// About equally many events each, by their number alone: the same for any number of threads.
std::vector<ValidWindow> cut(const EventSource& events, const Question& question, ValidWindow window) {
  const auto bucket = std::find_if(question.dims.begin(), question.dims.end(),
                                   [](const Dim& dim) { return dim.kind == DimKind::kBucket; });
  if (bucket == question.dims.end()) return {window};
  const uint64_t total = events.count(window);
  const uint64_t parts = std::clamp<uint64_t>(total / kEventsOfPart, 1, kMostParts);
  std::vector<ValidWindow> windows;
  Micros from = window.from;
  for (uint64_t part = 1; part < parts; ++part) {
    const auto holds_enough = [&](Micros boundary) {
      return events.count({window.from, boundary}) >= total * part / parts;
    };
    // Boundaries ascend, so those that lie behind enough events follow those that do not.
    const auto at = std::partition_point(bucket->boundaries.begin(), bucket->boundaries.end(),
                                         [&](Micros boundary) { return !holds_enough(boundary); });
    if (at == bucket->boundaries.end() || *at <= from || *at >= window.to) continue;
    windows.push_back({from, *at});
    from = *at;
  }
  windows.push_back({from, window.to});
  return windows;
}
}  // namespace

Status Parts::run(const Pin& pin, const Filter& filter, const Question& question, const PairSet* reciprocal,
                  const EventSource& events, ValidWindow window, StepCounter& steps, HeldBytes& held) {
  const std::vector<ValidWindow> windows = cut(events, question, window);
  if (windows.size() == 1) {
    sweeps_.push_back(std::make_unique<Sweep>(pin, filter, question, reciprocal));
    if (Status status = sweeps_[0]->run(events, window, steps, held); !status.is_ok()) return status;
    firsts_.push_back(sweeps_[0]->group_count());
    return Status::ok();
  }
  const auto count = static_cast<uint32_t>(windows.size());
  sweeps_.resize(count);
  std::vector<Status> statuses(count);
  std::vector<uint64_t> taken(count);
  const Status status = run_tasks(count, steps, [&](unsigned, uint32_t part, WorkerSteps&) {
    StepCounter own(steps.token());
    sweeps_[part] = std::make_unique<Sweep>(pin, filter, question, reciprocal);
    statuses[part] = sweeps_[part]->run(events, windows[part], own, held);
    taken[part] = own.total();
    return statuses[part].code() != Code::kCancelled;
  });
  // The first part that failed decides, whichever thread was first.
  for (const Status& of_part : statuses) {
    if (!of_part.is_ok()) return of_part;
  }
  if (!status.is_ok()) return status;
  uint64_t all_steps = steps.total();
  uint64_t groups = 0;
  for (uint32_t part = 0; part < count; ++part) {
    all_steps += taken[part];
    groups += sweeps_[part]->group_count();
    firsts_.push_back(static_cast<uint32_t>(groups));
  }
  if (all_steps > steps.token().step_ceiling()) {
    return {Code::kCost, "the call passed its ceiling of steps while running"};
  }
  return groups > GroupTable::kMostGroups ? too_many_groups() : Status::ok();
}

uint64_t Parts::event_count() const {
  uint64_t sum = 0;
  for (const auto& sweep : sweeps_) sum += sweep->event_count();
  return sum;
}

std::vector<uint64_t> Parts::skipped() const {
  std::vector<uint64_t> sums = sweeps_[0]->skipped();
  for (size_t part = 1; part < sweeps_.size(); ++part) {
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += sweeps_[part]->skipped()[i];
  }
  return sums;
}

}  // namespace palimpsest::aggregate
