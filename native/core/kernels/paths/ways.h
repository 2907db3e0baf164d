// The ways out of a node: crossings of spans that pass the filters, with all instants at which they may be left for.
// Read from incidence lists when a search first asks; what an edge's versions say is looked at way by way, on demand.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "core/kernels/paths/question.h"
#include "core/kernels/reach/passing.h"

namespace palimpsest::paths {

using reach::Stretch;

/// From src on in time, or from dst back on a mirrored clock: an instant t reads -t there, and heads become tails.
enum class Travel : uint8_t { kForward = 0, kBackward = 1 };

/// One way over one span. Times are those of the clock that its list travels by.
struct Way {
  enum class State : uint8_t { kUnread, kOpen, kShut };

  Stretch departures;  // from the first to the last instant of departure
  Clock ride;          // from departing to arriving
  Micros begins;       // of the span, in real time
  NodeNumber other;
  Row row;                 // the span's first version
  uint32_t stretch = 0;    // where the stretches of the departures stand when there are several
  uint32_t stretches = 1;  // how many
  State state = State::kUnread;
  bool is_incoming;
};

/// The ways out of one node, in order of (begin of the span, seq). Some of them turn out to be shut.
class WayList {
 public:
  struct Cursor {
    uint32_t way = 0;
    uint32_t chunk = 0;
  };
  /// The position of the next way that may depart in [from, to] of the list's clock; kNone when there is none.
  uint32_t next(Cursor& cursor, Clock from, Clock to) const;
  Way& way(uint32_t position) { return ways_[position]; }

 private:
  friend class WaySource;
  struct Chunk {
    uint32_t end;
    Micros max_end;
  };
  Travel travel_ = Travel::kForward;
  std::vector<Way> ways_;
  std::vector<Chunk> chunks_;
};

/// A maximal run of versions that pass the edge filter, inside one spell.
struct Span {
  Row row;
  Micros from;
  Micros to;
  bool is_whole_spell;
};

class WaySource {
 public:
  WaySource(const Pin& pin, const Filters& filters, const Question& question, StepCounter& counter);

  const Question& question() const { return question_; }
  StepCounter& counter() { return counter_; }
  /// Empty once the counter has stopped. Valid as long as it is held.
  std::shared_ptr<WayList> out_of(NodeNumber node, Travel travel);
  /// Looks at the span; false when the way is shut. `node` is where the way's list begins.
  bool open(Way& way, NodeNumber node, Travel travel) {
    if (way.state == Way::State::kUnread) read(way, node, travel);
    return way.state == Way::State::kOpen;
  }
  /// When an open way may be left for; valid until another is opened.
  std::span<const Stretch> departures(const Way& way) const {
    return way.stretches == 1 ? std::span(&way.departures, 1) : stretches(way.stretch, way.stretches);
  }
  std::span<const Stretch> stretches(uint32_t first, uint32_t count) const { return {&pool_[first], count}; }
  /// The span that begins with a row; nothing where none does.
  std::optional<Span> span_of(Row row);
  /// By (begin of the span, seq).
  bool is_span_before(Row a, Row b) const {
    const VersionTable& versions = pin_.tables().edge_versions;
    const Micros from_a = versions.valid_from(a);
    const Micros from_b = versions.valid_from(b);
    return from_a != from_b ? from_a < from_b : versions.owner(a) < versions.owner(b);
  }
  uint64_t slot_count(NodeNumber node) const { return pin_.tables().incidence.slot_count(node); }

 private:
  static constexpr size_t kMostWays = size_t{1} << 22;  // kept in lists; past it they are read anew

  void read(Way& way, NodeNumber node, Travel travel);
  bool cross_at_once(const Span& span, NodeNumber tail, NodeNumber head, bool is_tail_src);
  bool ride(const Span& span, NodeNumber tail, NodeNumber head, bool is_tail_src);
  void intersect(const std::vector<Stretch>& others);
  std::vector<Span> spans_of(EdgeNumber edge) const;
  bool leaves_by(bool is_incoming, Travel travel) const {
    return question_.orientation == Orientation::kBoth ||
           is_incoming == ((question_.orientation == Orientation::kIn) != (travel == Travel::kBackward));
  }

  const Pin& pin_;
  const Filters& filters_;
  const Question& question_;
  StepCounter& counter_;
  reach::PassingInstants ends_;
  std::optional<reach::PassingInstants> leaving_;
  std::optional<reach::PassingInstants> reaching_;
  std::unordered_map<uint64_t, std::shared_ptr<WayList>> lists_;  // by node and travel
  size_t kept_ways_ = 0;
  std::unordered_map<EdgeNumber, std::vector<Span>> spans_;  // of edges that have had several versions
  std::vector<Stretch> pool_;
  std::vector<Stretch> open_;  // the way that is being read, in real time
  std::vector<Stretch> cut_;
};

}  // namespace palimpsest::paths
