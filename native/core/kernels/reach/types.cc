#include "core/kernels/reach/types.h"

namespace palimpsest::reach {

StepList::StepList(std::vector<Step> steps) : steps_(std::move(steps)) {
  const auto is_before = [](const Step& a, const Step& b) { return a.first < b.first; };
  if (!std::is_sorted(steps_.begin(), steps_.end(), is_before)) std::sort(steps_.begin(), steps_.end(), is_before);
  for (size_t begin = 0; begin < steps_.size(); begin += kBlockSteps) {
    Clock last = INT64_MIN;
    for (size_t i = begin; i < std::min(begin + kBlockSteps, steps_.size()); ++i) last = std::max(last, steps_[i].last);
    block_last_.push_back(last);
  }
}

size_t StepList::begun_at(Clock instant) const {
  const auto found = std::lower_bound(steps_.begin(), steps_.end(), instant,
                                      [](const Step& step, Clock value) { return step.first < value; });
  return static_cast<size_t>(found - steps_.begin());
}

namespace {
// Tables all of whose entries are kNone, ready for the next search of this thread.
thread_local std::vector<std::vector<uint32_t>> spare_tables;
}  // namespace

NodeSet::NodeSet() {
  if (spare_tables.empty()) return;
  table_ = std::move(spare_tables.back());
  spare_tables.pop_back();
}

NodeSet::~NodeSet() {
  clear();
  if (spare_tables.size() < 4) spare_tables.push_back(std::move(table_));
}

void NodeSet::clear() {
  for (const NodeNumber node : nodes_) table_[node] = kNone;
  nodes_.clear();
}

void NodeSet::grow(NodeNumber node) {
  table_.resize(std::max<size_t>(size_t{node} + 1, table_.size() + table_.size() / 2), kNone);
}

Goal::Goal(std::span<const NodeNumber> targets, NodeNumber subject) : targets_(std::make_unique<NodeSet>()) {
  for (const NodeNumber target : targets) {
    if (target != subject) targets_->add(target);
  }
}

}  // namespace palimpsest::reach
