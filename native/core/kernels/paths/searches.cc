#include "core/kernels/paths/searches.h"

#include <algorithm>
#include <queue>

namespace palimpsest::paths {

namespace {

constexpr Clock kNever = INT64_MIN;

enum class Outcome : uint8_t { kDone, kWantsLabels, kTooWide };

/// A beginning that waits for its turn, or a path that has reached the goal.
struct Waiting {
  Clock measure;
  uint32_t depth;
  uint32_t number;  // of the beginning, or of the path
  bool is_path;

  /// The less comes first; of equal measure what is nearest to its end, so that ties are not all held at once.
  bool operator<(const Waiting& other) const {
    if (measure != other.measure) return measure > other.measure;
    if (is_path != other.is_path) return other.is_path;
    if (depth != other.depth) return depth < other.depth;
    return number > other.number;
  }
};

class BestFirst {
 public:
  BestFirst(const Search& search, Measure measure, Clock most_duration, const Accept& accept, const Labels& labels,
            std::vector<Found>& found)
      : search_(search),
        measure_(measure),
        most_duration_(most_duration),
        accept_(accept),
        tree_(search.ways, search.rules, search.frame, labels),
        found_(found) {}

  ~BestFirst() { search_.ways.counter().let_go(held_ * kPlaceBytes); }

  Outcome run(uint64_t budget) {
    const uint64_t end = budget == UINT64_MAX ? budget : search_.ways.counter().total() + budget;
    for (waiting_.push({0, 0, PathTree::kRoot, false}); !waiting_.empty();) {
      const Waiting next = waiting_.top();
      waiting_.pop();
      if (next.is_path) {
        found_.push_back(std::move(paths_[next.number]));
        if (found_.size() == search_.most) return Outcome::kDone;
      } else if (!expand(next.number)) {
        return Outcome::kDone;
      }
      if (search_.ways.counter().total() > end) return Outcome::kWantsLabels;
      const uint64_t places = tree_.size() + paths_.size();
      if (places > PathTree::kMostPlaces) return Outcome::kTooWide;
      if (places > held_ && !search_.ways.counter().hold((places - held_) * kPlaceBytes)) return Outcome::kDone;
      held_ = std::max(held_, places);
    }
    return Outcome::kDone;
  }

 private:
  static constexpr uint64_t kPlaceBytes = sizeof(PathTree::Place) + sizeof(Waiting);

  /// False when the counter has stopped.
  bool expand(uint32_t from) {
    const NodeNumber node = tree_.place(from).node;
    const auto list = search_.ways.out_of(node, search_.frame.travel);
    const Stretch onward = tree_.onward(from);
    WayList::Cursor cursor;
    for (uint32_t at; (at = list->next(cursor, onward.first, onward.last)) != kNone;) {
      if (!search_.ways.counter().add(1)) return false;
      uint32_t added;
      if (!tree_.add(from, list->way(at), added)) continue;
      if (tree_.place(added).node == search_.frame.goal) {
        Found path{tree_.hops(added), {}, 0};
        tree_.shrink(added);
        if (!accept_(path)) continue;
        waiting_.push({path.measure, 0, static_cast<uint32_t>(paths_.size()), true});
        paths_.push_back(std::move(path));
      } else if (const Clock measure = measure_of(added); measure != kNoClock) {
        waiting_.push({measure, tree_.place(added).depth, added, false});
      } else {
        tree_.shrink(added);
      }
    }
    return search_.ways.counter().status().is_ok();
  }

  /// No path that begins so has a lesser one; kNoClock where none can go on.
  Clock measure_of(uint32_t end) const {
    switch (measure_) {
      case Measure::kLatestStart: {
        const Clock start = tree_.latest_start(end);
        return start == kNever ? kNoClock : -start;
      }
      case Measure::kDuration:
        return tree_.least_duration(end);
      case Measure::kEarliestEnd:
        return tree_.least_duration(end) <= most_duration_ ? tree_.place(end).arrival : kNoClock;
    }
    return kNoClock;
  }

