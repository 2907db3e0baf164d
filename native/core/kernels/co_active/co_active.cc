#include "core/kernels/co_active/co_active.h"

#include "core/kernels/co_active/forward_scan.h"

namespace palimpsest::co_active {

namespace {

/// The relations of a scan whose left side is a (or, with inverse relations, b).
struct Scan {
  Relations relations;
  ScanRule rule;

  Scan(const Question& question, Relations wanted, bool has_same_beginning) : relations(wanted) {
    using enum Relation;
    rule.has_same_beginning =
        has_same_beginning && (wanted.has(kStarts) || wanted.has(kEquals) || wanted.has(kStartedBy));
    rule.has_inside = wanted.has(kOverlaps) || wanted.has(kFinishedBy) || wanted.has(kContains);
    rule.has_meets = wanted.has(kMeets);
    rule.has_beyond = wanted.has(kBefore);
    // No two instants are so far apart that these bounds matter, and no sum with an end overflows.
    rule.least_gap = std::clamp<Micros>(question.min_gap, 1, kOpenEnd / 2);
    rule.most_gap = std::min<Micros>(question.max_gap, kOpenEnd / 2 - 1);
  }
  bool takes_all(Place place) const {
    using enum Relation;
    if (place == Place::kSameBeginning) return false;  // a fact may meet itself there
    return place != Place::kInside ||
           (relations.has(kOverlaps) && relations.has(kFinishedBy) && relations.has(kContains));
  }
  bool takes(const Entry& left, const Entry& right) const {
    return relations.has(relation_of(left.from, left.to, right.from, right.to));
  }
};

class Join {
 public:
  Join(const Pin& pin, const Question& question, StepCounter& steps)
      : pin_(pin),
        question_(question),
        steps_(steps),
        order_(pin, question.a.row_bound(pin) + question.b.row_bound(pin)),
        from_a_(question, question.relations, true),
        from_b_(question, question.is_unordered ? Relations() : question.relations.inverse(), false) {}

  Status run(PageSpan page, Answer& answer) {
    if (const Status status = read(); !status.is_ok()) return status;
    if (!count()) return steps_.status();
    for (const uint32_t pairs : counts_) answer.total += pairs;
    if (!select(page, answer.rows)) return steps_.status();
    return Status::ok();
  }

 private:
  Status read() {
    Status status = read_facts(pin_, question_.a, question_.window, order_, steps_, facts_a_);
    if (!status.is_ok()) return status;
    // Two counts of each fact of a.
    if (!steps_.hold(facts_a_.size() * 2 * sizeof(uint32_t))) return steps_.status();
    if (question_.is_one_selection) {
      if (!steps_.hold(facts_a_.size() * sizeof(Fact))) return steps_.status();
      facts_b_ = facts_a_;
    } else {
      status = read_facts(pin_, question_.b, question_.window, order_, steps_, facts_b_);
      if (!status.is_ok()) return status;
    }
    const EdgeTable& edges = pin_.tables().edges;
    status = KeyedFacts::make(edges, question_.keys, KeyedFacts::Side::kA, facts_a_, steps_, keyed_a_);
    if (!status.is_ok()) return status;
    return KeyedFacts::make(edges, question_.keys, KeyedFacts::Side::kB, facts_b_, steps_, keyed_b_);
  }

  /// Facts that share two nodes meet in two groups, and are a pair in that of the lesser node only. A fact is no pair
  /// with itself.
  bool is_pair(const Entry& a, const Entry& b, Place place, uint64_t key) const {
    if (is_twice_there() && a.other == b.other && a.other < key) return false;
    if (place != Place::kSameBeginning || a.to != b.to) return true;
    return facts_a_[a.index].edge != facts_b_[b.index].edge;
  }
  bool is_twice_there() const { return question_.keys.kind == KeyKind::kAnyNode; }

  /// Of the run of facts of b that begin with one of a, the first that may follow it.
  size_t first_after(const Entry& a, size_t first, size_t end) const {
    if (!question_.is_unordered) return first;
    const EdgeNumber edge = facts_a_[a.index].edge;
    const auto after = std::partition_point(
        entries_b_.begin() + static_cast<ptrdiff_t>(first), entries_b_.begin() + static_cast<ptrdiff_t>(end),
        [&](const Entry& b) { return order_.compare_edges(facts_b_[b.index].edge, edge) <= 0; });
    return static_cast<size_t>(after - entries_b_.begin());
  }

