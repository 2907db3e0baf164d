#include "core/kernels/freshness/freshness.h"

#include <algorithm>

#include "core/kernels/freshness/decay.h"
#include "core/kernels/freshness/rivals.h"
#include "core/kernels/rows/read_instant.h"
#include "core/kernels/rows/row_order.h"

namespace palimpsest::freshness {

namespace {

/// What decides where a fact stands.
struct Weighed {
  uint32_t fact;
  uint32_t superseded_by;  // position of a fact, kNone
  FactStatus status;
  bool is_confirmed;
  Micros basis;
  int64_t age;
};

int64_t floor_days(Micros time) { return time / kDay - (time % kDay < 0 ? 1 : 0); }

class Freshness {
 public:
  Freshness(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps)
      : pin_(pin), tables_(pin.tables()), filter_(filter), question_(question), steps_(steps), order_(pin, 0) {}

  Status run(PageSpan rows, PageSpan conflicts, Answer& answer) {
    const auto passes_type = [&](TypeNumber type) {
      return filter_.passes_type(type) && (!question_.types || question_.types->has(type));
    };
    const Status status = read_facts(pin_, question_.src, passes_type, question_.at, steps_, facts_);
    if (!status.is_ok()) return status;
    if (!steps_.add(facts_.size())) return steps_.status();
    const Rivals rivals(pin_, facts_, question_.functional, question_.at);
    std::vector<const Weighed*> leaders(rivals.conflicts().size(), nullptr);  // the first row of each conflict

    const auto less = [this](const Weighed& a, const Weighed& b) { return is_less(a, b); };
    PageSelector<Weighed, decltype(less)> selector(rows, less);
    std::vector<Weighed> first(leaders.size());
    for (uint32_t i = 0; i < facts_.size(); ++i) {
      if (!steps_.add(1)) return steps_.status();
      if (!passes(facts_[i])) continue;
      const Weighed weighed = weigh(i, rivals);
      ++answer.totals[static_cast<size_t>(weighed.status)];
      if ((question_.include >> static_cast<uint32_t>(weighed.status) & 1) == 0) continue;
      selector.add(static_cast<uint64_t>(weighed.status), weighed);
      const uint32_t conflict = rivals.conflict_of(i);
      if (conflict == kNone) continue;
      if (leaders[conflict] == nullptr || is_less(weighed, first[conflict])) first[conflict] = weighed;
      leaders[conflict] = &first[conflict];
    }
    std::erase(leaders, nullptr);
    std::sort(leaders.begin(), leaders.end(), [&](const Weighed* a, const Weighed* b) { return is_less(*a, *b); });
    groups_.assign(rivals.conflicts().size(), 0);
    for (uint32_t i = 0; i < leaders.size(); ++i) groups_[rivals.conflict_of(leaders[i]->fact)] = i + 1;

    answer.row_count = selector.total();
    for (const Weighed& weighed : selector.take()) answer.rows.push_back(shown(weighed, rivals));
    for (const Weighed* leader : leaders) {
      if (!steps_.add(1)) return steps_.status();
      const uint32_t conflict = rivals.conflict_of(leader->fact);
      add_conflict(groups_[conflict], rivals.conflicts()[conflict].facts, conflicts, answer);
    }
    return Status::ok();
  }

 private:
  bool passes(const Fact& fact) const {
    return filter_.passes_edge(fact.content) &&
           filter_.passes_ends(question_.src, tables_.edges.dst(fact.edge), fact.from, question_.src);
  }

  Weighed weigh(uint32_t index, const Rivals& rivals) const {
    const Fact& fact = facts_[index];
    Weighed weighed{index, superseder_of(index, rivals), FactStatus::kCurrent, false, fact.from, 0};
    weighed.status = status_of(fact, weighed.superseded_by != kNone);
    if (weighed.status != FactStatus::kSuperseded) weighed.superseded_by = kNone;
    if (const auto confirmed = confirmation_of(fact)) {
      weighed.is_confirmed = true;
      weighed.basis = *confirmed;
    }
    const Micros age = question_.at - weighed.basis;
    weighed.age = question_.has_exact_ages ? age : floor_days(age);
    return weighed;
  }

