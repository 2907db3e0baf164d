// Incidence lists against sorted vectors: slots in order, late ones, ties, hubs, self-loops, and bounds of ends.
#include "core/store/incidence.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

struct Fixture {
  Garbage garbage;
  VersionTable versions{Kind::kEdge};
  Incidence incidence{garbage};
  std::map<NodeNumber, std::vector<Slot>> expected;

  bool is_before(const Slot& a, const Slot& b) const {
    if (a.valid_from != b.valid_from) return a.valid_from < b.valid_from;
    const uint32_t edge_a = versions.owner(a.row);
    const uint32_t edge_b = versions.owner(b.row);
    return edge_a != edge_b ? edge_a < edge_b : a.row < b.row;
  }

  /// As a commit does: rows first, then each node's slots side by side.
  void commit(Random& random, uint32_t row_count, uint32_t node_count, Micros from, Micros span) {
    std::map<NodeNumber, std::vector<Slot>> added;
    for (uint32_t i = 0; i < row_count; ++i) {
      const Micros begin = from + static_cast<Micros>(random() % static_cast<uint64_t>(span));
      const Micros end = random() % 50 == 0 ? kOpenEnd : begin + 1 + static_cast<Micros>(random() % 20);
      const Row row = versions.append(static_cast<uint32_t>(random() % 500), begin, end, 0, 0);
      const auto src = static_cast<NodeNumber>(random() % 3 == 0 ? 0 : random() % node_count);
      const auto dst = static_cast<NodeNumber>(random() % node_count);
      added[src].push_back({begin, dst << 1, row});
      if (dst != src) added[dst].push_back({begin, src << 1 | 1, row});
    }
    for (auto& [node, slots] : added) {
      std::sort(slots.begin(), slots.end(), [&](const Slot& a, const Slot& b) { return is_before(a, b); });
      std::vector<Micros> ends;
      for (const Slot& slot : slots) ends.push_back(versions.valid_to(slot.row));
      incidence.add(node, slots, ends, versions);
      auto& all = expected[node];
      all.insert(all.end(), slots.begin(), slots.end());
      std::sort(all.begin(), all.end(), [&](const Slot& a, const Slot& b) { return is_before(a, b); });
    }
  }

  void check_node(NodeNumber node) {
    const auto& all = expected[node];
    size_t position = 0;
    std::vector<uint32_t> chunk_sizes;
    incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
      CHECK(!slots.empty() && slots.size() <= Incidence::kChunkSlots);
      for (const Slot& slot : slots) {
        CHECK(position < all.size() && slot.row == all[position].row && slot.valid_from == all[position].valid_from);
        CHECK(slot.other_and_direction == all[position].other_and_direction);
        CHECK(versions.valid_to(slot.row) <= max_end);
        ++position;
      }
      chunk_sizes.push_back(static_cast<uint32_t>(slots.size()));
      return true;
    });
    CHECK(position == all.size() && incidence.slot_count(node) == all.size());
    incidence.each_chunk_backward(node, [&](std::span<const Slot> slots, Micros) {
      CHECK(slots.size() == chunk_sizes.back());
      chunk_sizes.pop_back();
      return true;
    });
    CHECK(chunk_sizes.empty());
    // No swarm of tiny chunks behind late slots.
    uint32_t chunk_count = 0;
    incidence.each_chunk(node, [&](std::span<const Slot>, Micros) { return ++chunk_count > 0; });
    CHECK(chunk_count <= 6 + all.size() / 24);
  }
};

void test_random(uint64_t seed) {
  Random random(seed);
  Fixture fixture;
  const auto node_count = static_cast<uint32_t>(2 + random() % 12);
  for (int commit = 0; commit < 60; ++commit) {
    const auto rows = static_cast<uint32_t>(random() % 4 == 0 ? random() % 400 : random() % 6);
    // In order, late all over, or many ties at one place.
    const Micros from = random() % 2 == 0 ? commit * 1'000 : static_cast<Micros>(random() % 60'000);
    fixture.commit(random, rows, node_count, from, random() % 3 == 0 ? 3 : 2'000);
    for (NodeNumber node = 0; node <= node_count; ++node) fixture.check_node(node);
  }
}

/// What late slots replace is one copy of each chunk they go into, not one per slot.
void test_late_load_into_a_hub() {
  Random random(9);
  Fixture fixture;
  fixture.commit(random, 20'000, 2, 0, 1'000'000);
  const uint64_t before = fixture.incidence.bytes();
  fixture.commit(random, 20'000, 2, 0, 1'000'000);
  for (NodeNumber node = 0; node < 2; ++node) fixture.check_node(node);
  CHECK(fixture.incidence.bytes() < 3 * before);
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 30; ++seed) test_random(seed);
  test_late_load_into_a_hub();
  return 0;
}
