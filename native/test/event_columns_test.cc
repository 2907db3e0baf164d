// Bulk columns: check, cut, encode and decode give the rows back; what is wrong is named with its row.
#include "core/store/event_columns.h"

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;
using Texts = std::vector<std::optional<std::string>>;

/// A text column that owns its arrays, with codes into distinct texts or without.
class OwnedTexts {
 public:
  OwnedTexts() = default;
  OwnedTexts(const Texts& rows, bool has_codes) {
    std::map<std::string, uint32_t> numbers;
    for (const auto& text : rows) {
      present_.push_back(text.has_value() ? 1 : 0);
      is_whole_ = is_whole_ && text.has_value();
      if (!has_codes) {
        add(text.value_or(""));
        continue;
      }
      const auto [entry, is_new] = numbers.try_emplace(text.value_or(""), static_cast<uint32_t>(numbers.size()));
      if (is_new) add(entry->first);
      codes_.push_back(entry->second);
    }
    has_codes_ = has_codes;
  }
  TextColumn view() const {
    return {bytes_.data(),
            bytes_.size(),
            ends_.data(),
            has_codes_ ? codes_.data() : nullptr,
            is_whole_ ? nullptr : present_.data(),
            static_cast<uint32_t>(ends_.size())};
  }
  std::vector<uint32_t>& codes() { return codes_; }
  std::vector<uint32_t>& ends() { return ends_; }

 private:
  void add(const std::string& text) {
    bytes_ += text;
    ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  }
  std::string bytes_;
  std::vector<uint32_t> ends_, codes_;
  std::vector<uint8_t> present_;
  bool has_codes_ = false;
  bool is_whole_ = true;
};

struct Value {
  PropKind kind;
  int64_t number = 0;
  double real = 0;
  std::string text;
  bool operator==(const Value&) const = default;
};

/// Rows as they are meant, and the columns that say so.
struct Load {
  explicit Load(Random& random, uint32_t row_count);

  EventColumns columns() const {
    EventColumns out;
    out.row_count = static_cast<uint32_t>(time.size());
    out.src = src_column.view();
    out.dst = dst_column.view();
    out.type = type_column.view();
    if (has_keys) out.key = key_column.view();
    out.time = time.data();
    out.valid_to = has_ends ? valid_to.data() : nullptr;
    out.props = {{"weight", PropKind::kDouble, nullptr, doubles.data(), nullptr, {}, doubles_present.data()},
                 {"count", PropKind::kInt64, ints.data(), nullptr, nullptr, {}, nullptr},
                 {"flag", PropKind::kBool, nullptr, nullptr, bools.data(), {}, bools_present.data()},
                 {"note", PropKind::kString, nullptr, nullptr, nullptr, note_column.view(), note_present.data()}};
    return out;
  }

  Texts src, dst, type, key, note;
  OwnedTexts src_column, dst_column, type_column, key_column, note_column;
  std::vector<int64_t> time, valid_to, ints;
  std::vector<double> doubles;
  std::vector<uint8_t> bools, doubles_present, bools_present, note_present;
  bool has_keys, has_ends;
};

