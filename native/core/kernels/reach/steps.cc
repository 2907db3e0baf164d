#include "core/kernels/reach/steps.h"

namespace palimpsest::reach {

Rules Question::rules() const {
  Rules rules;
  rules.crossing = crossing;
  // A ride may arrive at the very end of the window, an instant lies before it.
  const Micros last = crossing == Crossing::kRide ? to : to - 1;
  rules.begin = is_backward ? -last : from;
  rules.tie = is_strict ? 1 : 0;
  // Nobody can wait longer than the window lasts.
  if (max_wait && *max_wait < to - from) rules.wait = *max_wait;
  rules.max_hops = max_hops;
  rules.counts_hops = counts_hops;
  return rules;
}

StoreSteps::StoreSteps(const Pin& pin, const Filter& filter, const Question& question, StepCounter& counter)
    : pin_(pin),
      filter_(filter),
      question_(question),
      counter_(counter),
      passing_(pin, filter, question.from, question.to) {}

void StoreSteps::begin_subject(NodeNumber subject) {
  passing_.begin_subject(subject);
  if (!filter_.has_node()) return;
  places_.clear();
  lists_.clear();
}

const StepList& StoreSteps::out_of(NodeNumber node) {
  if (!counter_.status().is_ok()) return nothing_;
  const uint32_t place = places_.add(node);
  if (place == lists_.size()) lists_.push_back(read(node));
  return lists_[place];
}

StepList StoreSteps::read(NodeNumber node) {
  std::vector<Step> steps;
  pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
    if (!slots.empty() && slots.front().valid_from >= question_.to) return false;
    if (max_end <= question_.from) return counter_.add(1);
    for (const Slot& slot : slots) {
      if (slot.valid_from >= question_.to) break;
      if (slot.other() == node || !question_.leaves_by(slot.is_incoming())) continue;
      if (!pin_.is_believed_edge(slot.row) || !filter_.passes_edge(slot.row)) continue;
      // The search leaves `node`; the walk goes the other way when it is searched backward.
      const End here{node, !slot.is_incoming()};
      const End there{slot.other(), slot.is_incoming()};
      const End& tail = question_.is_backward ? there : here;
      const End& head = question_.is_backward ? here : there;
      if (question_.crossing == Crossing::kRide) {
        add_ride(slot.row, slot.valid_from, tail, head, steps);
      } else {
        add_instants(slot.row, slot.valid_from, tail, head, steps);
      }
    }
    return counter_.add(slots.size());
  });
  return StepList(std::move(steps));
}

void StoreSteps::push(Micros first, Micros last, NodeNumber other, std::vector<Step>& steps) const {
  if (question_.is_backward) {
    steps.push_back({-last, -first, other});
  } else {
    steps.push_back({first, last, other});
  }
}

/// Versions of one spell stand for their span here: to cross at an instant of one of them is to cross the span then.
void StoreSteps::add_instants(Row row, Micros from, End tail, End head, std::vector<Step>& steps) {
  const NodeNumber other = question_.is_backward ? tail.node : head.node;
  const Micros first = std::max(from, question_.from);
  const Micros last = std::min(pin_.tables().edge_versions.valid_to(row), question_.to) - 1;
  if (first > last) return;
  if (!filter_.has_node_part()) {
    push(first, last, other, steps);
    return;
  }
  // References into an unordered_map stay valid when others are added.
  const std::vector<Stretch>& tails = passing_.of(tail.node, tail.is_src);
  const std::vector<Stretch>& heads = passing_.of(head.node, head.is_src);
  for (size_t t = 0, h = 0; t < tails.size() && h < heads.size();) {
    const Micros begin = std::max({first, tails[t].first, heads[h].first});
    const Micros end = std::min({last, tails[t].last, heads[h].last});
    if (begin <= end) push(begin, end, other, steps);
    if (tails[t].last < heads[h].last) {
      ++t;
    } else {
      ++h;
    }
  }
}

void StoreSteps::add_ride(Row row, Micros from, End tail, End head, std::vector<Step>& steps) {
  if (from < question_.from || !pin_.begins_spell(Kind::kEdge, row)) return;
  const Micros end = end_of_passing_spell(row);
  if (end > question_.to) return;  // an open end, too
  if (filter_.has_node_part() &&
      (!passing_.passes(tail.node, tail.is_src, from) || !passing_.passes(head.node, head.is_src, end))) {
    return;
  }
  push(from, end, question_.is_backward ? tail.node : head.node, steps);
}

/// The end of the spell that begins with this row; kOpenEnd when it is open or some version in it does not pass.
Micros StoreSteps::end_of_passing_spell(Row row) const {
  const VersionTable& versions = pin_.tables().edge_versions;
  const EdgeNumber edge = versions.owner(row);
  Micros end = versions.valid_to(row);
  if (pin_.tables().edge_index.is_single(edge)) return end;
  for (bool goes_on = true; goes_on && end != kOpenEnd;) {
    goes_on = false;
    pin_.each_believed(Kind::kEdge, edge, [&](Row next) {
      if (versions.valid_from(next) != end) return true;
      goes_on = true;
      end = filter_.passes_edge(next) ? versions.valid_to(next) : kOpenEnd;
      return false;
    });
  }
  return end;
}

}  // namespace palimpsest::reach