  uint32_t superseder_of(uint32_t index, const Rivals& rivals) const {
    const Fact& fact = facts_[index];
    if (fact.is_retracted) return kNone;
    uint32_t next = index + 1;
    if (rivals.is_functional(fact)) {
      next = rivals.next_after(fact);
    } else if (next == facts_.size() || facts_[next].edge != fact.edge || facts_[next].is_retracted) {
      next = kNone;
    }
    return next != kNone && facts_[next].from <= question_.at ? next : kNone;
  }

  FactStatus status_of(const Fact& fact, bool is_superseded) const {
    if (fact.is_retracted) return FactStatus::kRetracted;
    if (fact.from > question_.at) return FactStatus::kFuture;
    if (is_superseded) return FactStatus::kSuperseded;
    return fact.to <= question_.at ? FactStatus::kExpired : FactStatus::kCurrent;
  }

  std::optional<Micros> confirmation_of(const Fact& fact) const {
    PropValue value;
    if (question_.confirmed == kNone || fact.begun == kNone ||
        !tables_.edge_versions.properties().find(fact.begun, question_.confirmed, value) ||
        value.kind != PropKind::kString) {
      return std::nullopt;
    }
    const auto instant = read_instant(tables_.texts.get(static_cast<TextNumber>(value.bits)));
    return instant && fact.from <= *instant && *instant <= question_.at ? instant : std::nullopt;
  }

  const HalfLife& half_life_of(const Fact& fact) const {
    const auto own = question_.half_lives.find(tables_.edges.type(fact.edge));
    return own == question_.half_lives.end() ? question_.default_half_life : own->second;
  }

  bool is_less(const Weighed& a, const Weighed& b) const {
    if (a.status != b.status) return a.status < b.status;
    const Fact& fact_a = facts_[a.fact];
    const Fact& fact_b = facts_[b.fact];
    const HalfLife& half_a = half_life_of(fact_a);
    const HalfLife& half_b = half_life_of(fact_b);
    if (half_a.has_value() != half_b.has_value()) return !half_a.has_value();
    if (half_a) {
      const int decay = compare_decay(a.age, *half_a, b.age, *half_b);
      if (decay != 0) return decay < 0;
    }
    return is_newer(fact_a, fact_b);
  }
  bool is_newer(const Fact& a, const Fact& b) const {
    return a.from != b.from ? a.from > b.from : order_.compare_edges(a.edge, b.edge) < 0;
  }

  ShownFact shown(const Weighed& weighed, const Rivals& rivals) const {
    const uint32_t conflict = rivals.conflict_of(weighed.fact);
    return {facts_[weighed.fact],
            weighed.status,
            weighed.basis,
            weighed.is_confirmed,
            weighed.age,
            weighed.superseded_by == kNone ? std::nullopt : std::optional(facts_[weighed.superseded_by]),
            rivals.count(weighed.fact),
            conflict == kNone ? 0 : groups_[conflict]};
  }

  /// Adds what of a group lies on the page; groups come in order.
  void add_conflict(uint32_t group, std::vector<uint32_t> members, PageSpan page, Answer& answer) const {
    const uint64_t first = answer.conflict_count;
    answer.conflict_count += members.size();
    if (answer.conflict_count <= page.ordinal || first >= page.ordinal + page.limit) return;
    std::sort(members.begin(), members.end(), [&](uint32_t a, uint32_t b) { return is_newer(facts_[a], facts_[b]); });
    for (uint64_t i = 0; i < members.size(); ++i) {
      const uint64_t position = first + i;
      if (position < page.ordinal || position >= page.ordinal + page.limit) continue;
      answer.conflicts.push_back({group, facts_[members[i]]});
    }
  }

  const Pin& pin_;
  const Tables& tables_;
  const Filter& filter_;
  const Question& question_;
  StepCounter& steps_;
  const RowOrder order_;
  std::vector<Fact> facts_;
  std::vector<uint32_t> groups_;  // per conflict: its number, 0 where none of its facts is shown
};

}  // namespace

Status fact_freshness(const Pin& pin, const Filter& filter, const Question& question, PageSpan rows, PageSpan conflicts,
                      StepCounter& steps, Answer& answer) {
  return Freshness(pin, filter, question, steps).run(rows, conflicts, answer);
}

}  // namespace palimpsest::freshness
