#include "core/kernels/reach/sweep.h"

#include <deque>
#include <queue>
#include <utility>

#include "core/kernels/events/event_source.h"
#include "core/kernels/reach/marks.h"

// Three ways to the same labels, each picking up where the one before stands:
//   1. Search by heap over incidence lists from the subject. Best while few nodes are reached.
//   2. Once that has looked at a good part of the window's rows, a pass over the rest of them in time order: a row
//   whose tail
//      is settled settles its head. A node that is settled at t takes the edges that began before and are still open
//      with it.
//   3. Once nearly all nodes are settled, the others look for their first row from a settled node, and the heap goes on
//      from there.
// At each change every label up to the present instant is final, and what is later will be found again.
// Backward, only the first way is taken: rows are in order of their beginnings, and the mirror image begins at ends.

namespace palimpsest::reach {

namespace {

constexpr uint64_t kHeapShare = 64;  // of the window's rows, looked at before the pass begins
constexpr uint64_t kLeastHeapSlots = 4096;
constexpr uint32_t kRowsPerCheck = 4096;
// In order of time one block begins on both sides of an instant, and one more wherever the log went back in time.
constexpr uint32_t kBlocksLookedInto = 64;
constexpr uint32_t kRowsPerPull = 160;  // what finding a node's first row costs, in rows of the pass

struct Due {
  Clock at;
  NodeNumber node;
  bool operator<(const Due& other) const { return at > other.at; }
};

/// The earliest comes first; all can be taken at once, in no order.
class DueHeap : public std::priority_queue<Due> {
 public:
  std::vector<Due> take() { return std::exchange(c, {}); }
};

class EarliestSearch {
 public:
  EarliestSearch(const Pin& pin, const Filter& filter, const Question& question, NodeNumber subject, const Goal& goal,
                 StepCounter& counter)
      : pin_(pin),
        filter_(filter),
        question_(question),
        edges_(pin.tables().edge_versions),
        subject_(subject),
        goal_(goal),
        counter_(counter),
        tie_(question.is_strict ? 1 : 0),
        missing_(goal.size()),
        marks_(pin.view().node_count) {}

  bool run() {
    const Clock begin = question_.rules().begin;
    marks_.set_label(subject_, begin);
    heap_.push({begin, subject_});
    const TimeRuns& runs = pin_.view().runs;
    slice_ = question_.is_backward ? 0 : runs.count_begun(edges_, runs.row_count, question_.from, question_.to);
    const uint64_t budget = question_.is_backward ? UINT64_MAX : std::max(kLeastHeapSlots, slice_ / kHeapShare);
    if (!search_by_heap(budget)) return false;
    if (heap_.empty() || missing_ == 0) return true;
    const Micros stopped_at = sweep(begin_sweep());
    if (!counter_.status().is_ok()) return false;
    if (missing_ == 0 || stopped_at >= question_.to) return true;
    return pull(stopped_at) && search_by_heap(UINT64_MAX);
  }

  void collect(std::vector<FoundNode>& reached) const {
    reached.reserve(goal_.is_everything() ? settled_.size() : 0);
    for (const NodeNumber node : settled_) {
      if (node != subject_ && goal_.wants(node)) reached.push_back({node, marks_.label(node), 0});
    }
  }

 private:
  bool is_step(Row row) const { return pin_.is_believed_edge(row) && filter_.passes_edge(row); }
  Clock ready(NodeNumber node, Clock label) const { return node == subject_ ? label : label + tie_; }

  void settle(NodeNumber node, Clock at) {
    marks_.settle(node, at);
    settled_.push_back(node);
    if (!goal_.is_everything() && goal_.wants(node)) --missing_;
  }

  // --- 1: by heap ---

  bool search_by_heap(uint64_t budget) {
    uint64_t looked_at = 0;
    while (!heap_.empty() && missing_ > 0) {
      const Due due = heap_.top();
      if (looked_at > budget) return true;
      heap_.pop();
      if (marks_.is_settled(due.node)) continue;
      settle(due.node, due.at);
      const Clock from = ready(due.node, due.at);
      const uint64_t slots = question_.is_backward ? relax_backward(due.node, -from) : relax_forward(due.node, from);
      looked_at += slots;
      if (!counter_.add(slots)) return false;
    }
    return true;
  }

