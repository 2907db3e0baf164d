// The block codec and its parts: known sums, round trips of random data, the worked example of FORMAT.md, garbage.
#include <cstring>
#include <random>
#include <string>

#include "core/codec/crc32c.h"
#include "core/codec/event_block.h"
#include "core/codec/packed.h"
#include "core/codec/sections.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;

uint64_t below(Random& random, uint64_t limit) { return random() % limit; }

void test_crc32c() {
  // RFC 3720, B.4.
  uint8_t bytes[32] = {};
  CHECK(crc32c(bytes, 32) == 0x8A9136AAu);
  std::memset(bytes, 0xFF, 32);
  CHECK(crc32c(bytes, 32) == 0x62A8AB43u);
  for (uint8_t i = 0; i < 32; ++i) bytes[i] = i;
  CHECK(crc32c(bytes, 32) == 0x46DD794Eu);
  CHECK(crc32c_portable("123456789", 9) == 0xE3069283u);
  Random random(1);
  std::vector<uint8_t> data(20'000);
  for (auto& byte : data) byte = static_cast<uint8_t>(random());
  for (int round = 0; round < 500; ++round) {
    const size_t from = below(random, data.size());
    const size_t count = below(random, data.size() - from + 1);
    const size_t cut = below(random, count + 1);
    const uint32_t whole = crc32c_portable(&data[from], count);
    CHECK(crc32c(&data[from], count) == whole);
    CHECK(crc32c(&data[from] + cut, count - cut, crc32c(&data[from], cut)) == whole);
  }
}

/// Integers of every shape that the forms are made for, and of none.
std::vector<int64_t> random_ints(Random& random, size_t count) {
  std::vector<int64_t> values(count);
  const uint64_t shape = below(random, 7);
  const uint64_t bits = below(random, 65);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const auto base = static_cast<int64_t>(random());
  const auto step = static_cast<int64_t>(below(random, 1'000'000'000)) - 500'000'000;
  int64_t running = base / 4;
  for (size_t i = 0; i < count; ++i) {
    const auto noise = static_cast<int64_t>(random() & mask);
    switch (shape) {
      case 0:
        values[i] = base;
        break;
      case 1:
        values[i] = noise;
        break;
      case 2:
        values[i] = static_cast<int64_t>(static_cast<uint64_t>(base) + static_cast<uint64_t>(noise));
        break;
      case 3:
        values[i] = static_cast<int64_t>((random() & 0xFFFF) * 1'000'000);
        break;
      case 4:
        values[i] = running += step;
        break;
      case 5:
        values[i] = running += static_cast<int64_t>(below(random, 60)) * 1'000'000;
        break;
      default:
        values[i] = below(random, 2) ? INT64_MAX : INT64_MIN;
        break;
    }
  }
  return values;
}

void test_packed_block() {
  Random random(2);
  std::vector<int64_t> unpacked(kPackedValues);
  for (int round = 0; round < 400; ++round) {
    const size_t count = round % 3 == 0 ? 1 + below(random, kPackedValues) : kPackedValues;
    const auto values = random_ints(random, count);
    std::vector<uint64_t> words;
    const PackedBlock block = pack_block(values, words);
    block.unpack(unpacked.data());
    for (uint32_t i = 0; i < kPackedValues; ++i) {
      CHECK(unpacked[i] == values[i < count ? i : count - 1]);
      CHECK(block.at(i) == unpacked[i]);
    }
  }
  // A straight line costs no codes; constants cost nothing.
  std::vector<int64_t> line(kPackedValues);
  for (size_t i = 0; i < line.size(); ++i) line[i] = 1'000'000'000 + static_cast<int64_t>(i) * 5'000'000;
  std::vector<uint64_t> words;
  CHECK(pack_block(line, words).packed_bytes() == 0);
  CHECK(pack_block(std::vector<int64_t>(kPackedValues, -7), words).packed_bytes() == 0);
}

void test_ints() {
  Random random(3);
  std::vector<int64_t> back;
  for (int round = 0; round < 2000; ++round) {
    const size_t count = round % 4 == 0 ? kPackedValues : below(random, kIntsLimit + 1);
    const auto values = random_ints(random, count);
    ByteBuffer bytes;
    write_ints(bytes, values);
    ByteReader in(bytes);
    CHECK(read_ints(in, count, back) && in.is_at_end());
    CHECK(back == values);
  }
}

std::vector<std::string> random_texts(Random& random, size_t count) {
  std::vector<std::string> texts(count);
  const uint64_t shape = below(random, 6);
  for (auto& text : texts) {
    switch (shape) {
      case 0:
        text = "#" + std::to_string(random() >> 1);
        break;
      case 1:
        text = "user" + std::to_string(below(random, 100'000));
        break;
      case 2:
        text = std::string(below(random, 40), static_cast<char>('a' + below(random, 26)));
        break;
      case 3:
        text = below(random, 2) ? "open" : "a longer state, for the dictionary";
        break;
      case 4:
        text = (below(random, 9) ? "n" : "n0") + std::to_string(below(random, 100));
        break;
      default:
        text = std::to_string(below(random, 2) ? random() : below(random, 10));
        break;
    }
  }
  return texts;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

void test_texts() {
  Random random(4);
  for (int round = 0; round < 1000; ++round) {
    const size_t count = below(random, kIntsLimit + 1);
    const auto texts = random_texts(random, count);
    ByteBuffer bytes;
    write_texts(bytes, views_of(texts));
    ByteReader in(bytes);
    std::vector<std::string_view> back;
    TextArena arena;
    CHECK(read_texts(in, count, back, arena) && in.is_at_end());
    CHECK(std::equal(back.begin(), back.end(), texts.begin(), texts.end()));
  }
}

void test_doubles() {
  Random random(5);
  for (int round = 0; round < 500; ++round) {
    const size_t count = below(random, 1025);
    std::vector<double> values(count);
    for (auto& value : values) {
      const uint64_t bits = random();
      switch (round % 3) {
        case 0:
          std::memcpy(&value, &bits, sizeof value);
          break;
        case 1:
          value = static_cast<double>(below(random, 100'000)) / 100;
          break;
        default:
          value = static_cast<double>(below(random, 1'000'000)) * 1e-7;
          break;
      }
    }
    ByteBuffer bytes;
    write_doubles(bytes, values);
    ByteReader in(bytes);
    std::vector<double> back;
    CHECK(read_doubles(in, count, back) && in.is_at_end());
    CHECK(count == 0 || std::memcmp(back.data(), values.data(), count * sizeof(double)) == 0);
    if (round % 3 == 1 && count > 100) CHECK(bytes.size() < count * 3);
  }
}

/// A consistent block; the texts that it views live in `owned`.
EventBlock random_block(Random& random, std::vector<std::vector<std::string>>& owned) {
  EventBlock block;
  block.row_count = random() % 3 == 0 ? kBlockRowLimit : 1 + static_cast<uint32_t>(below(random, kBlockRowLimit));
  const uint32_t rows = block.row_count;
  auto own = [&](size_t count) {
    owned.push_back(random_texts(random, count));
    return views_of(owned.back());
  };
  block.new_uids = own(below(random, 2 * rows + 1));
  const uint64_t nodes = 1 + below(random, 200'000);
  for (uint32_t row = 0; row < rows; ++row) {
    block.src.push_back(static_cast<uint32_t>(below(random, nodes)));
    block.dst.push_back(static_cast<uint32_t>(below(random, nodes)));
  }
  block.types = own(1 + below(random, std::min(rows, 5u)));
  if (block.types.size() > 1) {
    for (uint32_t row = 0; row < rows; ++row) {
      block.type_code.push_back(static_cast<uint16_t>(below(random, block.types.size())));
    }
  }
  const uint64_t manners = below(random, 4);
  for (uint32_t row = 0; row < rows; ++row) {
    const auto from = static_cast<int64_t>(below(random, 1u << 30)) * 1'000'000;
    block.valid_from.push_back(from);
    const uint64_t manner = manners == 3 ? below(random, 3) : manners;
    block.valid_to.push_back(manner == 0 ? from + 1 : manner == 1 ? kOpenEnd : from + 2 + static_cast<int64_t>(row));
  }
  block.all_keys_chosen = random() % 2 == 0;
  if (!block.all_keys_chosen) {
    size_t explicit_count = 0;
    for (uint32_t row = 0; row < rows; ++row) {
      block.key_chosen.push_back(static_cast<uint8_t>(random() % 2));
      explicit_count += 1u - block.key_chosen.back();
    }
    block.keys = own(explicit_count);
  }
  if (random() % 4 == 0) {
    for (uint32_t row = 0; row < rows; ++row) block.hole.push_back(static_cast<uint8_t>(below(random, 3)));
  }
  const size_t column_count = below(random, 6);
  for (size_t i = 0; i < column_count; ++i) {
    PropColumn& column = block.props.emplace_back();
    column.name = own(1)[0].substr(0, 200);
    column.kind = static_cast<PropKind>(below(random, 5));
    size_t value_count = 0;
    for (uint32_t row = 0; row < rows; ++row) {
      column.present.push_back(row == rows / 2 || random() % 2 == 0);
      value_count += column.present.back();
    }
    switch (column.kind) {
      case PropKind::kInt64:
        column.ints = random_ints(random, value_count);
        break;
      case PropKind::kBool:
        for (size_t k = 0; k < value_count; ++k) column.ints.push_back(static_cast<int64_t>(random() % 2));
        break;
      case PropKind::kDouble:
        for (size_t k = 0; k < value_count; ++k) column.doubles.push_back(static_cast<double>(random()) / 3);
        break;
      default:
        column.texts = own(value_count);
        break;
    }
  }
  return block;
}

bool same(const EventBlock& a, const EventBlock& b) {
  if (a.props.size() != b.props.size()) return false;
  for (size_t i = 0; i < a.props.size(); ++i) {
    const PropColumn& x = a.props[i];
    const PropColumn& y = b.props[i];
    if (x.name != y.name || x.kind != y.kind || x.present != y.present || x.ints != y.ints || x.doubles != y.doubles ||
        x.texts != y.texts) {
      return false;
    }
  }
  return a.row_count == b.row_count && a.new_uids == b.new_uids && a.src == b.src && a.dst == b.dst &&
         a.types == b.types && a.type_code == b.type_code && a.valid_from == b.valid_from && a.valid_to == b.valid_to &&
         a.all_keys_chosen == b.all_keys_chosen && a.key_chosen == b.key_chosen && a.keys == b.keys && a.hole == b.hole;
}

void test_blocks() {
  Random random(6);
  for (int round = 0; round < 400; ++round) {
    std::vector<std::vector<std::string>> owned;
    owned.reserve(64);
    const EventBlock block = random_block(random, owned);
    std::vector<uint8_t> bytes;
    encode_block(block, bytes);
    const auto back = decode_block(bytes, kBlockRowLimit);
    CHECK(back.is_ok());
    CHECK(same(block, back.value()));
    if (block.row_count > 1) CHECK(!decode_block(bytes, block.row_count - 1).is_ok());
  }
}

/// Cut and altered blocks: refused, or decoded to something that is consistent and can be encoded again.
void test_garbage() {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::vector<std::string>> owned;
    owned.reserve(64);
    std::vector<uint8_t> bytes;
    encode_block(random_block(random, owned), bytes);
    for (int cut = 0; cut < 50; ++cut) {
      CHECK(!decode_block(std::span(bytes).first(below(random, bytes.size())), kBlockRowLimit).is_ok());
    }
    for (int change = 0; change < 200; ++change) {
      auto altered = bytes;
      const uint64_t count = 1 + below(random, 4);
      for (uint64_t i = 0; i < count; ++i) altered[below(random, altered.size())] = static_cast<uint8_t>(random());
      const auto back = decode_block(altered, kBlockRowLimit);
      if (!back.is_ok()) continue;
      std::vector<uint8_t> again;
      encode_block(back.value(), again);
      CHECK(decode_block(again, kBlockRowLimit).is_ok());
    }
  }
}

void test_worked_example() {
  EventBlock block;
  block.row_count = 3;
  block.new_uids = {"bob", "eve"};
  block.src = {0, 0, 2};
  block.dst = {1, 2, 1};
  block.types = {"MESSAGE"};
  const int64_t from = 1'082'016'161'000'000;  // 2004-04-15T08:02:41Z
  block.valid_from = {from, from + 10'000'000, from + 40'000'000};
  block.valid_to = {from + 1, from + 10'000'001, from + 40'000'001};
  PropColumn& column = block.props.emplace_back();
  column.name = "chars";
  column.present = {1, 0, 1};
  column.ints = {120, 7};
  const uint8_t expected[] = {0x01, 0x01, 0x03, 0x02, 0x00, 0x00, 0x06, 0x62, 0x6f, 0x62, 0x65, 0x76, 0x65,
                              0x01, 0x00, 0x02, 0x04, 0x01, 0x02, 0x01, 0x02, 0x01, 0x00, 0x00, 0x0e, 0x4d,
                              0x45, 0x53, 0x53, 0x41, 0x47, 0x45, 0x03, 0x80, 0xa9, 0xd7, 0xce, 0xd0, 0x85,
                              0xec, 0x03, 0x80, 0xad, 0xe2, 0x04, 0x08, 0x01, 0x00, 0x02, 0x01, 0x00, 0x05,
                              0x63, 0x68, 0x61, 0x72, 0x73, 0x01, 0x00, 0x01, 0x05, 0x01, 0x0e, 0x71, 0x01};
  std::vector<uint8_t> bytes;
  encode_block(block, bytes);
  CHECK(std::equal(bytes.begin(), bytes.end(), std::begin(expected), std::end(expected)));
}

/// What a row of plain events costs in the log, uids left out.
void test_size() {
  Random random(8);
  for (const uint64_t nodes : {uint64_t{10'000}, uint64_t{200'000}}) {
    std::vector<uint8_t> bytes;
    int64_t from = 1'500'000'000'000'000;
    const uint32_t block_count = 50;
    for (uint32_t i = 0; i < block_count; ++i) {
      EventBlock block;
      block.row_count = kBlockRowLimit;
      block.types = {"PAID", "WROTE"};
      for (uint32_t row = 0; row < kBlockRowLimit; ++row) {
        block.src.push_back(static_cast<uint32_t>(below(random, nodes)));
        block.dst.push_back(static_cast<uint32_t>(below(random, nodes)));
        block.type_code.push_back(static_cast<uint16_t>(random() % 2));
        from += static_cast<int64_t>(below(random, 60)) * 1'000'000;
        block.valid_from.push_back(from);
        block.valid_to.push_back(from + 3'600'000'000);
      }
      encode_block(block, bytes);
    }
    const double per_row = static_cast<double>(bytes.size()) / (block_count * kBlockRowLimit);
    std::printf("%llu nodes: %.2f bytes a row\n", static_cast<unsigned long long>(nodes), per_row);
    CHECK(per_row < 8);
  }
}

}  // namespace

int main() {
  test_crc32c();
  test_packed_block();
  test_ints();
  test_texts();
  test_doubles();
  test_worked_example();
  test_blocks();
  test_garbage();
  test_size();
  return 0;
}
