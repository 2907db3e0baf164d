// Finds that the layers of a search by waves repeat, later by one wait per layer, and skips as many periods as stay the
// same. Knows of layers only what the search notes: what arrived where, what was new, and how far the ends of steps
// were away.
#pragma once

#include <unordered_map>

#include "core/kernels/reach/instants.h"

namespace palimpsest::reach {

/// New arrivals of one layer at one node.
struct Piece {
  uint32_t place;
  Stretch stretch;
  bool operator==(const Piece&) const = default;
};

class Repeats {
 public:
  explicit Repeats(Clock wait) : wait_(wait) {}

  /// Called with each layer's new arrivals. Gives the number of layers that may be skipped, and has then moved
  /// `frontier` and filled the sets of `known_of(place)` as if those layers had been done.
  template <typename KnownOf>
  uint64_t skip(std::vector<Piece>& frontier, uint64_t layer, KnownOf&& known_of) {
    const uint64_t period = layer - base_layer_;
    if (base_.empty() || !is_repeated(frontier, period)) {
      // After Brent: the layer to compare with moves on at doubling distances, so that any period is found in the end.
      if (base_.empty() || period >= patience_) {
        patience_ *= 2;
        restart(frontier, layer);
      }
      return 0;
    }
    const Clock shift = static_cast<Clock>(period) * wait_;
    Clock times = has_partial_crossing_ ? 0 : slack_ / shift;
    for (auto& [place, touched] : touched_) {
      if (times == 0) break;
      times = std::min(times, times_alike(touched, known_of(place), shift));
    }
    if (times > 0) {
      each_fresh_run(
          [&](uint32_t place, Stretch run) {
            known_of(place).add({run.first, run.last + times * shift});
          },
          shift);
      for (Piece& piece : frontier) {
        piece.stretch.first += times * shift;
        piece.stretch.last += times * shift;
      }
      patience_ = 1;
    }
    const uint64_t skipped = static_cast<uint64_t>(times) * period;
    restart(frontier, layer + skipped);
    return skipped;
  }

  /// A step that could be taken by someone free to depart at any instant of `ready`.
  void note_crossing(const Step& step, Stretch ready) {
    if (step.first <= ready.first && step.last >= ready.last) {
      slack_ = std::min(slack_, step.last - ready.last);
    } else {
      has_partial_crossing_ = true;
    }
  }
  /// The next step that begins after `ready_last`.
  void note_beginning(Clock first, Clock ready_last) { slack_ = std::min(slack_, first - 1 - ready_last); }
  /// Arrivals, new or not, and the set that they are about to be added to.
  void note_arrival(uint32_t place, Stretch stretch, const InstantSet& known);
  void note_fresh(const Piece& piece) { fresh_.push_back(piece); }

 private:
  struct Touched {
    std::vector<Stretch> arrivals;  // since the base
    InstantSet before;              // the set at the base
  };

  bool is_repeated(const std::vector<Piece>& frontier, uint64_t period) const;
  void restart(const std::vector<Piece>& frontier, uint64_t layer);
  /// How many periods more will find the sets as this one did.
  static Clock times_alike(Touched& touched, const InstantSet& known, Clock shift);
  static Clock times_alike(const std::vector<Stretch>& hulls, const InstantSet& before, const InstantSet& known,
                           Clock shift);

  /// Calls `visit(place, stretch)` for the nodes whose new arrivals, repeated every `shift`, leave no gap.
  template <typename Visit>
  void each_fresh_run(Visit&& visit, Clock shift) {
    std::sort(fresh_.begin(), fresh_.end(), [](const Piece& a, const Piece& b) {
      return a.place != b.place ? a.place < b.place : a.stretch.first < b.stretch.first;
    });
    for (size_t i = 0; i < fresh_.size();) {
      const uint32_t place = fresh_[i].place;
      Stretch run = fresh_[i].stretch;
      bool is_whole = true;
      for (++i; i < fresh_.size() && fresh_[i].place == place; ++i) {
        is_whole = is_whole && fresh_[i].stretch.first <= run.last + 1;
        run.last = std::max(run.last, fresh_[i].stretch.last);
      }
      // With gaps the set stays as it is: it then says less than is known, so that some arrivals are looked at again.
      if (is_whole && run.last - run.first + 1 >= shift) visit(place, run);
    }
  }

  const Clock wait_;
  std::vector<Piece> base_;
  uint64_t base_layer_ = 0;
  uint64_t patience_ = 1;
  // Since the base:
  Clock slack_ = kNoClock;  // by how much all steps that were crossed stay open, and those to come stay away
  bool has_partial_crossing_ = false;
  std::unordered_map<uint32_t, Touched> touched_;
  std::vector<Piece> fresh_;
};

}  // namespace palimpsest::reach
