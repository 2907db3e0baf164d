// Thousands of random batches, some of them aborted, against the model of stage_model.h: rows, closings, numbers,
// counts, belief at every pin, spells, incidence and time order. stage_test [SEEDS] [FIRST SEED].
#include <cstdlib>
#include <cstring>
#include <random>

#include "core/store/core_store.h"
#include "core/store/event_columns.h"
#include "test/check.h"
#include "test/stage_model.h"

using namespace palimpsest;
using test::Identity;
using test::Model;
using test::ModelVersion;
using test::Op;

namespace {

using Random = std::mt19937_64;

#ifdef __SANITIZE_THREAD__
constexpr uint64_t kSeeds = 1;  // one thread: there is nothing to find, and the model takes long
#else
constexpr uint64_t kSeeds = 5;
#endif

uint32_t below(Random& random, uint32_t limit) { return static_cast<uint32_t>(random() % limit); }

std::string pick(Random& random, const char* prefix, uint32_t count) {
  return prefix + std::to_string(below(random, count));
}

Op random_op(Random& random, const Model& model) {
  static constexpr OpKind kKinds[] = {
      OpKind::kAssertNode,  OpKind::kAssertEdge,  OpKind::kAssertEdge,  OpKind::kAssertNode, OpKind::kRetractNode,
      OpKind::kRetractEdge, OpKind::kReplaceNode, OpKind::kReplaceEdge, OpKind::kPatchNode,  OpKind::kPatchEdge};
  Op op{kKinds[below(random, 10)], {}, 0, kOpenEnd, {}, {}, {}, {}, {}};
  const bool is_node = test::is_node_op(op.kind);
  const bool is_assert = op.kind == OpKind::kAssertNode || op.kind == OpKind::kAssertEdge;
  if (is_node) {
    op.names = {pick(random, "n", 6)};
  } else if (!is_assert && !model.edges.empty() && below(random, 8) != 0) {
    op.names = model.edges[below(random, static_cast<uint32_t>(model.edges.size()))];
  } else {
    op.names = {pick(random, "n", 6), pick(random, "T", 2), pick(random, "n", 6),
                pick(random, below(random, 2) ? "#" : "", 9)};
  }
  op.from = below(random, 40) * 10;
  if (below(random, 3) != 0) op.to = op.from + 10 * (1 + below(random, 12));
  if (below(random, 2)) op.source = pick(random, "s", 3);
  if (below(random, 3) == 0) op.reason = pick(random, "r", 3);
  const bool is_retract = op.kind == OpKind::kRetractNode || op.kind == OpKind::kRetractEdge;
  if (is_retract) return op;
  if (is_node) {
    for (const char* label : {"L1", "L2", "L3"}) {
      if (below(random, 2))
        op.labels.push_back(label);
      else if (op.kind == OpKind::kPatchNode && below(random, 2))
        op.labels_removed.push_back(label);
    }
  }
  for (const char* prop : {"p", "q", "w"}) {
    if (below(random, 3) != 0) continue;
    const bool is_patch = op.kind == OpKind::kPatchNode || op.kind == OpKind::kPatchEdge;
    const auto kind = is_patch && below(random, 4) == 0 ? kRemoveProp : static_cast<uint8_t>(below(random, 5));
    const auto number =
        static_cast<int64_t>(kind == static_cast<uint8_t>(PropKind::kBool) ? below(random, 2) : below(random, 9));
    op.props.push_back({prop, kind, number, pick(random, "text", 4)});
  }
  return op;
}

std::vector<test::BulkEvent> random_events(Random& random) {
  std::vector<test::BulkEvent> events(1 + below(random, below(random, 8) == 0 ? 2'500 : 12));
  for (auto& event : events) {
    event = {pick(random, "n", 9), pick(random, "T", 2), pick(random, "n", 9), {}, below(random, 400), 0};
    if (below(random, events.size() > 100 ? 50 : 3) == 0) event.key = pick(random, below(random, 2) ? "#" : "k", 30);
    event.to = below(random, 4) == 0 ? kOpenEnd : event.from + 1 + below(random, 30);
  }
  return events;
}

/// Bulk events through columns, cutter and codec, as a load and its replay do it.
void stage_events(CoreStore& core, const std::vector<test::BulkEvent>& events) {
  struct Texts {
    std::string bytes;
    std::vector<uint32_t> ends;
    std::vector<uint8_t> present;
    void add(const std::optional<std::string>& text) {
      bytes += text.value_or("");
      ends.push_back(static_cast<uint32_t>(bytes.size()));
      present.push_back(text ? 1 : 0);
    }
    TextColumn view() const {
      return {bytes.data(), bytes.size(), ends.data(), nullptr, present.data(), static_cast<uint32_t>(ends.size())};
    }
  };
  Texts src, dst, type, key;
  std::vector<int64_t> time, valid_to;
  for (const auto& event : events) {
    src.add(event.src);
    dst.add(event.dst);
    type.add(event.type);
    key.add(event.key);
    time.push_back(event.from);
    valid_to.push_back(event.to);
  }
  EventColumns columns;
  columns.row_count = static_cast<uint32_t>(events.size());
  columns.src = src.view();
  columns.dst = dst.view();
  columns.type = type.view();
  columns.key = key.view();
  columns.time = time.data();
  columns.valid_to = valid_to.data();
  CHECK(check_events(columns).is_ok());
  CHECK(core.stage().begin_events({{"L1", "Bulk"}, "bulk", {}, {}}).is_ok());
  EventCutter cutter(columns, core.tables().uids);
  while (const EventBlock* block = cutter.next()) {
    std::vector<uint8_t> bytes;
    encode_block(*block, bytes);
    const auto decoded = decode_block(bytes, kBlockRowLimit);
    CHECK(decoded.is_ok() && core.stage().add_block(decoded.value()).is_ok());
  }
  CHECK(core.stage().end_events().is_ok());
}

ModelVersion read_row(const Pin& pin, Kind kind, Row row) {
  const Tables& tables = pin.tables();
  const VersionTable& rows = pin.versions(kind);
  const auto text = [&](TextNumber number) {
    return number == kNone ? std::string("-") : std::string(tables.texts.get(number));
  };
  ModelVersion out{{},
                   rows.valid_from(row),
                   rows.valid_to(row),
                   {},
                   {},
                   "",
                   "",
                   pin.tx_of(kind, row),
                   rows.closed_tx(row),
                   EndedBy::kNotEnded,
                   "-"};
  const uint32_t owner = rows.owner(row);
  if (kind == Kind::kNode) {
    out.identity = {std::string(tables.uids.get(owner))};
  } else {
    out.identity = {std::string(tables.uids.get(tables.edges.src(owner))),
                    std::string(tables.types.get(tables.edges.type(owner))),
                    std::string(tables.uids.get(tables.edges.dst(owner))), tables.edges.key(owner)};
  }
  for (const TextNumber label : tables.label_set(rows.label_set(row))) out.labels.emplace(tables.labels.get(label));
  std::vector<PropValue> values;
  rows.properties().collect(row, values);
  for (const PropValue& value : values) {
    test::Prop prop{std::string(tables.prop_names.get(value.name)), static_cast<uint8_t>(value.kind),
                    static_cast<int64_t>(value.bits), ""};
    if (value.kind == PropKind::kDouble) {
      double number;
      std::memcpy(&number, &value.bits, sizeof number);
      prop.number = static_cast<int64_t>(number * 8);
    } else if (value.kind == PropKind::kString || value.kind == PropKind::kJson) {
      prop.text = std::string(tables.texts.get(static_cast<TextNumber>(value.bits)));
    }
    out.props[prop.name] = test::text_of(prop);
  }
  const Annotation annotation = tables.annotations.get(rows.annotation(row));
  out.source = text(annotation.source);
  out.reason = text(annotation.reason);
  if (out.tx_to != kNeverTx) {
    const Closing closing = rows.closing(rows.closing_number(row));
    CHECK(closing.row == row && closing.tx == out.tx_to);
    out.ended_by = closing.ended_by;
    out.ended_reason = text(closing.reason);
  }
  return out;
}

std::vector<ModelVersion> all_rows(const Pin& pin) {
  std::vector<ModelVersion> out;
  for (const Kind kind : {Kind::kNode, Kind::kEdge}) {
    for (Row row = 0; row < pin.row_cut(kind); ++row) out.push_back(read_row(pin, kind, row));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void check_numbers(CoreStore& core, const Model& model) {
  const Tables& tables = core.tables();
  CHECK(tables.uids.count() == model.uids.size() && tables.edges.count() == model.edges.size());
  for (NodeNumber node = 0; node < model.uids.size(); ++node) CHECK(tables.uids.get(node) == model.uids[node]);
  for (EdgeNumber edge = 1; edge <= model.edges.size(); ++edge) {
    const Identity& names = model.edges[edge - 1];
    CHECK(tables.uids.get(tables.edges.src(edge)) == names[0] && tables.types.get(tables.edges.type(edge)) == names[1]);
    CHECK(tables.uids.get(tables.edges.dst(edge)) == names[2] && tables.edges.key(edge) == names[3]);
  }
}

/// Known at a pin: named by a version that some commit up to it wrote.
bool is_known(const Model& model, const Identity& identity, Tx pin) {
  return std::any_of(model.versions.begin(), model.versions.end(), [&](const ModelVersion& version) {
    if (version.tx_from > pin) return false;
    if (version.identity == identity) return true;
    return identity.size() == 1 && version.identity.size() == 4 &&
           (version.identity[0] == identity[0] || version.identity[2] == identity[0]);
  });
}

void check_identity(const Pin& pin, const Model& model, const Identity& identity) {
  const Kind kind = identity.size() == 1 ? Kind::kNode : Kind::kEdge;
  const uint32_t number = kind == Kind::kNode ? pin.known_node(identity[0])
                                              : pin.known_edge(identity[0], identity[1], identity[2], identity[3]);
  const bool is_there = number != (kind == Kind::kNode ? kNone : 0);
  CHECK(is_there == is_known(model, identity, pin.tx()));
  if (!is_there) return;
  const auto expected = model.believed(identity, pin.tx());
  std::vector<Row> rows;
  pin.each_believed(kind, number, [&](Row row) {
    rows.push_back(row);
    return true;
  });
  const VersionTable& versions = pin.versions(kind);
  std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return versions.valid_from(a) < versions.valid_from(b); });
  CHECK(rows.size() == expected.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(versions.valid_from(rows[i]) == expected[i].from && versions.valid_to(rows[i]) == expected[i].to);
    CHECK(pin.tx_of(kind, rows[i]) == expected[i].tx_from);
    CHECK(pin.begins_spell(kind, rows[i]) == (i == 0 || expected[i - 1].to != expected[i].from));
    size_t last = i;
    while (last + 1 < expected.size() && expected[last].to == expected[last + 1].from) ++last;
    CHECK(pin.spell_end(kind, rows[i]) == expected[last].to);
    if (kind == Kind::kNode) CHECK(pin.node_version_at(number, expected[i].from) == rows[i]);
  }
}

void check_indexes(const Pin& pin) {
  const Tables& tables = pin.tables();
  std::multiset<std::tuple<NodeNumber, Row>> slots, expected;
  for (NodeNumber node = 0; node < pin.view().node_count; ++node) {
    Micros last = INT64_MIN;
    tables.incidence.each_chunk(node, [&](std::span<const Slot> chunk, Micros max_end) {
      for (const Slot& slot : chunk) {
        if (slot.row >= pin.row_cut(Kind::kEdge)) continue;
        slots.emplace(node, slot.row);
        const EdgeNumber edge = tables.edge_versions.owner(slot.row);
        CHECK(slot.valid_from >= last && slot.valid_from == tables.edge_versions.valid_from(slot.row));
        CHECK(tables.edge_versions.valid_to(slot.row) <= max_end);
        CHECK((slot.is_incoming() ? tables.edges.dst(edge) : tables.edges.src(edge)) == node);
        CHECK(slot.other() == (slot.is_incoming() ? tables.edges.src(edge) : tables.edges.dst(edge)));
        last = slot.valid_from;
      }
      return true;
    });
  }
  for (Row row = 0; row < pin.row_cut(Kind::kEdge); ++row) {
    const EdgeNumber edge = tables.edge_versions.owner(row);
    expected.emplace(tables.edges.src(edge), row);
    if (tables.edges.dst(edge) != tables.edges.src(edge)) expected.emplace(tables.edges.dst(edge), row);
  }
  CHECK(slots == expected);
  std::vector<Row> order;
  pin.view().runs.each_begun(tables.edge_versions, pin.row_cut(Kind::kEdge), INT64_MIN, INT64_MAX, [&](Row row) {
    order.push_back(row);
    return true;
  });
  CHECK(order.size() == pin.row_cut(Kind::kEdge));
  for (size_t i = 1; i < order.size(); ++i)
    CHECK(time_runs_detail::is_before(tables.edge_versions, order[i - 1], order[i]));
}

void check_pin(const Pin& pin, const Model& model, Random& random) {
  if (pin.is_latest()) {
    auto expected = model.versions;
    std::sort(expected.begin(), expected.end());
    CHECK(all_rows(pin) == expected);
    check_indexes(pin);
  }
  const Commit record = pin.commit(pin.tx());
  uint32_t believed[2] = {0, 0};
  for (const ModelVersion& version : model.versions) {
    if (version.tx_from <= pin.tx() && pin.tx() < version.tx_to) ++believed[version.identity.size() == 1 ? 0 : 1];
  }
  CHECK(record.believed_nodes == believed[0] && record.believed_edges == believed[1]);
  uint32_t known[2] = {0, 0};
  for (const std::string& uid : model.uids) known[0] += is_known(model, {uid}, pin.tx()) ? 1 : 0;
  for (const Identity& edge : model.edges) known[1] += is_known(model, edge, pin.tx()) ? 1 : 0;
  CHECK(record.known_nodes == known[0] && record.known_edges == known[1]);
  for (uint32_t i = 0; i < 6; ++i) check_identity(pin, model, {pick(random, "n", 10)});
  for (uint32_t i = 0; i < 6 && !model.edges.empty(); ++i) {
    check_identity(pin, model, model.edges[below(random, static_cast<uint32_t>(model.edges.size()))]);
  }
  CHECK(pin.tx_at(pin.tx_time(pin.tx())) == pin.tx() && pin.tx_at(-1) == 0);
}

void run(uint64_t seed) {
  Random random(seed);
  CoreStore core;
  CHECK(core.try_acquire_writer(&core));
  Model model;
  test::OpWriter writer;
  std::array<uint8_t, 32> chain{};
  for (int batch = 0; batch < 60; ++batch) {
    const Model before = model;
    bool is_good = true;
    const uint32_t part_count = 1 + below(random, 3);
    for (uint32_t part = 0; part < part_count && is_good; ++part) {
      if (below(random, 6) == 0) {
        const auto events = random_events(random);
        stage_events(core, events);
        model.ingest(events, {"L1", "Bulk"}, "bulk");
        continue;
      }
      uint32_t failed_at = kNone;
      const uint32_t op_count = 1 + below(random, 9);
      for (uint32_t i = 0; i < op_count; ++i) {
        const Op op = random_op(random, model);
        writer.add(op);
        if (failed_at == kNone && !model.apply(op)) failed_at = i;
      }
      const Status status = core.stage().apply(writer.take(), 10);
      is_good = failed_at == kNone;
      CHECK(status.code() == (is_good ? Code::kOk : Code::kNotFound));
      if (!is_good) CHECK(status.position() == 10 + failed_at);
    }
    if (!is_good || below(random, 7) == 0) {
      core.abort();
      model = before;
      check_numbers(core, model);
      continue;
    }
    model.commit();
    CHECK(core.seal(model.tx * 1'000) == model.tx);
    core.publish(chain);
    check_numbers(core, model);
    if (below(random, 10) == 0) core.maintain();
    const Pin newest(core.view(), model.tx);
    if (below(random, 4) == 0) check_pin(newest, model, random);
    check_pin(newest.at(1 + below(random, model.tx)), model, random);
  }
  core.release_writer(&core);
}

/// A rewritten buffer of any bytes is refused or applied, never read beyond its end.
void test_garbage() {
  Random random(99);
  CoreStore core;
  CHECK(core.try_acquire_writer(&core));
  Model model;
  test::OpWriter writer;
  for (int round = 0; round < 3'000; ++round) {
    for (uint32_t i = 1 + below(random, 4); i > 0; --i) writer.add(random_op(random, model));
    auto bytes = writer.take();
    for (uint32_t i = 1 + below(random, 3); i > 0; --i)
      bytes[below(random, static_cast<uint32_t>(bytes.size()))] = static_cast<uint8_t>(random());
    if (below(random, 3) == 0) bytes.resize(below(random, static_cast<uint32_t>(bytes.size())));
    const Status status = core.stage().apply(bytes, 0);
    core.abort();
    CHECK(core.tables().uids.count() == 0 && (status.is_ok() || !status.message().empty()));
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  const uint64_t seeds = argument_count > 1 ? std::strtoull(arguments[1], nullptr, 10) : kSeeds;
  const uint64_t first = argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    std::fprintf(stderr, "\rseed %llu", static_cast<unsigned long long>(seed));
    run(seed);
  }
  std::fprintf(stderr, "\n");
  test_garbage();
  return 0;
}