  void offer_earlier(NodeNumber node, Clock at) {
    if (at < marks_.label(node)) offer(node, at);
  }
  void offer(NodeNumber node, Clock at) {
    marks_.set_label(node, at);
    heap_.push({at, node});
  }

  uint64_t relax_forward(NodeNumber node, Micros from) {
    uint64_t looked_at = 1;
    pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
      if (slots.empty() || slots.front().valid_from >= question_.to) return false;
      ++looked_at;
      if (max_end <= from) return true;
      looked_at += slots.size();
      for (const Slot& slot : slots) {
        if (slot.valid_from >= question_.to) return false;
        if (marks_.is_settled(slot.other()) || !question_.leaves_by(slot.is_incoming())) continue;
        const Micros at = std::max(slot.valid_from, from);
        if (at >= marks_.label(slot.other()) || at >= question_.to) continue;
        if (slot.valid_from < from && edges_.valid_to(slot.row) <= from) continue;
        if (is_step(slot.row)) offer(slot.other(), at);
      }
      return true;
    });
    return looked_at;
  }

  /// One may depart towards `node` at `until` at the latest.
  uint64_t relax_backward(NodeNumber node, Micros until) {
    uint64_t looked_at = 1;
    pin_.tables().incidence.each_chunk_backward(node, [&](std::span<const Slot> slots, Micros max_end) {
      ++looked_at;
      if (slots.empty() || slots.front().valid_from > until || max_end <= question_.from) return true;
      looked_at += slots.size();
      const Micros latest = std::min(until, max_end - 1);
      for (const Slot& slot : slots) {
        if (slot.valid_from > until) break;
        if (marks_.is_settled(slot.other()) || !question_.leaves_by(slot.is_incoming())) continue;
        if (-latest >= marks_.label(slot.other())) continue;
        const Micros at = std::min(until, edges_.valid_to(slot.row) - 1);
        if (at < question_.from || -at >= marks_.label(slot.other())) continue;
        if (is_step(slot.row)) offer(slot.other(), -at);
      }
      return true;
    });
    return looked_at;
  }

  // --- 2: by rows in time order ---

  /// Settles what is due now, with all that hangs on it at this instant. What is later comes from rows that begin
  /// later, and the pass will find it again; but for what strict ties put off by one instant.
  Micros begin_sweep() {
    const Micros now = heap_.top().at;
    const std::vector<Due> waiting = heap_.take();
    for (const Due& due : waiting) {
      if (due.at == now) arrive(due.node, now);
    }
    for (const Due& due : waiting) {
      if (marks_.is_settled(due.node)) continue;
      if (due.at == now + tie_) pending_.push_back(due);
      marks_.drop_label(due.node);
    }
    open_until_ = latest_end_before(now);
    return now;
  }

  /// No row that begins before `now` ends later. Of blocks that begin on both sides of it only a few are looked into,
  /// else their extremes count: it may say more than is true.
  Micros latest_end_before(Micros now) const {
    Micros latest = INT64_MIN;
    uint32_t looked_into = 0;
    const uint32_t block_count = (pin_.row_cut(Kind::kEdge) + kBlockRows - 1) / kBlockRows;
    for (uint32_t block = 0; block < block_count; ++block) {
      const Zone zone = edges_.zone(block);
      const Micros greatest = zone.has_open_end != 0 ? kOpenEnd : zone.max_to;
      if (zone.min_from >= now || greatest <= latest) continue;
      const bool is_apart = zone.max_from < now || ++looked_into > kBlocksLookedInto;
      latest = is_apart ? greatest : std::max(latest, latest_end_in(block, now));
    }
    return latest;
  }

  Micros latest_end_in(uint32_t block, Micros now) const {
    Micros latest = INT64_MIN;
    const Row end = std::min(pin_.row_cut(Kind::kEdge), (block + 1) * kBlockRows);
    for (Row row = block * kBlockRows; row < end; ++row) {
      if (edges_.valid_from(row) < now) latest = std::max(latest, edges_.valid_to(row));
    }
    return latest;
  }

