// The events of every commit against a walk over all versions (docs/contract.md A5): random corrections over
// few instants, asked while the store grows (so that the index is behind), at past pins, in windows, forward and
// backward.
#include "core/kernels/events/event_source.h"

#include <algorithm>
#include <random>
#include <tuple>

#include "core/store/core_store.h"
#include "test/check.h"
#include "test/op_buffer_writer.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

uint32_t below(Random& random, uint32_t bound) { return static_cast<uint32_t>(random() % bound); }

test::Op random_op(Random& random, uint32_t identities, uint32_t instants) {
  const uint32_t choice = below(random, 6);
  test::Op op{choice < 4    ? OpKind::kAssertEdge
              : choice == 4 ? OpKind::kRetractEdge
                            : OpKind::kReplaceEdge,
              {},
              0,
              kOpenEnd,
              {},
              {},
              {},
              {},
              {}};
  const uint32_t identity = below(random, identities);
  op.names = {"n" + std::to_string(identity % 7), identity % 2 == 0 ? "R" : "S", "n" + std::to_string(identity % 5),
              "k" + std::to_string(identity)};
  op.from = below(random, instants);
  op.to = below(random, 5) == 0 ? kOpenEnd : op.from + 1 + below(random, instants / 2 + 1);
  return op;
}

/// Operations that find nothing to end reject their batch; each is a commit of its own here.
void write(CoreStore& store, const std::vector<test::Op>& ops) {
  test::OpWriter writer;
  for (const test::Op& op : ops) writer.add(op);
  const std::vector<uint8_t> buffer = writer.take();
  if (!store.stage().apply(buffer, 0).is_ok()) {
    store.abort();
    return;
  }
  store.seal(store.staged_tx() + 1);
  const std::array<uint8_t, 32> chain{};
  store.publish(chain);
}

using Found = std::tuple<Micros, EdgeNumber, NodeNumber, NodeNumber, TypeNumber, Row>;

std::vector<Found> by_definition(const Pin& pin, ValidWindow window) {
  const Tables& tables = pin.tables();
  const VersionTable& versions = tables.edge_versions;
  std::vector<Row> believed;
  for (Row row = 0; row < pin.row_cut(Kind::kEdge); ++row) {
    if (versions.closed_tx(row) > pin.tx()) believed.push_back(row);
  }
  std::vector<Found> found;
  for (const Row row : believed) {
    const EdgeNumber edge = versions.owner(row);
    const Micros at = versions.valid_from(row);
    const bool goes_on = std::any_of(believed.begin(), believed.end(), [&](Row other) {
      return versions.owner(other) == edge && versions.valid_to(other) == at;
    });
    if (goes_on || at < window.from || at >= window.to) continue;
    found.emplace_back(at, edge, tables.edges.src(edge), tables.edges.dst(edge), tables.edges.type(edge), row);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void append(const Pin& pin, const EventSlice& block, std::vector<Found>& out) {
  CHECK(block.count > 0 && block.count <= EventSlice::kMostEvents);
  for (uint32_t i = 0; i < block.count; ++i) {
    out.emplace_back(block.at[i], pin.tables().edge_versions.owner(block.row[i]), block.src[i], block.dst[i],
                     block.type[i], block.row[i]);
  }
}

void check(const Pin& pin, ValidWindow window) {
  const StopToken never;
  StepCounter steps(never);
  EventSource source;
  CHECK(EventSource::open(pin, steps, source).is_ok());
  const std::vector<Found> expected = by_definition(pin, window);
  std::vector<Found> found;
  CHECK(source.each_block(window, steps, [&](const EventSlice& block) {
    append(pin, block, found);
    return true;
  }));
  CHECK(found == expected);
  CHECK(source.count(window) == expected.size());
  CHECK(steps.total() == expected.size());
  std::vector<std::vector<Found>> blocks;
  CHECK(source.each_block_backward(window, steps, [&](const EventSlice& block) {
    append(pin, block, blocks.emplace_back());
    return true;
  }));
  found.clear();
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
    found.insert(found.end(), block->begin(), block->end());
  CHECK(found == expected);
  if (expected.empty()) return;
  uint32_t visits = 0;
  CHECK(!source.each_block(window, steps, [&](const EventSlice&) { return ++visits == 0; }));
  CHECK(visits == 1);
}

ValidWindow random_window(Random& random, uint32_t instants) {
  ValidWindow window;
  if (below(random, 2) == 0) window.from = below(random, instants);
  if (below(random, 2) == 0)
    window.to = window.from == INT64_MIN ? below(random, instants) : window.from + below(random, instants);
  return window;
}

/// Few identities, many corrections: nearly every commit turns beginnings over.
void small_stores(uint64_t seed) {
  Random random(seed);
  CoreStore store;
  const uint32_t identities = 2 + below(random, 12);
  const uint32_t instants = 4 + below(random, 30);
  for (int commit = 0; commit < 40; ++commit) {
    std::vector<test::Op> ops;
    for (uint32_t i = 0; i < 1 + below(random, 3); ++i) ops.push_back(random_op(random, identities, instants));
    write(store, ops);
    if (below(random, 3) > 0) continue;
    const Pin newest(store.view(), store.view()->tx);
    check(newest, random_window(random, instants));
    check(newest.at(below(random, newest.tx() + 1)), random_window(random, instants));
  }
  const Pin newest(store.view(), store.view()->tx);
  for (Tx tx = 0; tx <= newest.tx(); ++tx) check(newest.at(tx), {});
}

/// Many identities in one load, so that blocks are read in place, then corrections far apart.
void large_store(uint64_t seed) {
  Random random(seed);
  CoreStore store;
  const uint32_t identities = 5'000;
  std::vector<test::Op> load;
  for (uint32_t i = 0; i < identities; ++i) {
    test::Op op = random_op(random, identities, 1'000);
    op.kind = OpKind::kAssertEdge;
    op.names[3] = "k" + std::to_string(i);
    load.push_back(op);
  }
  write(store, load);
  check(Pin(store.view(), 1), {});
  for (int commit = 0; commit < 20; ++commit) {
    std::vector<test::Op> ops;
    for (uint32_t i = 0; i < below(random, 40); ++i) {
      ops.push_back(random_op(random, identities, 1'000));
      ops.back().kind = OpKind::kAssertEdge;
    }
    if (ops.empty()) continue;
    write(store, ops);
    if (commit % 4 == 0) check(Pin(store.view(), store.view()->tx), random_window(random, 1'000));
  }
  const Pin newest(store.view(), store.view()->tx);
  check(newest, {});
  check(newest.at(1), {});
  check(newest.at(newest.tx() / 2), random_window(random, 1'000));
}

void a_cancelled_build_leaves_nothing() {
  Random random(7);
  CoreStore store;
  std::vector<test::Op> ops;
  for (uint32_t i = 0; i < 10'000; ++i) {
    ops.push_back(random_op(random, 1'000'000, 100));
    ops.back().kind = OpKind::kAssertEdge;
  }
  write(store, ops);
  const Pin pin(store.view(), 1);
  CHECK(!EventSource::is_ready(pin));
  StopToken stop;
  stop.cancel();
  StepCounter steps(stop);
  EventSource source;
  CHECK(EventSource::open(pin, steps, source).code() == Code::kCancelled);
  check(pin, {});
  CHECK(EventSource::is_ready(pin));
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 60; ++seed) small_stores(seed);
  large_store(1);
  a_cancelled_build_leaves_nothing();
  return 0;
}
