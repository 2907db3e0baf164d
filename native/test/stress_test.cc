// Readers at random pins beside a writer that stages, aborts, seals ahead, publishes and joins runs: what a pin says
// must never change, whoever asks and however late. Meant for the sanitizers. stress_test [SECONDS] [SEED].
#include <chrono>
#include <cinttypes>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <thread>

#include "core/store/core_store.h"
#include "core/store/event_columns.h"
#include "test/check.h"
#include "test/op_buffer_writer.h"

using namespace palimpsest;
using Clock = std::chrono::steady_clock;

namespace {

using Random = std::mt19937_64;
constexpr uint32_t kReaders = 3;
constexpr uint32_t kNodes = 300;
constexpr Row kRowsPerStore =
    20'000;  // then a fresh store, so that digests stay quick and stores end under their readers

uint32_t below(Random& random, uint64_t limit) { return static_cast<uint32_t>(random() % limit); }

std::string node_name(Random& random) {
  // Few hubs and many nodes at the rim, so that lists of every length are met.
  return "node" + std::to_string(random() % 3 == 0 ? below(random, 4) : below(random, kNodes));
}
std::string key_name(Random& random) { return (random() % 3 == 0 ? "#" : "k") + std::to_string(below(random, 40)); }

// --- the writer ---

test::Op random_op(Random& random) {
  static constexpr OpKind kKinds[] = {OpKind::kAssertNode, OpKind::kAssertEdge, OpKind::kAssertEdge,
                                      OpKind::kAssertEdge};
  test::Op op{kKinds[below(random, 4)], {}, below(random, 5'000), kOpenEnd, {}, {}, {}, {}, {}};
  if (op.kind == OpKind::kAssertNode) {
    op.names = {node_name(random)};
    op.labels = {"L" + std::to_string(below(random, 5))};
  } else {
    op.names = {node_name(random), "T" + std::to_string(below(random, 3)), node_name(random), key_name(random)};
  }
  if (below(random, 4) != 0) op.to = op.from + 1 + below(random, 300);
  if (below(random, 3) == 0) op.reason = "reason" + std::to_string(below(random, 50));
  op.props = {
      {"p" + std::to_string(below(random, 30)), static_cast<uint8_t>(below(random, 5)), below(random, 2), "text"}};
  return op;
}

void stage_operations(CoreStore& core, Random& random) {
  test::OpWriter writer;
  const uint32_t count = 1 + below(random, below(random, 10) == 0 ? 200 : 8);
  for (uint32_t i = 0; i < count; ++i) writer.add(random_op(random));
  CHECK(core.stage().apply(writer.take(), 0).is_ok());
}

void stage_events(CoreStore& core, Random& random) {
  std::string uids;
  std::vector<uint32_t> ends;
  std::vector<int64_t> times;
  const uint32_t count = 1 + below(random, 1'500);
  const auto first = static_cast<Micros>(below(random, 100'000));
  for (uint32_t row = 0; row < count; ++row) {
    uids += node_name(random);
    ends.push_back(static_cast<uint32_t>(uids.size()));
    times.push_back(first + static_cast<Micros>(below(random, 2) ? row : below(random, 3'000)));
  }
  const uint32_t type_end = 2;
  const std::vector<uint32_t> type_codes(count, 0);
  EventColumns columns;
  columns.row_count = count;
  columns.src = {uids.data(), uids.size(), ends.data(), nullptr, nullptr, count};
  columns.dst = columns.src;
  columns.type = {"T0", 2, &type_end, type_codes.data(), nullptr, 1};
  columns.time = times.data();
  std::vector<uint32_t> other(count);
  for (uint32_t& code : other) code = below(random, count);
  columns.dst.codes = other.data();
  CHECK(check_events(columns).is_ok());
  CHECK(core.stage().begin_events({{"L0"}, "bulk", {}, {}}).is_ok());
  EventCutter cutter(columns, core.tables().uids);
  while (const EventBlock* block = cutter.next()) CHECK(core.stage().add_block(*block).is_ok());
  CHECK(core.stage().end_events().is_ok());
}

/// Publishes what is sealed while the writer goes on staging, as the JavaScript thread does when a flush returns.
void publish(CoreStore& core, const std::atomic<bool>& is_over) {
  std::array<uint8_t, 32> chain{};
  while (!is_over.load()) {
    if (!core.has_sealed()) {
      std::this_thread::yield();
      continue;
    }
    chain[0] = static_cast<uint8_t>(core.view()->tx + 1);
    core.publish(chain);
  }
}

/// Writes until the store is full or time is up; two writers take turns by the token.
void write(CoreStore& core, uint64_t seed, Clock::time_point until) {
  Random random(seed);
  while (Clock::now() < until && core.view()->edge_rows < kRowsPerStore) {
    if (!core.try_acquire_writer(&random)) {
      std::this_thread::yield();
      continue;
    }
    for (uint32_t turn = below(random, 12); turn > 0; --turn) {
      if (core.needs_maintenance()) core.maintain();
      below(random, 8) == 0 ? stage_events(core, random) : stage_operations(core, random);
      if (below(random, 5) == 0) {
        core.abort();
        continue;
      }
      const Tx tx = core.seal(core.staged_tx() * 10 + 10);
      CHECK(tx == core.staged_tx());
      if (below(random, 4) == 0) core.maintain();
    }
    while (core.has_sealed()) std::this_thread::yield();
    if (below(random, 6) == 0) stage_operations(core, random);  // left behind: whoever comes next must not find it
    core.release_writer(&random);
  }
}

// --- what readers find ---

uint64_t mixed(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9E3779B97F4A7C15ULL ^ (hash >> 29); }

uint64_t mixed(uint64_t hash, std::string_view text) { return mixed(hash, hash_bytes(text.data(), text.size())); }

/// Everything that a pin says of a row.
uint64_t digest_of(const Pin& pin, Kind kind, Row row) {
  const Tables& tables = pin.tables();
  const VersionTable& rows = pin.versions(kind);
  const uint32_t owner = rows.owner(row);
  uint64_t hash =
      mixed(mixed(row, static_cast<uint64_t>(rows.valid_from(row))), static_cast<uint64_t>(rows.valid_to(row)));
  if (kind == Kind::kNode) {
    hash = mixed(hash, tables.uids.get(owner));
    for (const TextNumber label : tables.label_set(rows.label_set(row))) hash = mixed(hash, tables.labels.get(label));
  } else {
    hash = mixed(mixed(hash, tables.uids.get(tables.edges.src(owner))), tables.uids.get(tables.edges.dst(owner)));
    hash = mixed(mixed(hash, tables.types.get(tables.edges.type(owner))), tables.edges.key(owner));
  }
  std::vector<PropValue> values;
  rows.properties().collect(row, values);
  for (const PropValue& value : values) hash = mixed(mixed(hash, tables.prop_names.get(value.name)), value.bits);
  const Annotation annotation = tables.annotations.get(rows.annotation(row));
  if (annotation.reason != kNone) hash = mixed(hash, tables.texts.get(annotation.reason));
  hash = mixed(hash, pin.tx_of(kind, row));
  const Tx closed = rows.closed_tx(row);
  if (closed > pin.tx()) return mixed(hash, 0);
  const Closing closing = rows.closing(rows.closing_number(row));
  CHECK(closing.row == row && closing.tx == closed);
  return mixed(mixed(hash, closed), static_cast<uint64_t>(closing.ended_by));
}

/// Belief counted by rows, by the commit's record and by the list of closings.
void check_belief(const Pin& pin, Kind kind) {
  uint32_t believed = 0;
  for (Row row = 0; row < pin.row_cut(kind); ++row) believed += pin.is_believed(kind, row) ? 1 : 0;
  const Commit record = pin.commit(pin.tx());
  CHECK(believed == (kind == Kind::kEdge ? record.believed_edges : record.believed_nodes));
  if (pin.is_latest()) return;
  const Commit next = pin.commit(pin.tx() + 1);
  const uint32_t closings = kind == Kind::kEdge ? next.first_edge_closing : next.first_node_closing;
  CHECK(believed == pin.row_cut(kind) - closings);
  for (uint32_t number = 0; number < closings; ++number) CHECK(pin.versions(kind).closing(number).tx <= pin.tx());
}

void check_incidence(const Pin& pin) {
  const Tables& tables = pin.tables();
  uint64_t slot_count = 0;
  for (NodeNumber node = 0; node < pin.view().node_count; ++node) {
    Micros last = INT64_MIN;
    tables.incidence.each_chunk(node, [&](std::span<const Slot> slots, Micros max_end) {
      for (const Slot& slot : slots) {
        if (slot.row >= pin.row_cut(Kind::kEdge)) continue;
        CHECK(slot.valid_from >= last && tables.edge_versions.valid_to(slot.row) <= max_end);
        const EdgeNumber edge = tables.edge_versions.owner(slot.row);
        CHECK((slot.is_incoming() ? tables.edges.dst(edge) : tables.edges.src(edge)) == node);
        last = slot.valid_from;
        slot_count += tables.edges.src(edge) == tables.edges.dst(edge) ? 2 : 1;
      }
      return true;
    });
  }
  CHECK(slot_count == uint64_t{2} * pin.row_cut(Kind::kEdge));
}

void check_time_order(const Pin& pin, Random& random) {
  const VersionTable& edges = pin.tables().edge_versions;
  const auto from = static_cast<Micros>(below(random, 50'000));
  const Micros to = below(random, 2) ? INT64_MAX : from + static_cast<Micros>(below(random, 50'000));
  uint64_t seen = 0;
  Row last = kNone;
  pin.view().runs.each_begun(edges, pin.row_cut(Kind::kEdge), from, to, [&](Row row) {
    CHECK(row < pin.row_cut(Kind::kEdge) && (last == kNone || time_runs_detail::is_before(edges, last, row)));
    last = row;
    ++seen;
    return true;
  });
  CHECK(seen == pin.view().runs.count_begun(edges, pin.row_cut(Kind::kEdge), from, to));
}

void check_look_ups(const Pin& pin, Random& random) {
  for (int i = 0; i < 20; ++i) {
    const std::string src = node_name(random), dst = node_name(random), key = key_name(random);
    const EdgeNumber edge = pin.known_edge(src, "T0", dst, key);
    if (edge == 0) continue;
    CHECK(pin.tables().edges.key(edge) == key && pin.known_node(src) == pin.tables().edges.src(edge));
    Micros last = INT64_MIN;
    std::vector<Row> rows;
    pin.each_believed(Kind::kEdge, edge, [&](Row row) {
      rows.push_back(row);
      return true;
    });
    const VersionTable& versions = pin.tables().edge_versions;
    std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return versions.valid_from(a) < versions.valid_from(b); });
    for (const Row row : rows) {
      CHECK(versions.owner(row) == edge && versions.valid_from(row) >= last);
      last = versions.valid_to(row);
    }
  }
  CHECK(pin.known_node("nobody") == kNone && pin.chain(pin.tx())[0] == static_cast<uint8_t>(pin.tx()));
}

/// What each pin said when it was first asked.
class Digests {
 public:
  void check(const Pin& pin) {
    uint64_t hash = 0;
    for (const Kind kind : {Kind::kNode, Kind::kEdge}) {
      for (Row row = 0; row < pin.row_cut(kind); ++row) hash = mixed(hash, digest_of(pin, kind, row));
    }
    std::lock_guard lock(mutex_);
    const auto [entry, is_new] = digests_.try_emplace(pin.tx(), hash);
    CHECK(entry->second == hash);
    comparisons_ += is_new ? 0 : 1;
  }
  uint64_t comparisons() const { return comparisons_; }

 private:
  std::mutex mutex_;
  std::map<Tx, uint64_t> digests_;
  uint64_t comparisons_ = 0;
};

void read(const CoreStore& core, Digests& digests, const std::atomic<bool>& is_over, uint64_t seed) {
  Random random(seed);
  std::deque<Pin> held;
  while (!is_over.load()) {
    const auto view = core.view();
    if (view->tx == 0) continue;
    // Mostly few pins, so that each is met again at later heads and by other readers.
    const Tx tx = below(random, 4) == 0 ? view->tx : 1 + below(random, std::min<Tx>(view->tx, 40));
    const Pin pin(view, tx);
    digests.check(pin);
    check_belief(pin, below(random, 2) ? Kind::kEdge : Kind::kNode);
    check_look_ups(pin, random);
    if (below(random, 3) == 0) check_incidence(pin);
    check_time_order(pin, random);
    held.push_back(pin);
    if (held.size() > 6) held.erase(held.begin() + below(random, held.size()));
    digests.check(held.front());
  }
  // The store may be gone by the time these go.
  for (const Pin& pin : held) digests.check(pin);
}

void listen(CoreStore& core, const std::atomic<bool>& is_over) {
  while (!is_over.load()) {
    std::atomic<Tx> newest{0};
    const uint64_t number = core.add_listener([&newest](Tx tx) { newest.store(tx); });
    core.raise_clock_floor(newest.load());
    std::this_thread::yield();
    core.remove_listener(number);
    CHECK(core.bytes() < uint64_t{1} << 32 && newest.load() <= core.staged_tx());
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  const double seconds = argument_count > 1 ? std::strtod(arguments[1], nullptr) : 5;
  const uint64_t seed =
      argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : static_cast<uint64_t>(std::time(nullptr));
  std::fprintf(stderr, "seed %" PRIu64 "\n", seed);
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  uint64_t store_count = 0;
  uint64_t commit_count = 0;
  uint64_t comparisons = 0;
  while (Clock::now() < until) {
    auto core = std::make_unique<CoreStore>();
    Digests digests;
    std::atomic<bool> is_over{false};
    std::vector<std::thread> readers;
    for (uint32_t i = 0; i < kReaders; ++i) {
      readers.emplace_back([&, i] { read(*core, digests, is_over, seed + 100 * store_count + i); });
    }
    std::thread listener([&] { listen(*core, is_over); });
    std::thread publisher([&] { publish(*core, is_over); });
    std::thread other([&] { write(*core, seed + 100 * store_count + 50, until); });
    write(*core, seed + 100 * store_count + 51, until);
    other.join();
    commit_count += core->view()->tx;
    const Pin last(core->view(), core->view()->tx);
    is_over.store(true);
    publisher.join();
    listener.join();
    for (auto& reader : readers) reader.join();
    core.reset();
    digests.check(last);
    check_incidence(last);
    comparisons += digests.comparisons();
    ++store_count;
  }
  std::fprintf(stderr, "%" PRIu64 " stores, %" PRIu64 " commits, %" PRIu64 " digests compared\n", store_count,
               commit_count, comparisons);
  return 0;
}
