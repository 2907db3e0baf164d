#include "core/kernels/paths/ranking.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace palimpsest::paths {

namespace {

enum class Part : uint8_t { kArrival, kDeparture, kDuration, kHops };

std::array<Part, 3> parts_of(Criterion criterion) {
  switch (criterion) {
    case Criterion::kFastest:
      return {Part::kDuration, Part::kArrival, Part::kHops};
    case Criterion::kShortest:
      return {Part::kHops, Part::kArrival, Part::kDeparture};
    case Criterion::kLatestDeparture:
      return {Part::kDeparture, Part::kArrival, Part::kHops};
    default:
      return {Part::kArrival, Part::kDeparture, Part::kHops};
  }
}

/// The less the better.
Clock value_of(Part part, const Found& path) {
  switch (part) {
    case Part::kArrival:
      return path.trip.arrival;
    case Part::kDeparture:
      return -path.trip.departure;
    case Part::kDuration:
      return path.trip.duration();
    default:
      return static_cast<Clock>(path.hops.size());
  }
}

class Ranking {
 public:
  Ranking(WaySource& ways, uint64_t most)
      : ways_(ways),
        question_(ways.question()),
        rules_(question_.rules()),
        parts_(parts_of(question_.criterion)),
        wanted_(most),
        least_departure_(question_.from),
        most_arrival_(question_.last_arrival()),
        least_hops_(question_.min_hops),
        most_hops_(question_.max_hops) {}

  Status run(std::vector<Found>& paths) {
    const size_t measured = parts_.back() == Part::kHops ? 2 : 3;
    for (size_t i = 0; i < measured; ++i) {
      std::vector<Found> found;
      if (const Status status = search(parts_[i], found); !status.is_ok()) return status;
      // Only the first part can find too few: the next ones look among as many as are wanted.
      const bool is_all = found.size() < wanted_;
      const Clock last = is_all ? INT64_MAX : value_of(parts_[i], found.back());
      for (Found& path : found) {
        if (value_of(parts_[i], path) >= last) continue;
        paths.push_back(std::move(path));
        --wanted_;
      }
      if (is_all) return put_in_order(paths);
      fix(parts_[i], last);
    }
    // What is left ties but, perhaps, in hops.
    if (const Status status = list(wanted_, Part::kHops, paths); !status.is_ok()) return status;
    return put_in_order(paths);
  }

 private:
  Frame forward(uint32_t least_hops, uint32_t most_hops) const {
    return {Travel::kForward, question_.src, question_.dst, least_departure_, most_arrival_, least_hops, most_hops};
  }
  Frame backward() const {
    return {Travel::kBackward, question_.dst, question_.src, -most_arrival_,
            -least_departure_, least_hops_,   most_hops_};
  }

  /// The best by one part among those that are as good as can be by the parts before it, as many as are wanted.
  Status search(Part part, std::vector<Found>& found) {
    if (part == Part::kHops) return list(wanted_, part, found);
    // A duration can only be kept going forward.
    const bool is_backward = part == Part::kArrival && !has_duration_;
    const Measure measure = part == Part::kDuration                   ? Measure::kDuration
                            : part == Part::kArrival && has_duration_ ? Measure::kEarliestEnd
                                                                      : Measure::kLatestStart;
    const Frame frame = is_backward ? backward() : forward(least_hops_, most_hops_);
    return best_first({ways_, rules_, frame, wanted_}, measure, most_duration_, accept(part), found);
  }

  /// Adds up to `most`, the fewest hops first, those of as many hops in the order of their spans.
  Status list(uint64_t most, Part part, std::vector<Found>& paths) {
    for (uint32_t hops = least_hops_; hops <= most_hops_ && most > 0; ++hops) {
      std::vector<Found> found;
      const Search search{ways_, rules_, forward(hops, hops), most};
      const Status status = in_order(search, least_departure_, accept(part), found);
      if (!status.is_ok()) return status;
      most -= found.size();
      std::move(found.begin(), found.end(), std::back_inserter(paths));
    }
    return Status::ok();
  }

  /// Lets through what ties in the parts that are fixed. What was better is listed already.
  Accept accept(Part part) const {
    return [this, part](Found& path) {
      path.trip = best_trip(path.hops, question_.criterion, rules_);
      for (size_t i = 0; i < fixed_count_; ++i) {
        if (value_of(parts_[i], path) != fixed_[i]) return false;
      }
      path.measure = value_of(part, path);
      return true;
    };
  }

  void fix(Part part, Clock value) {
    fixed_[fixed_count_++] = value;
    switch (part) {
      case Part::kArrival:
        most_arrival_ = value;
        if (has_duration_) least_departure_ = value - most_duration_;
        break;
      case Part::kDeparture:
        least_departure_ = -value;
        break;
      case Part::kDuration:
        most_duration_ = value;
        has_duration_ = true;
        break;
      default:
        least_hops_ = most_hops_ = static_cast<uint32_t>(value);
    }
  }

  Status put_in_order(std::vector<Found>& paths) const {
    std::sort(paths.begin(), paths.end(), [this](const Found& a, const Found& b) {
      for (const Part part : parts_) {
        if (value_of(part, a) != value_of(part, b)) return value_of(part, a) < value_of(part, b);
      }
      return std::lexicographical_compare(
          a.hops.begin(), a.hops.end(), b.hops.begin(), b.hops.end(),
          [this](const Hop& x, const Hop& y) { return ways_.is_span_before(x.row, y.row); });
    });
    return Status::ok();
  }

  WaySource& ways_;
  const Question& question_;
  const WaitRules rules_;
  const std::array<Part, 3> parts_;
  uint64_t wanted_;
  std::array<Clock, 3> fixed_ = {};
  size_t fixed_count_ = 0;
  Micros least_departure_;
  Micros most_arrival_;
  bool has_duration_ = false;
  Clock most_duration_ = 0;
  uint32_t least_hops_;
  uint32_t most_hops_;
};

}  // namespace

Status best_paths(WaySource& ways, uint64_t most, std::vector<Found>& paths) { return Ranking(ways, most).run(paths); }

}  // namespace palimpsest::paths
