// TimeRuns against a sort over all rows: any order of commits, past cuts, windows, early stops, joined runs.
#include "core/store/time_runs.h"

#include <algorithm>
#include <random>
#include <vector>

#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

struct Fixture {
  VersionTable edges{Kind::kEdge};
  TimeRuns runs;

  /// Appends rows as a commit does: ascending among themselves by (valid_from, edge).
  void commit(Random& random, uint32_t row_count, Micros from, Micros span) {
    std::vector<std::pair<Micros, uint32_t>> rows(row_count);
    for (auto& [begin, edge] : rows) {
      begin = from + static_cast<Micros>(random() % static_cast<uint64_t>(span));
      edge = static_cast<uint32_t>(random() % 1'000'000);
    }
    std::sort(rows.begin(), rows.end());
    for (const auto& [begin, edge] : rows) edges.append(edge, begin, begin + 1, 0, 0);
    runs = runs.extended(edges, edges.row_count());
  }

  std::vector<Row> sorted(Row cut, Micros from, Micros to) const {
    std::vector<Row> rows;
    for (Row row = 0; row < std::min(cut, edges.row_count()); ++row) {
      if (edges.valid_from(row) >= from && (edges.valid_from(row) < to || to == INT64_MAX)) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return time_runs_detail::is_before(edges, a, b); });
    return rows;
  }

  void check(const TimeRuns& which, Row cut, Micros from, Micros to, Random& random) const {
    const auto expected = sorted(std::min(cut, which.row_count), from, to);
    size_t position = 0;
    which.each_begun(edges, cut, from, to, [&](Row row) {
      CHECK(position < expected.size() && row == expected[position]);
      ++position;
      return true;
    });
    CHECK(position == expected.size());
    CHECK(which.count_begun(edges, cut, from, to) == expected.size());
    if (expected.empty()) return;
    const size_t wanted = 1 + random() % expected.size();
    size_t seen = 0;
    which.each_begun(edges, cut, from, to, [&](Row) { return ++seen < wanted; });
    CHECK(seen == wanted);
  }

  void check_windows(const TimeRuns& which, Random& random) const {
    check(which, which.row_count, INT64_MIN, INT64_MAX, random);
    for (int i = 0; i < 4; ++i) {
      const auto cut = static_cast<Row>(random() % (which.row_count + 1));
      const auto from = static_cast<Micros>(random() % 110'000);
      check(which, cut, from, from + static_cast<Micros>(random() % 30'000), random);
    }
  }
};

void test_random(uint64_t seed) {
  Random random(seed);
  Fixture fixture;
  TimeRuns older;
  for (int commit = 0; commit < 50; ++commit) {
    const bool is_late = random() % 3 == 0;
    const auto rows = static_cast<uint32_t>(random() % 10 == 0 ? 3'000 + random() % 3'000 : random() % 30);
    const Micros from = is_late ? static_cast<Micros>(random() % 100'000) : commit * 2'000;
    fixture.commit(random, rows, from, random() % 4 == 0 ? 2 : 2'500);
    fixture.check_windows(fixture.runs, random);
    if (random() % 6 == 0) fixture.runs = fixture.runs.compacted(fixture.edges, random() % 2 ? UINT64_MAX : 10'000);
    if (random() % 8 == 0) older = fixture.runs;
  }
  // A view keeps its runs: later rows and joins do not show in it.
  fixture.check_windows(older, random);
}

/// In-order commits are one run; any mixture of sizes keeps few of them once joined.
void test_run_counts() {
  Random random(77);
  Fixture in_order;
  for (int commit = 0; commit < 200; ++commit)
    in_order.commit(random, 1 + static_cast<uint32_t>(random() % 50), commit * 1'000, 900);
  CHECK(in_order.runs.runs.size() == 1 && in_order.runs.tail_first == in_order.edges.row_count());

  Fixture mixed;
  for (int commit = 0; commit < 150; ++commit) {
    // A late handful before each large load: sizes alternate for ever.
    mixed.commit(random, 1 + static_cast<uint32_t>(random() % 9), static_cast<Micros>(random() % 100'000), 5);
    mixed.commit(random, 5'000, commit * 10'000, 9'000);
    if (mixed.runs.joinable_rows() > 0) mixed.runs = mixed.runs.compacted(mixed.edges, UINT64_MAX);
    CHECK(mixed.runs.joinable_rows() == 0);
  }
  CHECK(mixed.runs.runs.size() < 40);
  mixed.check(mixed.runs, mixed.edges.row_count(), 0, INT64_MAX, random);
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 12; ++seed) test_random(seed);
  test_run_counts();
  return 0;
}