  /// Rows that begin at or after `now`. Gives the instant before which all labels are final: the window's end, or
  /// earlier when the pass is worth no more.
  Micros sweep(Micros now) {
    Pass pass(*this, now);
    EventSource events;
    if (sweeps_events()) {
      if (!EventSource::open(pin_, counter_, events).is_ok()) return now;
      // Where every version is an event the ends of the events are all ends; else edges may be open at any time.
      const uint64_t believed = pin_.tables().commits.get(pin_.tx()).believed_edges;
      if (events.count({}) != believed) open_until_ = kOpenEnd;
      events.each_block({now, question_.to}, counter_, [&](const EventSlice& slice) {
        for (uint32_t i = 0; i < slice.count; ++i) {
          if (!pass.visit(slice.row[i], slice.at[i], slice.src[i], slice.dst[i])) return false;
        }
        return pass.is_worth_more(slice.count, slice.at[slice.count - 1]);
      });
    } else {
      const EdgeTable& edges = pin_.tables().edges;
      uint32_t rows = 0;
      pin_.view().runs.each_begun(edges_, pin_.row_cut(Kind::kEdge), now, question_.to, [&](Row row) {
        const Micros begins = edges_.valid_from(row);
        const EdgeNumber edge = edges_.owner(row);
        if (!pass.visit(row, begins, edges.src(edge), edges.dst(edge))) return false;
        if (++rows < EventSlice::kMostEvents) return true;
        return counter_.add(std::exchange(rows, 0)) && pass.is_worth_more(EventSlice::kMostEvents, begins);
      });
      counter_.add(rows);
    }
    settle_pending(pass.stopped_at - 1);
    for (const Due& due : pending_) offer_earlier(due.node, due.at);
    return pass.stopped_at;
  }

  /// Events lie side by side, and their beginnings are all that matters: a version that continues its spell is open
  /// already when it begins. Not so where strict ties wait for the next instant, or where the filter picks versions.
  bool sweeps_events() const {
    if (question_.is_strict || !filter_.is_trivial()) return false;
    return EventSource::is_ready(pin_) || slice_ > pin_.row_cut(Kind::kEdge) / 2;
  }

  /// What the pass over rows in time order keeps in mind.
  struct Pass {
    Pass(EarliestSearch& owner, Micros begin)
        : search(owner),
          goes_out(owner.question_.orientation != Orientation::kIn),
          goes_in(owner.question_.orientation != Orientation::kOut),
          ending_at(begin),
          stopped_at(owner.question_.to),
          settled_before(owner.marks_.settled_count()) {}

    /// False when the pass ends here.
    bool visit(Row row, Micros begins, NodeNumber src, NodeNumber dst) {
      if (is_ending && begins > ending_at) {
        stopped_at = begins;
        return false;
      }
      search.settle_pending(begins);
      const bool is_src_settled = search.marks_.is_settled(src);
      if (is_src_settled != search.marks_.is_settled(dst) && (is_src_settled ? goes_out : goes_in)) {
        search.cross(row, begins, is_src_settled ? src : dst, is_src_settled ? dst : src);
      }
      if (search.open_until_ < search.question_.to) {
        search.open_until_ = std::max(search.open_until_, search.edges_.valid_to(row));
      }
      return true;
    }

    /// Asked now and then, after `count` more rows of which the last began at `begins`.
    bool is_worth_more(uint32_t count, Micros begins) {
      rows += count;
      if (rows < kRowsPerCheck) return true;
      all_rows += std::exchange(rows, 0);
      if (search.missing_ == 0) return false;
      const uint32_t settled = search.marks_.settled_count();
      const uint32_t gained = settled - std::exchange(settled_before, settled);
      const uint64_t left = search.pin_.view().node_count - settled;
      const bool is_slow = left < settled && gained * kRowsPerPull < kRowsPerCheck;
      if (is_slow && all_rows + left * kRowsPerPull < search.slice_) {
        is_ending = true;
        ending_at = begins;
      }
      return true;
    }

    EarliestSearch& search;
    const bool goes_out;
    const bool goes_in;
    bool is_ending = false;
    Micros ending_at;  // rows of this instant still belong to the pass
    Micros stopped_at;
    uint32_t rows = 0;
    uint64_t all_rows = 0;
    uint32_t settled_before;
  };

  void cross(Row row, Micros begins, NodeNumber tail, NodeNumber head) {
    if (tie_ == 0 || ready(tail, marks_.label(tail)) <= begins) {
      if (is_step(row)) arrive(head, begins);
      return;
    }
    // The tail was reached just now, and with strict ties departs an instant later.
    const Micros from = begins + tie_;
    if (from < question_.to && edges_.valid_to(row) > from && is_step(row)) pending_.push_back({from, head});
  }