  /// Calls `visit(entry of a, entry of b)` for the pairs of the group that is read. A run of which every entry makes a
  /// pair goes to `run_of_a(a, first, end)` or `run_of_b(b, first, end)` before; what gives true has dealt with it.
  template <typename Visit, typename RunOfA, typename RunOfB>
  bool each_pair(uint64_t key, Visit&& visit, RunOfA&& run_of_a, RunOfB&& run_of_b) {
    const auto is_whole = [&](const Scan& scan, Place place) { return !is_twice_there() && scan.takes_all(place); };
    const auto of_a = [&](const Entry& a, size_t first, size_t end, Place place) {
      if (is_whole(from_a_, place) && run_of_a(a, first, end)) return true;
      if (place == Place::kSameBeginning) first = first_after(a, first, end);
      if (!steps_.add(end - first)) return false;
      for (size_t i = first; i < end; ++i) {
        const Entry& b = entries_b_[i];
        if (from_a_.takes(a, b) && is_pair(a, b, place, key)) visit(a, b);
      }
      return true;
    };
    const auto of_b = [&](const Entry& b, size_t first, size_t end, Place place) {
      if (is_whole(from_b_, place) && run_of_b(b, first, end)) return true;
      if (!steps_.add(end - first)) return false;
      for (size_t i = first; i < end; ++i) {
        const Entry& a = entries_a_[i];
        if (from_b_.takes(b, a) && is_pair(a, b, place, key)) visit(a, b);
      }
      return true;
    };
    return scan_forward(entries_a_, entries_b_, from_a_.rule, steps_, of_a) &&
           scan_forward(entries_b_, entries_a_, from_b_.rule, steps_, of_b);
  }

  /// Whole runs are counted by their length: those of b at their fact of a, those of a by where they begin and end.
  bool count() {
    counts_.assign(facts_a_.size(), 0);
    const auto count_group = [&](const KeyedFacts::Group& of_a, const KeyedFacts::Group& of_b) {
      keyed_a_.read(of_a, 0, kNone, entries_a_);
      keyed_b_.read(of_b, 0, kNone, entries_b_);
      turns_.assign(entries_a_.size() + 1, 0);
      const bool goes_on = each_pair(
          of_a.key, [&](const Entry& a, const Entry&) { ++counts_[a.index]; },
          [&](const Entry& a, size_t first, size_t end) {
            counts_[a.index] += static_cast<uint32_t>(end - first);
            return true;
          },
          [&](const Entry&, size_t first, size_t end) {
            ++turns_[first];
            --turns_[end];  // modulo 2^32, as the sums are
            return true;
          });
      uint32_t open = 0;
      for (size_t i = 0; i < entries_a_.size(); ++i) {
        open += turns_[i];
        counts_[entries_a_[i].index] += open;
      }
      return goes_on;
    };
    return each_shared_group(keyed_a_, keyed_b_, steps_, count_group);
  }

  /// The pairs of the facts of a on which the page lies; the first and the last of these may have more than it shows.
  bool select(PageSpan page, std::vector<Pair>& rows) {
    uint64_t passed = 0;
    uint32_t first = 0;
    while (first < counts_.size() && passed + counts_[first] <= page.ordinal) passed += counts_[first++];
    uint64_t reached = passed;
    uint32_t end = first;
    while (end < counts_.size() && reached < page.ordinal + page.limit) reached += counts_[end++];
    if (first == end) return true;

    struct Position {
      uint32_t a;
      uint32_t b;
    };
    const auto never = [](const Position&, const Position&) { return false; };  // keys differ
    PageSelector<Position, decltype(never)> selector({page.ordinal - passed, page.limit}, never);
    const auto select_group = [&](const KeyedFacts::Group& of_a, const KeyedFacts::Group& of_b) {
      keyed_a_.read(of_a, first, end, entries_a_);
      if (entries_a_.empty()) return true;
      keyed_b_.read(of_b, 0, kNone, entries_b_);
      const auto no_run = [](const Entry&, size_t, size_t) { return false; };
      const auto add = [&](const Entry& a, const Entry& b) {
        selector.add((uint64_t{a.index} << 32) | b.index, {a.index, b.index});
      };
      return each_pair(of_a.key, add, no_run, no_run);
    };
    if (!each_shared_group(keyed_a_, keyed_b_, steps_, select_group)) return false;
    for (const Position& pair : selector.take()) rows.push_back({facts_a_[pair.a], facts_b_[pair.b]});
    return true;
  }

  const Pin& pin_;
  const Question& question_;
  StepCounter& steps_;
  const RowOrder order_;
  const Scan from_a_;
  const Scan from_b_;
  std::vector<Fact> facts_a_;
  std::vector<Fact> facts_b_;
  KeyedFacts keyed_a_;
  KeyedFacts keyed_b_;
  std::vector<uint32_t> counts_;  // pairs of each fact of a
  // Of the group at hand.
  std::vector<Entry> entries_a_;
  std::vector<Entry> entries_b_;
  std::vector<uint32_t> turns_;
};

}  // namespace

Status co_active(const Pin& pin, const Question& question, PageSpan page, StepCounter& steps, Answer& answer) {
  return Join(pin, question, steps).run(page, answer);
}

}  // namespace palimpsest::co_active
