// Window counters where stores would be too large to ask: counts far beyond 32 bits, instants that need 64-bit ticks,
// spans and deltas at the edge of time, random lists against three nested loops.
#include <map>
#include <random>

#include "core/kernels/motifs/window_counts.h"
#include "test/check.h"

using namespace palimpsest;
using namespace palimpsest::motifs;

namespace {

void add(EventList& events, Micros at, NodeNumber src, NodeNumber dst) {
  events.at.push_back(at);
  events.src.push_back(src);
  events.dst.push_back(dst);
  events.row.push_back(static_cast<Row>(events.row.size()));
  ++events.passed;
}

std::vector<WideCount> counted(EventList events, NodeNumber nodes, Micros delta, Ties ties) {
  StopToken stop;
  StepCounter steps(stop);
  AnyGraph any;
  CHECK(build_graph(std::move(events), nodes, steps, any).is_ok());
  Question question;
  question.delta = delta;
  question.ties = ties;
  std::vector<WideCount> counts(kGridCells);
  const Status status =
      std::visit([&](const auto& graph) { return count_by_windows(graph, question, steps, counts); }, any.graph);
  CHECK(status.is_ok());
  return counts;
}

void counts_pass_32_bits() {
  EventList events;
  constexpr uint64_t kEvents = 12'000;
  for (uint64_t i = 0; i < kEvents; ++i) add(events, static_cast<Micros>(i), 0, 1 + (i % 2 == 0 ? 0 : 1));
  const auto counts = counted(std::move(events), 3, kEvents, Ties::kBySeq);
  const WideCount half = kEvents / 2;
  // Of one neighbour, three of its events; of two, any event of one among two of the other, by their order.
  CHECK(counts[30] == 2 * (half * (half - 1) * (half - 2) / 6));  // M61, a>b,a>b,a>b
  WideCount stars = 0;
  for (const size_t cell : {18u, 20u, 32u})
    stars += counts[cell];  // M41, M43, M63: a>b,a>c,a>b  a>b,a>c,a>c  a>b,a>b,a>c
  CHECK(stars == 2 * half * (half * (half - 1) / 2));
  WideCount all = 0;
  for (const WideCount count : counts) all += count;
  CHECK(all == counts[30] + stars);
}

/// The cell of three events, or kNoCell.
uint8_t cell_of(const EventList& events, size_t i, size_t j, size_t k) {
  std::map<NodeNumber, uint8_t> letters;
  std::array<PatternEdge, 3> edges{};
  const std::array<size_t, 3> chosen{i, j, k};
  for (size_t e = 0; e < 3; ++e) {
    const auto letter = [&](NodeNumber node) {
      return letters.try_emplace(node, static_cast<uint8_t>(letters.size())).first->second;
    };
    const uint8_t src = letter(events.src[chosen[e]]);
    edges[e] = {src, letter(events.dst[chosen[e]])};
  }
  return letters.size() > 3 ? kNoCell : grid_cell(edges[1], edges[2]);
}

std::vector<WideCount> by_loops(const EventList& events, Micros delta, Ties ties) {
  std::vector<WideCount> counts(kGridCells);
  const auto follows = [&](size_t a, size_t b) { return ties == Ties::kBySeq || events.at[a] < events.at[b]; };
  for (size_t i = 0; i < events.size(); ++i) {
    for (size_t j = i + 1; j < events.size(); ++j) {
      for (size_t k = j + 1; k < events.size(); ++k) {
        if (!follows(i, j) || !follows(j, k) || events.at[k] - events.at[i] > delta) continue;
        const uint8_t cell = cell_of(events, i, j, k);
        if (cell != kNoCell) ++counts[cell];
      }
    }
  }
  return counts;
}

void random_lists_agree_with_loops() {
  std::mt19937_64 random(5);
  for (int round = 0; round < 24; ++round) {
    const auto nodes = static_cast<NodeNumber>(2 + random() % 5);
    // Units from one microsecond to a thousand years: ticks of 32 bits and of 64.
    const Micros unit = round % 3 == 0 ? 31'557'600'000'000'000 / 2 + 1 : round % 3 == 1 ? 1 : 1'000'000;
    EventList events;
    Micros at = -9'000 * 1'000'000LL;
    for (int i = 0; i < 40; ++i) {
      at += unit * static_cast<Micros>(random() % 3) / (round % 3 == 0 ? 20 : 1);
      const auto src = static_cast<NodeNumber>(random() % nodes);
      add(events, at, src, (src + 1 + static_cast<NodeNumber>(random() % (nodes - 1))) % nodes);
    }
    for (const Micros delta : {Micros{0}, 4 * unit, 40 * unit, Micros{INT64_MAX}}) {
      for (const Ties ties : {Ties::kBySeq, Ties::kStrict}) {
        CHECK(counted(events, nodes, delta, ties) == by_loops(events, delta, ties));
      }
    }
  }
}

void nothing_is_no_instance() {
  for (const WideCount count : counted({}, 0, INT64_MAX, Ties::kBySeq)) CHECK(count == 0);
  EventList one;
  add(one, INT64_MIN / 4, 1, 0);
  for (const WideCount count : counted(one, 2, 0, Ties::kStrict)) CHECK(count == 0);
}

}  // namespace

int main() {
  counts_pass_32_bits();
  random_lists_agree_with_loops();
  nothing_is_no_instance();
}