  /// Settles a node and whoever it reaches at the same instant over open edges. With strict ties they wait for the next
  /// one.
  void arrive(NodeNumber node, Micros now) {
    if (marks_.is_settled(node)) return;
    settle(node, now);
    // In a stream of instants nothing is ever open, and no list need be looked at.
    const Micros from = ready(node, now);
    if (from >= open_until_ || from >= question_.to) return;
    arriving_.assign(1, node);
    for (size_t i = 0; i < arriving_.size(); ++i) {
      if (i + 8 < arriving_.size()) pin_.tables().incidence.prefetch_list(arriving_[i + 8]);
      if (i + 4 < arriving_.size()) pin_.tables().incidence.prefetch_first_chunk(arriving_[i + 4]);
      take_open_edges(arriving_[i], now, from);
    }
  }

  /// Edges of a node settled now that began before, or now, and are open at `from`.
  void take_open_edges(NodeNumber node, Micros now, Micros from) {
    uint64_t looked_at = 1;
    pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
      if (slots.empty() || slots.front().valid_from > now) return false;
      ++looked_at;
      if (max_end <= from) return true;
      for (const Slot& slot : slots) {
        if (slot.valid_from > now) return false;
        ++looked_at;
        const NodeNumber other = slot.other();
        if (marks_.is_settled(other) || !question_.leaves_by(slot.is_incoming())) continue;
        if (edges_.valid_to(slot.row) <= from || !is_step(slot.row)) continue;
        if (from == now) {
          settle(other, now);
          arriving_.push_back(other);
        } else {
          pending_.push_back({from, other});
        }
      }
      return true;
    });
    counter_.add(looked_at);
  }

  /// Who arrives by strict ties just after another one: in time order, as time only goes on.
  void settle_pending(Micros until) {
    while (!pending_.empty() && pending_.front().at <= until) {
      const Due due = pending_.front();
      pending_.pop_front();
      arrive(due.node, due.at);
    }
  }

  // --- 3: by those who are left ---

  /// Each node that is not settled looks for its first row from a settled one; all labels before `now` are final.
  bool pull(Micros now) {
    for (NodeNumber node = 0; node < pin_.view().node_count; ++node) {
      if (marks_.is_settled(node)) continue;
      uint64_t looked_at = 1;
      pin_.tables().incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros) {
        if (slots.empty() || slots.front().valid_from >= question_.to) return false;
        ++looked_at;
        if (slots.back().valid_from < now) return true;
        for (const Slot& slot : slots) {
          ++looked_at;
          if (slot.valid_from < now || !marks_.is_settled(slot.other())) continue;
          if (slot.valid_from >= question_.to) return false;
          // Seen from the head, the step comes in where it would leave from the tail.
          if (!question_.leaves_by(!slot.is_incoming())) continue;
          if (ready(slot.other(), marks_.label(slot.other())) > slot.valid_from || !is_step(slot.row)) continue;
          offer_earlier(node, slot.valid_from);
          return false;
        }
        return true;
      });
      if (!counter_.add(looked_at)) return false;
    }
    return true;
  }

  const Pin& pin_;
  const Filter& filter_;
  const Question& question_;
  const VersionTable& edges_;
  const NodeNumber subject_;
  const Goal& goal_;
  StepCounter& counter_;
  const Clock tie_;
  uint32_t missing_;
  LabelMarks marks_;
  std::vector<NodeNumber> settled_;
  DueHeap heap_;
  std::vector<NodeNumber> arriving_;
  std::deque<Due> pending_;
  uint64_t slice_ = 0;
  Micros open_until_ = INT64_MAX;  // no row seen so far ends later
};

}  // namespace

bool is_for_sweep(const Question& question, const Filter& filter) {
  return question.crossing == Crossing::kInstant && !question.rules().has_wait_limit() && question.max_hops == 0 &&
         !question.counts_hops && !filter.has_node_part();
}

bool find_by_sweep(const Pin& pin, const Filter& filter, const Question& question, NodeNumber subject, const Goal& goal,
                   StepCounter& counter, std::vector<FoundNode>& reached) {
  EarliestSearch search(pin, filter, question, subject, goal, counter);
  if (!search.run()) return false;
  search.collect(reached);
  return true;
}

}  // namespace palimpsest::reach
