#include "core/kernels/reach/waits.h"

#include <deque>
#include <queue>

// Say that a node is *present* at t when one may depart from it then: it was arrived at in [t - wait, t - tie]; the
// subject always is. Of all arrivals up to t - tie the latest decides that, so presence needs no sets. Say that a node
// is *fed* at t when some step to it is open at t and its tail is present at t; that is exactly when it is arrived at.
//
// Between two events (a step begins or ends, a presence begins or ends) neither changes: who is fed at t - 1 and at t
// by the same steps goes on being fed and, as wait >= 1, goes on being present; so nodes on a cycle of open steps keep
// each other alive without anything to do. A node that ceases to be fed, having last been at t - 1, ceases to be
// present at t + wait unless it is fed again before. Counting the open steps from present tails per node is therefore
// the whole state.
//
// Ties allowed: who is fed at t is present at t, so presences spread inside the instant, after everything that ends at
// t was taken away. What was taken away and comes back inside the instant leaves no trace, as a node is judged only
// when the instant is over. Strict ties: who begins to be fed at t is present from t + 1 on.

namespace palimpsest::reach {

namespace {

// The order inside an instant: all that ends, then all that begins.
enum class Change : uint8_t { kStepEnds, kLeaves, kEnters, kStepBegins };

struct Event {
  Clock at;
  Change change;
  uint32_t place;
  uint32_t stamp;  // of the presence (steps) or of the feeding (leaves) that it belongs to: a later one makes it void
  uint32_t head;   // of a step that ends
  bool operator<(const Event& other) const { return at != other.at ? at > other.at : change > other.change; }
};

struct State {
  uint32_t feeds = 0;           // open steps to it whose tails are present
  uint32_t presence_stamp = 0;  // counted up when a presence begins or ends
  uint32_t feeding_stamp = 0;   // counted up when feeding begins or ends
  bool is_present = false;
  bool was_fed = false;  // at the instant before
  bool is_changed = false;
  Clock earliest = kNoClock;
  size_t next_step = 0;  // the first step that has not begun, while present
};

class Simulation {
 public:
  explicit Simulation(const Search& search) : search_(search), rules_(search.rules), states_(1) {
    nodes_.add(search.subject);
  }

  Outcome run(uint64_t event_limit) {
    uint32_t missing = search_.goal.size();
    enter(0, rules_.begin);
    spread(rules_.begin);
    settle(rules_.begin, missing);
    uint64_t event_count = 0;
    while (!queue_.empty() && missing > 0) {
      const Clock now = queue_.top().at;
      while (!queue_.empty() && queue_.top().at == now) {
        const Event event = queue_.top();
        queue_.pop();
        ++event_count;
        apply(event);
      }
      spread(now);
      settle(now, missing);
      if (!search_.counter.add(looked_at_)) return Outcome::kStopped;
      looked_at_ = 0;
      if (event_count > event_limit) return Outcome::kTooManyEvents;
    }
    return Outcome::kDone;
  }

  void collect(std::vector<FoundNode>& reached) const {
    for (uint32_t place = 1; place < nodes_.size(); ++place) {
      const Clock earliest = states_[place].earliest;
      if (earliest == kNoClock || !search_.goal.wants(nodes_.node(place))) continue;
      reached.push_back({nodes_.node(place), earliest, 0});
    }
  }

 private:
  void apply(const Event& event) {
    ++looked_at_;
    State& state = states_[event.place];
    switch (event.change) {
      case Change::kStepEnds:
        if (event.stamp == state.presence_stamp) unfeed(event.head);
        break;
      case Change::kLeaves:
        if (event.stamp == state.feeding_stamp) leave(event.place, event.at);
        break;
      case Change::kEnters:
        if (!state.is_present) enter(event.place, event.at);
        break;
      case Change::kStepBegins:
        if (event.stamp == state.presence_stamp) begin_steps(event.place, event.at);
        break;
    }
  }

