#include "core/kernels/chain/chain.h"

#include <algorithm>

#include "core/kernels/chain/sweep.h"

namespace palimpsest::chain {

namespace {

constexpr uint64_t kLongSweep = 10'000;  // an event takes about 20 ns

/// No instants of the calendar are further apart.
constexpr Micros kLongest = kCalendarEnd - kBeginning;

class Search {
 public:
  Search(const Pin& pin, const Filter& filter, const Question& question, StepCounter& steps)
      : pin_(pin), filter_(filter), question_(question), steps_(steps) {}

  Status run(PageSpan page, Answer& answer) {
    if (const Status status = EventSource::open(pin_, steps_, events_); !status.is_ok()) return status;
    const bool has_limit = question_.max_wait && *question_.max_wait < kLongest;
    if (!(has_limit ? find<LimitedWait>() : find<AnyWait>())) return steps_.status();
    describe(page, answer);
    return steps_.status();
  }

 private:
  bool passes(const EventSlice& events, uint32_t i) const {
    if (filter_.is_trivial()) return true;
    const NodeNumber src = events.src[i];
    const NodeNumber dst = events.dst[i];
    const Micros at = events.at[i];
    const auto passes_node = [&](NodeNumber node) {
      return node == question_.start || node == question_.end || filter_.passes_node(node, at);
    };
    return filter_.passes_edge(events.row[i]) && filter_.passes_src(src, at) && filter_.passes_dst(dst, at) &&
           passes_node(src) && passes_node(dst);
  }
  bool may_begin(NodeNumber src) const { return question_.start == kNone || src == question_.start; }

  template <typename Onward>
  bool find() {
    Lengths<Onward> lengths(question_, pin_.view().node_count, steps_);
    return question_.within ? find_within(lengths) : find_longest(lengths);
  }

  template <typename Onward>
  bool find_longest(Lengths<Onward>& lengths) {
    const uint64_t count = events_.count(question_.window);
    if (!steps_.hold(count * sizeof(uint32_t))) return false;
    lengths_.resize(count);
    uint32_t longest = 0;
    size_t place = lengths_.size();
    const bool is_swept = events_.each_block_backward(question_.window, steps_, [&](const EventSlice& events) {
      for (uint32_t i = events.count; i-- > 0;) {
        uint32_t& length = lengths_[--place];
        if (!passes(events, i)) continue;
        if (!lengths.add(events.at[i], events.src[i], events.dst[i], length)) return false;
        if (length > longest && may_begin(events.src[i])) longest = length;
      }
      return true;
    });
    return is_swept && pick(longest);
  }

  /// The first in event order of the longest chains of the whole window.
  bool pick(uint32_t longest) {
    if (longest == 0) return true;
    if (!hold_chain(longest)) return false;
    Picker picker(question_, question_.start, longest);
    size_t place = 0;
    return events_.each_block(question_.window, steps_, [&](const EventSlice& events) {
      for (uint32_t i = 0; i < events.count && !picker.is_done(); ++i, ++place) {
        const Link event{events.at[i], events.src[i], events.dst[i], events.row[i]};
        if (picker.offer(event, lengths_[place])) chain_.push_back(event.row);
      }
      return !picker.is_done();
    }) || picker.is_done();
  }

  /// The same with a limit from the first event to the last, for which each event that a chain may begin with is tried
  /// by itself. Before, those that begin close together are bounded all at once: a chain of one of them cannot be
  /// longer than one that ends by the limit of the last of them.
  template <typename Onward>
  bool find_within(Lengths<Onward>& lengths) {
    const Micros within = std::min(*question_.within, kLongest);
    const Micros together = within / 16;
    const bool is_swept = events_.each_block(question_.window, steps_, [&](const EventSlice& events) {
      for (uint32_t i = 0; i < events.count; ++i) {
        if (!passes(events, i)) continue;
        const Micros at = events.at[i];
        while (first_ < near_.size() && near_[first_].at + together + within < at) {
          if (!try_group(lengths, near_[first_].at + together, within)) return false;
        }
        if (near_.size() == near_.capacity() && !make_room()) return false;
        near_.push_back({at, events.src[i], events.dst[i], events.row[i]});
      }
      return true;
    });
    if (!is_swept) return false;
    while (first_ < near_.size()) {
      if (!try_group(lengths, near_[first_].at + together, within)) return false;
    }
    return true;
  }

