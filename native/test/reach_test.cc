// The searches of temporal_reachability against an enumeration of all states (node, arrival instant, steps), instant by
// instant, straight from A8. Short and long spans, every combination of rules; a failure prints its seed.
#include <cinttypes>
#include <map>
#include <random>
#include <string>

#include "check.h"
#include "core/kernels/reach/search.h"
#include "core/kernels/reach/waits.h"
#include "core/kernels/reach/waves.h"

using namespace palimpsest;
using namespace palimpsest::reach;

namespace {

class ListedSteps : public StepSource {
 public:
  explicit ListedSteps(const std::vector<std::vector<Step>>& steps) {
    for (const auto& list : steps) lists_.emplace_back(list);
  }
  const StepList& out_of(NodeNumber node) override { return lists_[node]; }

 private:
  std::vector<StepList> lists_;
};

struct Found {
  Clock arrival = kNoClock;
  uint64_t hops = 0;
  bool operator==(const Found&) const = default;
};

/// All states by number of steps, each (node, arrival) once, at its least number.
std::map<NodeNumber, Found> enumerate(const std::vector<std::vector<Step>>& steps, const Rules& rules, Clock end) {
  std::map<NodeNumber, Found> found;
  std::vector<std::vector<char>> is_seen(steps.size(), std::vector<char>(static_cast<size_t>(end) + 1, 0));
  std::vector<std::pair<NodeNumber, Clock>> layer;
  std::vector<std::pair<NodeNumber, Clock>> next;
  uint64_t hops = 1;
  const auto cross = [&](NodeNumber tail, Clock from, Clock to) {
    for (const Step& step : steps[tail]) {
      if (rules.crossing == Crossing::kRide) {
        if (step.first >= from && step.first <= to) next.emplace_back(step.other, step.last);
        continue;
      }
      for (Clock at = std::max(from, step.first); at <= std::min(to, step.last); ++at)
        next.emplace_back(step.other, at);
    }
  };
  cross(0, 0, end);
  for (; !next.empty(); ++hops) {
    layer.clear();
    for (const auto& [node, at] : next) {
      char& seen = is_seen[node][static_cast<size_t>(at)];
      if (seen) continue;
      seen = 1;
      layer.emplace_back(node, at);
      if (node == 0) continue;
      Found& best = found[node];
      best.arrival = std::min(best.arrival, at);
      if (best.hops == 0) best.hops = hops;
    }
    next.clear();
    if (rules.max_hops != 0 && hops == rules.max_hops) break;
    for (const auto& [node, at] : layer) {
      cross(node, at + rules.tie, rules.has_wait_limit() ? std::min(end, at + rules.wait) : end);
    }
  }
  return found;
}

class Trial {
 public:
  enum class Shape { kMixed, kWaves };

  Trial(uint64_t seed, Clock end, Shape shape) : seed_(seed), random_(seed), end_(end) {
    steps_.resize(2 + below(7));
    rules_.tie = below(2);
    rules_.counts_hops = below(2) == 0;
    if (shape == Shape::kMixed) {
      draw_mixed();
    } else {
      draw_waves();
    }
  }

  void run() {
    const auto expected = enumerate(steps_, rules_, end_);
    compare(expected, Goal());
    std::vector<NodeNumber> targets;
    for (NodeNumber node = 0; node < steps_.size(); ++node) {
      if (below(3) == 0) targets.push_back(node);
    }
    compare(expected, Goal(targets, 0));
    if (rules_.crossing == Crossing::kInstant && rules_.has_wait_limit()) compare_waves(expected);
  }

