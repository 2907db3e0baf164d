#include "core/kernels/reach/waves.h"

#include <deque>

#include "core/kernels/reach/instants.h"
#include "core/kernels/reach/repeats.h"

// Let N_k(v) be the instants at which v is arrived at by a walk of k steps and by none of fewer. From the arrival
// instants [x, y] of N_k(u) one departs within [x + tie, y + wait], all of it, so a step of u open in [a, b] gives its
// head the arrivals [x + tie, y + wait] ∩ [a, b]. What the head had before needs no second look: it was got by no more
// steps and leads wherever the new ones would lead. Hence N_(k+1) from N_k, exactly.
//
// How many layers there are is another matter: over a long span under a short wait limit each layer gains one wait.
// There `Repeats` finds that a number of layers did what they will do again, later by so many waits, and the layers in
// between are skipped.

namespace palimpsest::reach {

namespace {

// Most answers are found in a few layers; looking for repeats before would cost more than it saves.
constexpr uint64_t kFirstSkip = 8;

struct State {
  InstantSet known;
  Clock earliest = kNoClock;
  uint64_t hops = 0;
};

class Waves {
 public:
  Waves(const Search& search, uint32_t expected)
      : search_(search), rules_(search.rules), expected_(expected), states_(1), repeats_(rules_.wait) {
    nodes_.add(search.subject);
  }

  bool run() {
    const bool may_skip = rules_.max_hops == 0 && rules_.wait > 0;
    std::vector<Piece> arrivals;
    for (const Step& step : search_.steps.out_of(search_.subject).steps()) {
      arrivals.push_back({place_of(step.other), {step.first, step.last}});
    }
    uint64_t hops = 1;
    for (std::vector<Piece> frontier = absorb(arrivals, hops, false); !frontier.empty();) {
      if (rules_.max_hops != 0 ? hops == rules_.max_hops : found_ == expected_) return true;
      const bool is_skipping = may_skip && hops >= kFirstSkip;
      if (is_skipping)
        hops += repeats_.skip(frontier, hops, [this](uint32_t place) -> InstantSet& { return states_[place].known; });
      if (!depart(frontier, is_skipping, arrivals)) return false;
      frontier = absorb(arrivals, ++hops, is_skipping);
    }
    return true;
  }

  void collect(std::vector<FoundNode>& reached) const {
    for (uint32_t place = 1; place < nodes_.size(); ++place) {
      const State& state = states_[place];
      if (state.hops == 0 || !search_.goal.wants(nodes_.node(place))) continue;
      reached.push_back({nodes_.node(place), state.earliest, state.hops});
    }
  }

 private:
  uint32_t place_of(NodeNumber node) {
    const uint32_t place = nodes_.add(node);
    if (place == states_.size()) states_.emplace_back();
    return place;
  }

  /// Crosses every step that the arrivals of one layer can take.
  bool depart(const std::vector<Piece>& frontier, bool is_recording, std::vector<Piece>& arrivals) {
    arrivals.clear();
    if (rules_.tie > rules_.wait) return true;  // one must wait and may not
    for (const Piece& piece : frontier) {
      const Stretch ready{piece.stretch.first + rules_.tie, piece.stretch.last + rules_.wait};
      const StepList& list = search_.steps.out_of(nodes_.node(piece.place));
      uint64_t looked_at = 1;
      list.each_touching(ready.first, ready.last, [&](const Step& step) {
        ++looked_at;
        const uint32_t head = place_of(step.other);
        if (is_recording) repeats_.note_crossing(step, ready);
        if (head == 0) return;  // a walk that starts at the subject later is shorter
        arrivals.push_back({head, {std::max(step.first, ready.first), std::min(step.last, ready.last)}});
      });
      if (is_recording) {
        const size_t next = list.begun_at(ready.last + 1);
        if (next < list.steps().size()) repeats_.note_beginning(list.steps()[next].first, ready.last);
      }
      if (!search_.counter.add(looked_at)) return false;
    }
    return true;
  }

  /// Puts arrivals into the nodes' sets; gives what was new, sorted by place and instant.
  std::vector<Piece> absorb(std::vector<Piece>& arrivals, uint64_t hops, bool is_recording) {
    std::sort(arrivals.begin(), arrivals.end(), [](const Piece& a, const Piece& b) {
      return a.place != b.place ? a.place < b.place : a.stretch.first < b.stretch.first;
    });
    std::vector<Piece> fresh_pieces;
    std::vector<Stretch> fresh;
    for (size_t i = 0; i < arrivals.size();) {
      const uint32_t place = arrivals[i].place;
      if (place == 0) {
        ++i;
        continue;
      }
      Stretch joined = arrivals[i].stretch;
      for (++i; i < arrivals.size() && arrivals[i].place == place && arrivals[i].stretch.first <= joined.last + 1;
           ++i) {
        joined.last = std::max(joined.last, arrivals[i].stretch.last);
      }
      State& state = states_[place];
      if (is_recording) repeats_.note_arrival(place, joined, state.known);
      fresh.clear();
      state.known.add(joined, fresh);
      if (fresh.empty()) continue;
      if (state.hops == 0) {
        state.hops = hops;
        if (search_.goal.wants(nodes_.node(place))) ++found_;
      }
      state.earliest = std::min(state.earliest, fresh.front().first);
      for (const Stretch& stretch : fresh) {
        fresh_pieces.push_back({place, stretch});
        if (is_recording) repeats_.note_fresh({place, stretch});
      }
    }
    return fresh_pieces;
  }

  const Search& search_;
  const Rules& rules_;
  const uint32_t expected_;
  NodeSet nodes_;
  std::deque<State> states_;
  Repeats repeats_;
  uint32_t found_ = 0;
};

}  // namespace

bool find_by_waves(const Search& search, uint32_t expected, std::vector<FoundNode>& reached) {
  Waves waves(search, expected);
  if (!waves.run()) return false;
  waves.collect(reached);
  return true;
}

}  // namespace palimpsest::reach