  /// Tries the events of `near_` up to an instant, and is done with them.
  template <typename Onward>
  bool try_group(Lengths<Onward>& lengths, Micros last, Micros within) {
    const size_t begin = first_;
    while (first_ < near_.size() && near_[first_].at <= last) ++first_;
    const size_t end = end_of_near(last + within);
    if (end - begin <= chain_.size()) return true;
    if (!sweep_near(lengths, begin, end, bounds_)) return false;
    for (size_t i = begin; i < first_; ++i) {
      if (bounds_[i - begin] <= chain_.size() || !may_begin(near_[i].src)) continue;
      if (!begin_with(lengths, i, end_of_near(near_[i].at + within))) return false;
    }
    return true;
  }

  /// Replaces the chain by one of events from `begin` on, which is its first, where that is longer.
  template <typename Onward>
  bool begin_with(Lengths<Onward>& lengths, size_t begin, size_t end) {
    if (end - begin <= chain_.size()) return true;
    if (!sweep_near(lengths, begin, end, lengths_)) return false;
    const uint32_t length = lengths_.front();
    if (length <= chain_.size()) return true;
    chain_.clear();
    Picker picker(question_, near_[begin].src, length);
    for (size_t i = begin; !picker.is_done(); ++i) {
      if (picker.offer(near_[i], lengths_[i - begin])) chain_.push_back(near_[i].row);
    }
    return true;
  }

  template <typename Onward>
  bool sweep_near(Lengths<Onward>& lengths, size_t begin, size_t end, std::vector<uint32_t>& out) {
    if (!steps_.add(end - begin)) return false;
    lengths.forget();
    out.resize(end - begin);
    for (size_t i = end; i-- > begin;) {
      if (!lengths.add(near_[i].at, near_[i].src, near_[i].dst, out[i - begin])) return false;
    }
    return true;
  }
  size_t end_of_near(Micros last) const {
    const auto end = std::upper_bound(near_.begin(), near_.end(), last,
                                      [](Micros instant, const Link& event) { return instant < event.at; });
    return static_cast<size_t>(end - near_.begin());
  }

  /// Forgets the events that were tried, or takes more memory where they are few.
  bool make_room() {
    if (first_ > near_.size() / 2) {
      near_.erase(near_.begin(), near_.begin() + static_cast<ptrdiff_t>(first_));
      first_ = 0;
      return true;
    }
    const size_t capacity = std::max<size_t>(1024, 2 * near_.capacity());
    // With their bounds and lengths.
    if (!steps_.hold((capacity - near_.capacity()) * (sizeof(Link) + 2 * sizeof(uint32_t)))) return false;
    near_.reserve(capacity);
    return true;
  }

  bool hold_chain(uint32_t length) {
    if (!steps_.hold(uint64_t{length} * sizeof(Row))) return false;
    chain_.reserve(length);
    return true;
  }

  void describe(PageSpan page, Answer& answer) {
    answer.length = chain_.size();
    if (chain_.empty()) return;
    const VersionTable& versions = pin_.tables().edge_versions;
    const EdgeTable& edges = pin_.tables().edges;
    NodeMarks seen(pin_.view().node_count);
    seen.add(edges.src(versions.owner(chain_.front())));
    answer.distinct_nodes = 1;
    for (const Row row : chain_) {
      if (!steps_.add(1)) return;
      if (seen.add(edges.dst(versions.owner(row)))) ++answer.distinct_nodes;
    }
    answer.departure = versions.valid_from(chain_.front());
    answer.arrival = versions.valid_from(chain_.back());
    const uint64_t first = std::min<uint64_t>(page.ordinal, chain_.size());
    const uint64_t end = std::min<uint64_t>(first + page.limit, chain_.size());
    answer.rows.assign(chain_.begin() + static_cast<ptrdiff_t>(first), chain_.begin() + static_cast<ptrdiff_t>(end));
  }

  const Pin& pin_;
  const Filter& filter_;
  const Question& question_;
  StepCounter& steps_;
  EventSource events_;
  std::vector<uint32_t> lengths_;  // of the longest chains that begin with the events of the sweep
  std::vector<Link> near_;         // with a limit: events that pass, in order
  size_t first_ = 0;               // those before were tried
  std::vector<uint32_t> bounds_;
  std::vector<Row> chain_;
};

}  // namespace

bool is_long(const Pin& pin, const Question& question) {
  const TimeRuns& runs = pin.view().runs;
  const auto [from, to] = question.window;
  return !EventSource::is_ready(pin) ||
         runs.count_begun(pin.tables().edge_versions, runs.row_count, from, to) > kLongSweep;
}

Status longest_chain(const Pin& pin, const Filter& filter, const Question& question, PageSpan page, StepCounter& steps,
                     Answer& answer) {
  return Search(pin, filter, question, steps).run(page, answer);
}

}  // namespace palimpsest::chain