  /// A million times as long, but for what is short, and the waits as before: too long to enumerate, and to be followed
  /// wait by wait. Waves and simulation must agree, and soon.
  void run_stretched() {
    constexpr Clock kStretch = 1'000'000;
    for (auto& list : steps_) {
      for (Step& step : list) {
        const Clock length = step.last - step.first;
        const Clock first = step.first * kStretch + (length < 6 ? static_cast<Clock>(below(3)) : 0);
        step = {first, first + (length < 6 ? length : length * kStretch), step.other};
      }
    }
    ListedSteps source(steps_);
    StopToken stop;
    stop.set_step_ceiling(3'000'000);
    StepCounter counter(stop);
    std::vector<FoundNode> waves;
    if (!find_by_waves({source, rules_, Goal(), 0, counter}, UINT32_MAX, waves)) report({}, {});
    if (rules_.tie == 1 && rules_.wait == 1) return;
    std::vector<FoundNode> events;
    CHECK(find_by_events({source, rules_, Goal(), 0, counter}, 100'000, events) == Outcome::kDone);
    CHECK(by_node(waves, false) == by_node(events, false));
  }

 private:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  NodeNumber any_node() { return below(static_cast<uint32_t>(steps_.size())); }
  Clock any_instant(uint32_t part = 1) { return below(static_cast<uint32_t>(end_) / part + 1); }

  void add(NodeNumber tail, NodeNumber head, Clock first, Clock last) {
    if (tail == head) return;
    last = std::min(last, end_);
    if (last < first) std::swap(first, last);
    if (rules_.crossing == Crossing::kRide && first == last) return;
    steps_[tail].push_back({first, last, head});
  }

  void draw_mixed() {
    rules_.crossing = below(4) == 0 ? Crossing::kRide : Crossing::kInstant;
    if (below(5) != 0) rules_.wait = below(3) == 0 ? below(static_cast<uint32_t>(end_) / 3) : below(4);
    if (below(4) == 0) rules_.max_hops = 1 + below(6);
    const uint32_t long_share = below(4);
    for (uint32_t count = 1 + below(18); count > 0; --count) {
      const NodeNumber tail = below(4) == 0 ? 0 : any_node();
      const NodeNumber head = any_node();
      Clock first = any_instant();
      const Clock last = below(4) < long_share ? end_ - any_instant(4) : first + below(4);
      if (below(8) < long_share) first = any_instant(4);
      add(tail, head, first, last);
      if (rules_.crossing == Crossing::kInstant && below(3) == 0) add(head, tail, first, last);
    }
  }

  /// Long cycles that are entered for an instant and left much later, with a few things in the way.
  void draw_waves() {
    rules_.wait = 1 + below(4);
    const auto nodes = static_cast<NodeNumber>(steps_.size());
    for (uint32_t count = 1 + below(3); count > 0; --count) {
      const uint32_t length = 2 + below(3);
      NodeNumber tail = any_node();
      const NodeNumber begin = tail;
      for (uint32_t i = 0; i < length; ++i) {
        const NodeNumber head = i + 1 == length ? begin : any_node();
        add(tail, head, any_instant(8), end_ - any_instant(8));
        tail = head;
      }
    }
    for (uint32_t count = 1 + below(3); count > 0; --count) {
      const Clock first = any_instant(below(2) == 0 ? 8 : 1);
      add(0, 1 + below(nodes - 1), first, first + below(3));
    }
    for (uint32_t count = below(8); count > 0; --count) {
      const Clock first = any_instant();
      add(any_node(), any_node(), first, first + (below(3) == 0 ? any_instant(4) : below(6)));
    }
  }

  void compare(const std::map<NodeNumber, Found>& all, const Goal& goal) {
    ListedSteps source(steps_);
    StopToken stop;
    StepCounter counter(stop);
    std::vector<FoundNode> reached;
    CHECK(find_reached({source, rules_, goal, 0, counter}, reached));
    check(all, goal, reached, rules_.counts_hops);
  }

  // The waves alone, to the end: they know arrivals and steps of everything.
  void compare_waves(const std::map<NodeNumber, Found>& all) {
    ListedSteps source(steps_);
    StopToken stop;
    StepCounter counter(stop);
    std::vector<FoundNode> reached;
    CHECK(find_by_waves({source, rules_, Goal(), 0, counter}, UINT32_MAX, reached));
    check(all, Goal(), reached, true);
  }

  void check(const std::map<NodeNumber, Found>& all, const Goal& goal, const std::vector<FoundNode>& reached,
             bool with_hops) {
    std::map<NodeNumber, Found> expected;
    for (const auto& [node, found] : all) {
      if (goal.wants(node)) expected[node] = {found.arrival, with_hops ? found.hops : 0};
    }
    const std::map<NodeNumber, Found> given = by_node(reached, with_hops);
    if (expected == given && given.size() == reached.size()) return;
    report(expected, given);
  }

  static std::map<NodeNumber, Found> by_node(const std::vector<FoundNode>& reached, bool with_hops) {
    std::map<NodeNumber, Found> given;
    for (const FoundNode& row : reached) given[row.node] = {row.arrival, with_hops ? row.hops : 0};
    return given;
  }

  void report(const std::map<NodeNumber, Found>& expected, const std::map<NodeNumber, Found>& given) {
    std::fprintf(
        stderr, "seed %" PRIu64 " end %" PRId64 " crossing %d tie %" PRId64 " wait %" PRId64 " max_hops %u hops %d\n",
        seed_, end_, static_cast<int>(rules_.crossing), rules_.tie, rules_.wait, rules_.max_hops, rules_.counts_hops);
    for (NodeNumber tail = 0; tail < steps_.size(); ++tail) {
      for (const Step& step : steps_[tail]) {
        std::fprintf(stderr, "  %u -> %u [%" PRId64 ", %" PRId64 "]\n", tail, step.other, step.first, step.last);
      }
    }
    for (const auto& [node, found] : expected) {
      std::fprintf(stderr, "  expected %u at %" PRId64 " by %" PRIu64 "\n", node, found.arrival, found.hops);
    }
    for (const auto& [node, found] : given) {
      std::fprintf(stderr, "  given    %u at %" PRId64 " by %" PRIu64 "\n", node, found.arrival, found.hops);
    }
    CHECK(false);
  }

  uint64_t seed_;
  std::mt19937_64 random_;
  Clock end_;
  Rules rules_;
  std::vector<std::vector<Step>> steps_;
};

/// To and fro over two open facts for 10^15 microseconds under waits of 1 and 2: done at once, with the right number of
/// steps.
void check_long_waits() {
  const Clock late = 1'000'000'000'000'001;
  for (const Clock tie : {0, 1}) {
    for (const Clock wait : {1, 2, 1'000'000}) {
      std::vector<std::vector<Step>> steps(4);
      steps[0] = {{0, 0, 1}};
      steps[1] = {{0, 2 * late, 2}, {late, late, 3}};
      steps[2] = {{0, 2 * late, 1}};
      ListedSteps source(steps);
      Rules rules;
      rules.tie = tie;
      rules.wait = wait;
      rules.counts_hops = true;
      StopToken stop;
      stop.set_step_ceiling(20'000'000);
      StepCounter counter(stop);
      std::vector<FoundNode> reached;
      CHECK(find_reached({source, rules, Goal(), 0, counter}, reached));
      Clock arrival = kNoClock;
      uint64_t hops = 0;
      for (const FoundNode& row : reached) {
        if (row.node == 3) arrival = row.arrival, hops = row.hops;
      }
      CHECK(arrival == late);
      // Arrive at 0; m steps to and fro, m even; then the last step: m + 1 waits of at most `wait` make `late`.
      uint64_t waits = static_cast<uint64_t>((late + wait - 1) / wait);
      if (waits % 2 == 0) ++waits;
      CHECK(hops == waits + 1);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t first_seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 6000;
  check_long_waits();
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    Trial(seed, 40, Trial::Shape::kMixed).run();
    Trial(seed, 12, Trial::Shape::kMixed).run();
    Trial(seed, 400, Trial::Shape::kWaves).run();
    Trial(seed, 400, Trial::Shape::kWaves).run_stretched();
  }
  std::printf("reach_test: %" PRIu64 " seeds\n", count);
  return 0;
}
