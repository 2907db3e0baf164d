#include "core/kernels/reach/labels.h"

#include <queue>

namespace palimpsest::reach {

namespace {

/// Calls `visit(node, arrival)` for every step that can be taken from a node where one may depart from `ready` on.
template <typename Visit>
uint64_t each_arrival(const StepList& list, Crossing crossing, Clock ready, Visit&& visit) {
  uint64_t looked_at = 1;
  if (crossing == Crossing::kInstant) {
    list.each_touching(ready, kNoClock, [&](const Step& step) {
      ++looked_at;
      visit(step.other, std::max(step.first, ready));
    });
  } else {
    const auto steps = list.steps();
    for (size_t i = list.begun_at(ready); i < steps.size(); ++i) {
      ++looked_at;
      visit(steps[i].other, steps[i].last);
    }
  }
  return looked_at;
}

}  // namespace

bool find_earliest(const Search& search, std::vector<FoundNode>& reached) {
  const Rules& rules = search.rules;
  struct Due {
    Clock at;
    uint32_t place;
    bool operator<(const Due& other) const { return at > other.at; }
  };
  NodeSet nodes;
  std::vector<Clock> label;
  std::vector<char> is_settled;
  std::priority_queue<Due> queue;
  const uint32_t subject = nodes.add(search.subject);
  label.push_back(rules.begin);
  is_settled.push_back(0);
  queue.push({rules.begin, subject});
  uint32_t missing = search.goal.size();

  while (!queue.empty() && missing > 0) {
    const Due due = queue.top();
    queue.pop();
    if (is_settled[due.place]) continue;
    is_settled[due.place] = 1;
    const NodeNumber node = nodes.node(due.place);
    Clock ready = due.at;
    if (due.place != subject) {
      ready += rules.tie;
      if (search.goal.wants(node)) {
        reached.push_back({node, due.at, 0});
        if (!search.goal.is_everything()) --missing;
      }
    }
    const uint64_t looked_at =
        each_arrival(search.steps.out_of(node), rules.crossing, ready, [&](NodeNumber other, Clock arrival) {
          const uint32_t place = nodes.add(other);
          if (place == label.size()) {
            label.push_back(kNoClock);
            is_settled.push_back(0);
          }
          if (arrival >= label[place] || is_settled[place]) return;
          label[place] = arrival;
          queue.push({arrival, place});
        });
    if (!search.counter.add(looked_at)) return false;
  }
  return true;
}

bool find_by_layers(const Search& search, uint32_t expected, std::vector<FoundNode>& reached) {
  const Rules& rules = search.rules;
  struct Label {
    Clock at = kNoClock;
    Clock next = kNoClock;  // what the layer in work has found
    uint64_t hops = 0;
  };
  struct Departure {
    uint32_t place;
    Clock ready;
  };
  NodeSet nodes;
  std::vector<Label> labels(1);
  nodes.add(search.subject);
  std::vector<Departure> frontier{{0, rules.begin}};
  std::vector<uint32_t> improved;
  uint32_t found = 0;

  for (uint64_t hops = 1; !frontier.empty() && (rules.max_hops == 0 || hops <= rules.max_hops); ++hops) {
    improved.clear();
    for (const Departure& departure : frontier) {
      const StepList& list = search.steps.out_of(nodes.node(departure.place));
      const uint64_t looked_at =
          each_arrival(list, rules.crossing, departure.ready, [&](NodeNumber other, Clock arrival) {
            const uint32_t place = nodes.add(other);
            if (place == labels.size()) labels.emplace_back();
            if (place == 0) return;  // whoever comes back to the subject could have stayed there
            Label& label = labels[place];
            if (arrival >= label.at || arrival >= label.next) return;
            if (label.next == kNoClock) improved.push_back(place);
            label.next = arrival;
          });
      if (!search.counter.add(looked_at)) return false;
    }
    frontier.clear();
    for (const uint32_t place : improved) {
      Label& label = labels[place];
      label.at = label.next;
      label.next = kNoClock;
      if (label.hops == 0) {
        label.hops = hops;
        if (search.goal.wants(nodes.node(place))) ++found;
      }
      frontier.push_back({place, label.at + rules.tie});
    }
    if (rules.max_hops == 0 && found == expected) break;
  }
  for (uint32_t place = 1; place < nodes.size(); ++place) {
    if (search.goal.wants(nodes.node(place)))
      reached.push_back({nodes.node(place), labels[place].at, labels[place].hops});
  }
  return true;
}

}  // namespace palimpsest::reach