  void enter(uint32_t place, Clock now) {
    State& state = states_[place];
    state.is_present = true;
    ++state.presence_stamp;
    const StepList& list = search_.steps.out_of(nodes_.node(place));
    state.next_step = list.begun_at(now + 1);
    const uint32_t stamp = state.presence_stamp;
    list.each_touching(now, now, [&](const Step& step) { open(place, stamp, step); });
    await_next_step(place, list);
  }

  void begin_steps(uint32_t place, Clock now) {
    const StepList& list = search_.steps.out_of(nodes_.node(place));
    const auto steps = list.steps();
    State& state = states_[place];
    const uint32_t stamp = state.presence_stamp;
    size_t next = state.next_step;
    for (; next < steps.size() && steps[next].first == now; ++next) open(place, stamp, steps[next]);
    states_[place].next_step = next;
    await_next_step(place, list);
  }

  void await_next_step(uint32_t place, const StepList& list) {
    const State& state = states_[place];
    // The list is empty once the source has been stopped.
    if (state.next_step >= list.steps().size()) return;
    queue_.push({list.steps()[state.next_step].first, Change::kStepBegins, place, state.presence_stamp, 0});
  }

  void open(uint32_t place, uint32_t stamp, const Step& step) {
    ++looked_at_;
    const uint32_t head = nodes_.add(step.other);
    if (head == states_.size()) states_.emplace_back();
    if (head == 0) return;  // the subject is present anyway
    State& fed = states_[head];
    if (fed.feeds++ == 0) note_change(head);
    if (rules_.tie == 0 && !fed.is_present) arriving_.push_back(head);
    queue_.push({step.last + 1, Change::kStepEnds, place, stamp, head});
  }

  void unfeed(uint32_t place) {
    if (--states_[place].feeds == 0) note_change(place);
  }

  void leave(uint32_t place, Clock now) {
    State& state = states_[place];
    state.is_present = false;
    ++state.presence_stamp;
    // Open since before now and not ended: just the steps that this presence has fed and that have not been taken back.
    search_.steps.out_of(nodes_.node(place)).each_touching(now, now - 1, [&](const Step& step) {
      ++looked_at_;
      const uint32_t head = nodes_.find(step.other);
      if (head != 0) unfeed(head);
    });
  }

  void spread(Clock now) {
    while (!arriving_.empty()) {
      const uint32_t place = arriving_.back();
      arriving_.pop_back();
      if (!states_[place].is_present) enter(place, now);
    }
  }

  void note_change(uint32_t place) {
    if (states_[place].is_changed) return;
    states_[place].is_changed = true;
    changed_.push_back(place);
  }

  void settle(Clock now, uint32_t& missing) {
    for (const uint32_t place : changed_) {
      State& state = states_[place];
      state.is_changed = false;
      const bool is_fed = state.feeds > 0;
      if (is_fed == state.was_fed) continue;
      state.was_fed = is_fed;
      ++state.feeding_stamp;
      if (!is_fed) {
        queue_.push({now + rules_.wait, Change::kLeaves, place, state.feeding_stamp, 0});
        continue;
      }
      if (rules_.tie > 0 && !state.is_present) queue_.push({now + 1, Change::kEnters, place, 0, 0});
      if (state.earliest != kNoClock) continue;
      state.earliest = now;
      if (!search_.goal.is_everything() && search_.goal.wants(nodes_.node(place))) --missing;
    }
    changed_.clear();
  }

  const Search& search_;
  const Rules& rules_;
  NodeSet nodes_;
  std::deque<State> states_;
  std::priority_queue<Event> queue_;
  std::vector<uint32_t> arriving_;
  std::vector<uint32_t> changed_;
  uint64_t looked_at_ = 0;
};

}  // namespace

Outcome find_by_events(const Search& search, uint64_t event_limit, std::vector<FoundNode>& reached) {
  Simulation simulation(search);
  const Outcome outcome = simulation.run(event_limit);
  if (outcome == Outcome::kDone) simulation.collect(reached);
  return outcome;
}

}  // namespace palimpsest::reach
