// Columns and what stands on them: chunks, sparse values, the three forms of a block, versions of identities,
// properties.
#include <map>
#include <random>
#include <vector>

#include "core/base/sparse_column.h"
#include "core/store/column_view.h"
#include "core/store/properties.h"
#include "core/store/version_index.h"
#include "core/store/versions.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

void test_chunked_column() {
  Random random(1);
  ChunkedColumn<int64_t> column(-7);
  std::map<uint32_t, int64_t> expected;
  CHECK(column.get(0) == -7 && column.get(kRowLimit) == -7 && column.bytes() == 0);
  for (int i = 0; i < 5'000; ++i) {
    const auto row = static_cast<uint32_t>(random() % (random() % 8 == 0 ? kRowLimit : 100'000));
    const auto value = static_cast<int64_t>(random() % 4) - 7;
    switch (random() % 3) {
      case 0:
        column.set(row, value);
        break;
      case 1:
        column.set_sparse(row, value);
        break;
      default:
        column.set_atomic(row, value);
    }
    expected[row] = value;
  }
  for (const auto& [row, value] : expected) {
    CHECK(column.get(row) == value && column.get_atomic(row) == value);
    CHECK(expected.contains(row + 1) || column.get(row + 1) == -7);
  }
  // A fill value makes no chunk; the chunk of another value never moves.
  ChunkedColumn<uint32_t> sparse(9);
  sparse.set_sparse(5, 9);
  CHECK(sparse.chunk(0) == nullptr);
  sparse.set_sparse(5, 1);
  const uint32_t* chunk = sparse.chunk(0);
  for (uint32_t row = 0; row < 20'000; ++row) sparse.set(row, row);
  CHECK(sparse.chunk(0) == chunk && sparse.get(5) == 5 && sparse.get(30'000) == 9);
}

void test_sparse_column() {
  Random random(2);
  SparseColumn<uint64_t> column;
  std::map<Row, uint64_t> expected;
  for (int i = 0; i < 3'000; ++i) {
    const auto row = static_cast<Row>(random() % (random() % 4 == 0 ? kRowLimit : 5'000));
    column.set(row, expected[row] = random());
  }
  column.set(kRowLimit - 1, expected[kRowLimit - 1] = 3);
  for (const auto& [row, value] : expected) CHECK(column.get(row) == value);
}

void test_block_forms() {
  Random random(3);
  std::vector<int64_t> scratch(kBlockRows);
  for (int round = 0; round < 50; ++round) {
    std::vector<int64_t> values(kBlockRows);
    for (int64_t& value : values) value = static_cast<int64_t>(random() % 1'000'000) * 1'000 - 17;
    std::vector<uint64_t> words;
    const PackedBlock packed = pack_block(values, words);
    const auto in_place = BlockView<int64_t>::raw(values.data());
    const auto unpacked = BlockView<int64_t>::packed(&packed);
    CHECK(unpacked.form() == BlockView<int64_t>::Form::kPacked && !unpacked.is_constant());
    CHECK(in_place.values(kBlockRows, scratch.data()) == values.data());
    const auto count = static_cast<uint32_t>(1 + random() % kBlockRows);
    const int64_t* out = unpacked.values(count, scratch.data());
    CHECK(out == scratch.data());
    for (uint32_t i = 0; i < count; ++i) {
      CHECK(out[i] == values[i] && unpacked.at(i) == values[i] && in_place.at(i) == values[i]);
    }
  }
  const auto constant = BlockView<int64_t>::constant(-5);
  CHECK(constant.is_constant() && constant.constant_value() == -5 && constant.at(1023) == -5);
  CHECK(constant.values(kBlockRows, scratch.data())[1023] == -5);
}

void test_column_view() {
  ChunkedColumn<uint32_t> column(4);
  for (Row row = 4'096; row < 9'000; ++row) column.set(row, row);
  const ColumnView<uint32_t> view(column);
  std::vector<uint32_t> scratch(kBlockRows);
  for (uint32_t block = 0; block < 16; ++block) {
    const auto rows = view.block(block);
    CHECK(rows.is_constant() == (block < 4 || block >= 12));
    for (uint32_t i = 0; i < kBlockRows; ++i) CHECK(rows.at(i) == view.at(block * kBlockRows + i));
    CHECK(rows.values(kBlockRows, scratch.data())[7] == column.get(block * kBlockRows + 7));
  }
}

void test_version_index() {
  Random random(5);
  Garbage garbage;
  VersionIndex index(garbage);
  std::map<uint32_t, std::vector<Row>> expected;
  for (Row row = 0; row < 30'000; ++row) {
    const auto identity = static_cast<uint32_t>(random() % 4 == 0 ? random() % 5 : random() % 20'000);
    index.add(identity, row);
    expected[identity].push_back(row);
  }
  for (uint32_t identity = 0; identity < 20'001; ++identity) {
    const auto& rows = expected[identity];
    CHECK(index.first(identity) == (rows.empty() ? kNone : rows[0]));
    if (!rows.empty()) CHECK(index.is_single(identity) == (rows.size() == 1));
    for (const Row cut : {Row{0}, Row{1'000}, Row{29'999}, kRowLimit}) {
      std::vector<Row> seen;
      index.each(identity, cut, [&](Row row) {
        seen.push_back(row);
        return true;
      });
      CHECK(std::equal(seen.begin(), seen.end(), rows.begin(), rows.begin() + static_cast<ptrdiff_t>(seen.size())));
      CHECK(seen.size() == rows.size() || rows[seen.size()] >= cut);
      CHECK(seen.empty() || seen.back() < cut);
    }
    uint32_t visits = 0;
    index.each(identity, kRowLimit, [&](Row) { return ++visits < 3; });
    CHECK(visits == std::min<size_t>(3, rows.size()));
  }
}

/// Every kind under few names, more columns than a process has pieces of address space.
void test_properties() {
  Random random(6);
  Properties properties;
  std::map<Row, std::map<PropNumber, PropValue>> expected;
  for (Row row = 0; row < 4'000; ++row) {
    std::map<PropNumber, PropValue> values;
    for (uint64_t i = random() % 4; i > 0; --i) {
      const auto name = static_cast<PropNumber>(random() % 6);
      values[name] = {name, static_cast<PropKind>(random() % 5), random()};
    }
    std::vector<PropValue> list;
    for (const auto& [name, value] : values) list.push_back(value);
    properties.set(row, list);
    expected[row] = std::move(values);
  }
  for (Row row = 0; row < 4'010; ++row) {
    const auto& values = expected[row];
    CHECK(properties.has_any(row) == !values.empty());
    std::vector<PropValue> collected;
    properties.collect(row, collected);
    CHECK(collected.size() == values.size() && properties.columns(properties.shape(row)).size() == values.size());
    for (const PropValue& value : collected) {
      CHECK(values.at(value.name).kind == value.kind && values.at(value.name).bits == value.bits);
    }
    for (PropNumber name = 0; name < 7; ++name) {
      PropValue found{};
      CHECK(properties.find(row, name, found) == values.contains(name));
      if (values.contains(name)) CHECK(found.kind == values.at(name).kind && found.bits == values.at(name).bits);
    }
  }
  const uint64_t before = properties.bytes();
  for (PropNumber name = 0; name < 70'000; ++name) {
    const PropValue value{name + 100, PropKind::kBool, 1};
    properties.set(10'000 + name / 8, {&value, 1});
  }
  PropValue found{};
  CHECK(properties.find(10'000 + 69'999 / 8, 70'099, found) && found.bits == 1);
  CHECK(properties.bytes() > before);
}

void test_versions() {
  Random random(7);
  VersionTable versions(Kind::kEdge);
  for (Row row = 0; row < 3'000; ++row) {
    const auto from = static_cast<Micros>(random() % 100'000) - 50'000;
    const Micros to = random() % 5 == 0 ? kOpenEnd : from + 1 + static_cast<Micros>(random() % 1'000);
    CHECK(versions.append(row / 2, from, to, row % 3, 0) == row);
  }
  for (uint32_t block = 0; block < 3; ++block) {
    const Zone zone = versions.zone(block);
    for (Row row = block * kBlockRows; row < std::min<Row>(3'000, (block + 1) * kBlockRows); ++row) {
      CHECK(zone.min_from <= versions.valid_from(row) && versions.valid_from(row) <= zone.max_from);
      const Micros to = versions.valid_to(row);
      CHECK(to == kOpenEnd ? zone.has_open_end != 0 : zone.min_to <= to && to <= zone.max_to);
    }
  }
  CHECK(versions.zone(3).min_from == INT64_MAX && versions.closed_tx(17) == kNeverTx &&
        versions.closing_number(17) == kNone);
  versions.close(17, 4, EndedBy::kCorrected, 12);
  versions.close(2, 5, EndedBy::kRetracted, kNone);
  CHECK(versions.closed_tx(17) == 4 && versions.closing(versions.closing_number(17)).reason == 12);
  CHECK(versions.closing_count() == 2 && versions.closing(1).row == 2 &&
        versions.closing(1).ended_by == EndedBy::kRetracted);
}

}  // namespace

int main() {
  test_chunked_column();
  test_sparse_column();
  test_block_forms();
  test_column_view();
  test_version_index();
  test_properties();
  test_versions();
  return 0;
}
