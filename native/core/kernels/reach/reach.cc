#include "core/kernels/reach/reach.h"

#include "core/kernels/reach/search.h"
#include "core/kernels/reach/steps.h"
#include "core/kernels/reach/sweep.h"

namespace palimpsest::reach {

namespace {

/// The rows of one subject that lie on the page, where `before` rows of other subjects precede its own.
void add_page(const Pin& pin, const Question& question, uint32_t subject, const std::vector<FoundNode>& reached,
              PageSpan page, uint64_t before, std::vector<AnswerRow>& rows) {
  const uint64_t from = std::max(page.ordinal, before);
  const uint64_t to = std::min(page.ordinal + page.limit, before + reached.size());
  if (from >= to) return;
  const TextTable& uids = pin.tables().uids;
  const auto is_less = [&uids](const FoundNode* a, const FoundNode* b) {
    return uids.get(a->node) < uids.get(b->node);
  };
  PageSelector<const FoundNode*, decltype(is_less)> selector({from - before, to - from}, is_less);
  constexpr uint64_t kSign = uint64_t{1} << 63;
  for (const FoundNode& row : reached) selector.add(static_cast<uint64_t>(row.arrival) ^ kSign, &row);
  for (const FoundNode* row : selector.take()) {
    rows.push_back({subject, row->node, question.clock_of(row->arrival), row->hops});
  }
}

}  // namespace

Status temporal_reachability(const Pin& pin, const Filter& filter, const Question& question, PageSpan page,
                             StepCounter& counter, Answer& answer) {
  const Rules rules = question.rules();
  const bool is_swept = is_for_sweep(question, filter);
  StoreSteps steps(pin, filter, question, counter);
  uint64_t before = 0;
  for (uint32_t i = 0; i < question.subjects.size(); ++i) {
    const NodeNumber subject = question.subjects[i];
    const Goal goal = question.targets ? Goal(*question.targets, subject) : Goal();
    std::vector<FoundNode> reached;
    if (is_swept) {
      find_by_sweep(pin, filter, question, subject, goal, counter, reached);
    } else {
      steps.begin_subject(subject);
      find_reached({steps, rules, goal, subject, counter}, reached);
    }
    if (!counter.status().is_ok()) return counter.status();
    answer.reached.push_back(reached.size());
    add_page(pin, question, i, reached, page, before, answer.rows);
    before += reached.size();
  }
  return Status::ok();
}

}  // namespace palimpsest::reach