  const Search& search_;
  const Measure measure_;
  const Clock most_duration_;
  const Accept& accept_;
  PathTree tree_;
  std::priority_queue<Waiting> waiting_;
  std::vector<Found> paths_;
  uint64_t held_ = 0;  // places whose memory is counted
  std::vector<Found>& found_;
};

class InOrder {
 public:
  InOrder(const Search& search, Clock least_start, const Accept& accept, const Labels& labels,
          std::vector<Found>& found)
      : search_(search),
        least_start_(least_start),
        accept_(accept),
        tree_(search.ways, search.rules, search.frame, labels),
        found_(found) {}

  Outcome run(uint64_t budget) {
    StepCounter& counter = search_.ways.counter();
    const uint64_t end = budget == UINT64_MAX ? budget : counter.total() + budget;
    open(PathTree::kRoot);
    while (!levels_.empty()) {
      Level& level = levels_.back();
      const uint32_t at = level.list->next(level.cursor, level.onward.first, level.onward.last);
      if (at == kNone) {
        levels_.pop_back();
        tree_.shrink(static_cast<uint32_t>(levels_.size()));
        continue;
      }
      if (!counter.add(1)) return Outcome::kDone;
      if (counter.total() > end) return Outcome::kWantsLabels;
      uint32_t added;
      if (!tree_.add(level.from, level.list->way(at), added)) continue;
      if (tree_.latest_start(added) < least_start_) {
        tree_.shrink(added);
      } else if (tree_.place(added).node != search_.frame.goal) {
        open(added);
      } else {
        Found path{tree_.hops(added), {}, 0};
        tree_.shrink(added);
        if (!accept_(path)) continue;
        found_.push_back(std::move(path));
        if (found_.size() == search_.most) return Outcome::kDone;
      }
    }
    return Outcome::kDone;
  }

 private:
  struct Level {
    uint32_t from;
    std::shared_ptr<WayList> list;
    Stretch onward;
    WayList::Cursor cursor;
  };
  void open(uint32_t from) {
    levels_.push_back(
        {from, search_.ways.out_of(tree_.place(from).node, search_.frame.travel), tree_.onward(from), {}});
  }

  const Search& search_;
  const Clock least_start_;
  const Accept& accept_;
  PathTree tree_;
  std::vector<Level> levels_;
  std::vector<Found>& found_;
};

/// Runs `make_search(labels, found).run(budget)` with ever more labels.
template <typename MakeSearch>
Status with_labels(const Search& search, std::vector<Found>& found, MakeSearch&& make_search) {
  constexpr uint64_t kLeastBudget = 256;
  const Frame& frame = search.frame;
  StepCounter& counter = search.ways.counter();
  Labels labels(search.ways, search.rules, frame.labels());
  const uint32_t enough = frame.max_hops - 1;
  bool may_go_on = enough == 0 || labels.grow();
  while (may_go_on) {
    found.clear();
    const uint64_t budget = labels.knows(enough) ? UINT64_MAX : kLeastBudget + 4 * labels.cost_of_growing();
    const Outcome outcome = make_search(labels, found).run(budget);
    if (outcome == Outcome::kTooWide) return Status(Code::kCost, "the search holds too many beginnings of paths");
    if (outcome == Outcome::kDone) break;
    may_go_on = labels.grow();
  }
  return counter.status();
}

}  // namespace

Status best_first(const Search& search, Measure measure, Clock most_duration, const Accept& accept,
                  std::vector<Found>& found) {
  return with_labels(search, found, [&](const Labels& labels, std::vector<Found>& out) {
    return BestFirst(search, measure, most_duration, accept, labels, out);
  });
}

Status in_order(const Search& search, Clock least_start, const Accept& accept, std::vector<Found>& found) {
  return with_labels(search, found, [&](const Labels& labels, std::vector<Found>& out) {
    return InOrder(search, least_start, accept, labels, out);
  });
}

}  // namespace palimpsest::paths