Load::Load(Random& random, uint32_t row_count) {
  const auto flip = [&] { return random() % 2 == 0; };
  has_keys = flip();
  has_ends = flip();
  const uint64_t uid_count = 1 + random() % 300;
  for (uint32_t row = 0; row < row_count; ++row) {
    src.push_back("u" + std::to_string(random() % uid_count));
    dst.push_back("u" + std::to_string(random() % uid_count));
    type.push_back(random() % 4 == 0 ? "PAID" : "SENT");
    key.push_back(flip() ? std::optional<std::string>() : "#" + std::to_string(random() % 50));
    note.push_back(flip() ? std::optional<std::string>() : std::string(random() % 4, 'x'));
    note_present.push_back(note.back() ? 1 : 0);
    time.push_back(static_cast<int64_t>(random() % 1'000'000'000) - 500'000'000);
    valid_to.push_back(random() % 3 == 0 ? kOpenEnd : time.back() + 1 + static_cast<int64_t>(random() % 3));
    const double choices[] = {0.5, 3.0, -0.0, 9007199254740991.0, 9007199254740992.0, -1e300, 1.0 / 3};
    doubles.push_back(choices[random() % 7]);
    doubles_present.push_back(flip() ? 1 : 0);
    ints.push_back(static_cast<int64_t>(random()));
    bools.push_back(static_cast<uint8_t>(random() % 3));
    bools_present.push_back(flip() ? 1 : 0);
  }
  src_column = {src, flip()};
  dst_column = {dst, flip()};
  type_column = {type, flip()};
  key_column = {key, flip()};
  note_column = {note, flip()};
}

std::map<std::string, Value> values_of(const Load& load, uint32_t row) {
  std::map<std::string, Value> out;
  out["count"] = {PropKind::kInt64, load.ints[row], 0, ""};
  if (load.doubles_present[row]) {
    const double number = load.doubles[row];
    const bool is_int = number == std::floor(number) && std::fabs(number) <= 9007199254740991.0;
    out["weight"] =
        is_int ? Value{PropKind::kInt64, static_cast<int64_t>(number), 0, ""} : Value{PropKind::kDouble, 0, number, ""};
  }
  if (load.bools_present[row]) out["flag"] = {PropKind::kBool, load.bools[row] != 0 ? 1 : 0, 0, ""};
  if (load.note[row]) out["note"] = {PropKind::kString, 0, 0, *load.note[row]};
  return out;
}

/// Values by row of a decoded block.
std::vector<std::map<std::string, Value>> values_of(const EventBlock& block) {
  std::vector<std::map<std::string, Value>> out(block.row_count);
  for (const PropColumn& column : block.props) {
    size_t at = 0;
    for (uint32_t row = 0; row < block.row_count; ++row) {
      if (column.present[row] == 0) continue;
      Value value{column.kind, 0, 0, ""};
      if (column.kind == PropKind::kDouble)
        value.real = column.doubles[at];
      else if (column.kind == PropKind::kString || column.kind == PropKind::kJson)
        value.text = column.texts[at];
      else
        value.number = column.ints[at];
      ++at;
      CHECK(out[row].try_emplace(std::string(column.name), value).second);
    }
  }
  return out;
}

void test_round_trip(uint64_t seed) {
  Random random(seed);
  const Load load(random, static_cast<uint32_t>(1 + random() % 3'000));
  const EventColumns columns = load.columns();
  CHECK(check_events(columns).is_ok());
  Garbage garbage;
  TextTable uids(garbage);
  uids.intern("u1");  // known before
  std::vector<std::string> names = {"u1"};
  EventCutter cutter(columns, uids);
  uint32_t first = 0;
  while (const EventBlock* cut = cutter.next()) {
    std::vector<uint8_t> bytes;
    encode_block(*cut, bytes);
    const auto decoded = decode_block(bytes, kBlockRowLimit);
    CHECK(decoded.is_ok());
    const EventBlock& block = decoded.value();
    CHECK(block.row_count == std::min(kBlockRowLimit, columns.row_count - first));
    for (const std::string_view uid : block.new_uids) names.emplace_back(uid);
    const auto values = values_of(block);
    size_t key_at = 0;
    for (uint32_t i = 0; i < block.row_count; ++i) {
      const uint32_t row = first + i;
      CHECK(names.at(block.src[i]) == load.src[row] && names.at(block.dst[i]) == load.dst[row]);
      CHECK(block.types[block.type_code.empty() ? 0 : block.type_code[i]] == load.type[row]);
      CHECK(block.valid_from[i] == load.time[row]);
      CHECK(block.valid_to[i] == (load.has_ends ? load.valid_to[row] : load.time[row] + 1));
      const bool is_chosen = block.all_keys_chosen || block.key_chosen[i] != 0;
      CHECK(is_chosen == (!load.has_keys || !load.key[row]));
      if (!is_chosen) CHECK(block.keys[key_at++] == load.key[row]);
      CHECK(values[i] == values_of(load, row));
    }
    first += block.row_count;
  }
  CHECK(first == columns.row_count);
  for (uint32_t number = 0; number < names.size(); ++number) CHECK(uids.get(number) == names[number]);
  CHECK(uids.count() == names.size());
}

void expect(const Status& status, Code code, int64_t row) { CHECK(status.code() == code && status.position() == row); }

void test_refusals() {
  Random random(4);
  constexpr uint32_t kRows = 100;
  for (int round = 0; round < 40; ++round) {
    Load load(random, kRows);
    load.has_ends = true;
    const auto row = static_cast<uint32_t>(random() % kRows);
    load.time[row] = kCalendarEnd;
    expect(check_events(load.columns()), Code::kInvalidArg, row);
    load.time[row] = kBeginning - 1;
    expect(check_events(load.columns()), Code::kInvalidArg, row);
    load.time[row] = 10;
    load.valid_to[row] = 10;
    expect(check_events(load.columns()), Code::kPeriodOrder, row);
    load.valid_to[row] = kOpenEnd + 1;
    expect(check_events(load.columns()), Code::kInvalidArg, row);
    load.valid_to[row] = kOpenEnd;
    load.doubles_present[row] = 1;
    load.doubles[row] = round % 2 == 0 ? HUGE_VAL : NAN;
    expect(check_events(load.columns()), Code::kInvalidArg, row);
    load.doubles[row] = 1;
    CHECK(check_events(load.columns()).is_ok());

    const bool has_codes = round % 2 == 0;
    const auto with_src = [&](std::optional<std::string> text) {
      Texts rows(kRows, "fine");
      rows[row] = std::move(text);
      load.src_column = {rows, has_codes};
    };
    with_src("");
    expect(check_events(load.columns()), Code::kSchema, row);
    with_src(std::string(1025, 'u'));
    expect(check_events(load.columns()), Code::kInvalidArg, row);
    with_src("\xED\xA0\x80");
    expect(check_events(load.columns()), Code::kInvalidArg, row);
    with_src({});
    expect(check_layout(load.columns()), Code::kInvalidArg, row);
    with_src("fine, too");
    CHECK(check_events(load.columns()).is_ok());
    if (has_codes) {
      load.src_column.codes()[row] = 2;
      expect(check_layout(load.columns()), Code::kInvalidArg, row);
      load.src_column.codes()[row] = kNone;
      expect(check_layout(load.columns()), Code::kInvalidArg, row);
    } else {
      load.src_column.ends()[row] += 100'000;
      expect(check_layout(load.columns()), Code::kInvalidArg, row);
      load.src_column.ends()[row] = row == 0 ? kNone : 0;
      expect(check_layout(load.columns()), Code::kInvalidArg, row);
      load.src_column.ends().resize(kRows - 1);
      CHECK(!check_layout(load.columns()).is_ok());
    }
  }
}

void test_two_values_of_a_property() {
  Random random(8);
  const Load load(random, 50);
  EventColumns columns = load.columns();
  columns.props.push_back(columns.props[1]);
  std::vector<uint8_t> present(50, 0);
  columns.props.back().present = present.data();
  CHECK(check_events(columns).is_ok());
  present[33] = 1;
  expect(check_events(columns), Code::kInvalidArg, 33);
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 60; ++seed) test_round_trip(seed);
  test_refusals();
  test_two_values_of_a_property();
  return 0;
}
