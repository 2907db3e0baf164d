#include "core/kernels/series/event_metrics.h"

#include "core/kernels/node_marks.h"
#include "core/kernels/series/pair_table.h"

namespace palimpsest::series {

namespace {

// Two binary searches over the temporal index, in steps of an event.
constexpr uint64_t kStepsPerCount = 16;

Status count_events(const PassingEvents& events, const Buckets& buckets, StepCounter& steps,
                    std::vector<uint64_t>& out) {
  for (uint32_t bucket = 0; bucket < buckets.count(); ++bucket) {
    if (!steps.add(kStepsPerCount)) return steps.status();
    out[bucket] = events.count(buckets.window_of(bucket));
  }
  return Status::ok();
}

/// The distinct pairs of one bucket after the other: bit 0 stands for (lesser, greater) and for loops, bit 1 for the
/// way back.
class PairsOfBucket {
 public:
  PairsOfBucket(EventMetrics& out, StepCounter& steps) : out_(out), table_(steps) {}
  void begin() { table_.begin_round(); }
  /// False when the counter said stop.
  bool add(NodeNumber src, NodeNumber dst, uint32_t bucket) {
    const bool is_back = src > dst;
    uint32_t* ways = table_.add(is_back ? PairTable::key_of(dst, src) : PairTable::key_of(src, dst), 0);
    if (ways == nullptr) return false;
    const uint32_t way = is_back ? 2 : 1;
    if ((*ways & way) != 0) return true;
    *ways |= way;
    ++out_.pairs[bucket];
    if (src == dst) ++out_.loops[bucket];
    if (*ways == 3) out_.answered[bucket] += 2;
    return true;
  }

 private:
  EventMetrics& out_;
  PairTable table_;
};

}  // namespace

Status event_metrics(const Pin& pin, const PassingEvents& events, const Buckets& buckets, WantedEventMetrics wanted,
                     StepCounter& steps, EventMetrics& out) {
  if (wanted.events) out.events.assign(buckets.count(), 0);
  if (wanted.nodes) out.nodes.assign(buckets.count(), 0);
  if (wanted.pairs) {
    for (auto* counts : {&out.pairs, &out.answered, &out.loops}) counts->assign(buckets.count(), 0);
  }
  if (!wanted.nodes && !wanted.pairs && events.is_countable()) return count_events(events, buckets, steps, out.events);

  NodeMarks last_bucket(wanted.nodes ? pin.view().node_count : 0);
  const auto mark = [&](NodeNumber node, uint32_t bucket) {
    if (last_bucket.value_or(node, kNone) == bucket) return;
    last_bucket.set(node, bucket);
    ++out.nodes[bucket];
  };
  PairsOfBucket pairs(out, steps);
  Buckets::Finder finder(buckets);
  uint32_t current = kNone;
  events.each(buckets.window(), steps, [&](const Event& event) {
    const uint32_t bucket = finder.of(event.at);
    if (bucket != current) {
      current = bucket;
      pairs.begin();
    }
    if (wanted.events) ++out.events[bucket];
    if (wanted.nodes) {
      mark(event.src, bucket);
      mark(event.dst, bucket);
    }
    return !wanted.pairs || pairs.add(event.src, event.dst, bucket);
  });
  return steps.status();
}

Status new_pairs(const PassingEvents& events, const Buckets& buckets, StepCounter& steps, std::vector<uint64_t>& out) {
  out.assign(buckets.count(), 0);
  // The bucket in which each pair appears first inside the page; kNone once it was found before the page.
  PairTable first_bucket(steps);
  Buckets::Finder finder(buckets);
  const auto note = [&](const Event& event) {
    return first_bucket.add(PairTable::key_of(event.src, event.dst), finder.of(event.at)) != nullptr;
  };
  if (events.each(buckets.window(), steps, note); !steps.status().is_ok()) return steps.status();
  uint64_t left = first_bucket.count();
  if (left == 0) return Status::ok();
  const auto strike = [&](const Event& event) {
    uint32_t* bucket = first_bucket.find(PairTable::key_of(event.src, event.dst));
    if (bucket == nullptr || *bucket == kNone) return true;
    *bucket = kNone;
    return --left > 0;
  };
  if (!events.each_backward({INT64_MIN, buckets.window().from}, steps, strike)) return steps.status();
  first_bucket.each([&](uint64_t, uint32_t bucket) {
    if (bucket != kNone) ++out[bucket];
  });
  return Status::ok();
}

}  // namespace palimpsest::series
