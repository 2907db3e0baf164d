// Writing and reading the sections of an event block, in the order of store/FORMAT.md.
#include "core/codec/event_block.h"

#include <algorithm>
#include <numeric>

namespace palimpsest {
namespace {

constexpr uint8_t kLayout = 1;
constexpr uint8_t kAllKeysChosen = 1;
constexpr uint8_t kHasHoles = 2;
constexpr size_t kNameBytes = 256;

enum EndManner : int64_t { kDuration = 0, kInstant = 1, kOpen = 2 };  // stored in files: never renumber

template <typename T>
void write_column(std::vector<uint8_t>& out, const std::vector<T>& values, std::vector<int64_t>& scratch) {
  scratch.assign(values.begin(), values.end());
  write_ints(out, scratch);
}

void write_ends(std::vector<uint8_t>& out, const EventBlock& block) {
  std::vector<int64_t> manners(block.row_count);
  std::vector<int64_t> durations;
  for (uint32_t row = 0; row < block.row_count; ++row) {
    const int64_t from = block.valid_from[row];
    const int64_t to = block.valid_to[row];
    manners[row] = to == kOpenEnd ? kOpen : to == from + 1 ? kInstant : kDuration;
    if (manners[row] == kDuration) durations.push_back(to - from);
  }
  write_ints(out, manners);
  write_ints(out, durations);
}

void write_props(std::vector<uint8_t>& out, const std::vector<PropColumn>& props, std::vector<int64_t>& scratch) {
  put_varint(out, props.size());
  for (const PropColumn& column : props) {
    out.push_back(static_cast<uint8_t>(column.kind));
    put_varint(out, column.name.size());
    put_text(out, column.name);
    write_column(out, column.present, scratch);
    switch (column.kind) {
      case PropKind::kInt64:
      case PropKind::kBool:
        write_ints(out, column.ints);
        break;
      case PropKind::kDouble:
        write_doubles(out, column.doubles);
        break;
      case PropKind::kString:
      case PropKind::kJson:
        write_texts(out, column.texts);
        break;
    }
  }
}

Status bad(const char* what) { return {Code::kLogCorrupt, std::string("event block: ") + what}; }

/// Reads the block piece by piece; each piece fails the reader, or names what is wrong.
class BlockReader {
 public:
  BlockReader(std::span<const uint8_t> bytes, uint32_t row_limit)
      : in_(bytes), row_limit_(std::min(row_limit, kBlockRowLimit)) {}

  Result<EventBlock> read() {
    if (in_.u8() != kLayout) return bad("unknown layout");
    const uint8_t flags = in_.u8();
    const uint64_t row_count = in_.varint();
    if ((flags & ~(kAllKeysChosen | kHasHoles)) != 0) return bad("unknown flags");
    if (row_count < 1 || row_count > row_limit_) return bad("row count out of range");
    block_.row_count = static_cast<uint32_t>(row_count);
    block_.all_keys_chosen = (flags & kAllKeysChosen) != 0;
    const char* wrong = read_uids();
    if (wrong == nullptr) wrong = read_ends_of_edges(block_.src);
    if (wrong == nullptr) wrong = read_ends_of_edges(block_.dst);
    if (wrong == nullptr) wrong = read_types();
    if (wrong == nullptr) wrong = read_times();
    if (wrong == nullptr) wrong = read_keys();
    if (wrong == nullptr && (flags & kHasHoles) != 0) wrong = read_small(block_.hole, 2);
    if (wrong == nullptr) wrong = read_props();
    if (wrong == nullptr && !in_.is_at_end()) wrong = "bytes after the last column";
    if (wrong != nullptr) return bad(wrong);
    return std::move(block_);
  }

 private:
  static constexpr const char* kCut = "a section does not fit its bytes";

  const char* read_uids() {
    const uint64_t uid_count = in_.varint();
    if (uid_count > 2 * uint64_t{block_.row_count}) return "more new uids than ends";
    return read_texts(in_, uid_count, block_.new_uids, block_.arena) ? nullptr : kCut;
  }

  const char* read_ends_of_edges(std::vector<uint32_t>& nodes) {
    if (!read_ints(in_, block_.row_count, ints_)) return kCut;
    nodes.resize(block_.row_count);
    for (uint32_t row = 0; row < block_.row_count; ++row) {
      if (ints_[row] < 0 || ints_[row] >= kNone) return "a node number out of range";
      nodes[row] = static_cast<uint32_t>(ints_[row]);
    }
    return nullptr;
  }

  const char* read_types() {
    const uint64_t type_count = in_.varint();
    if (type_count < 1 || type_count > block_.row_count) return "type count out of range";
    if (!read_texts(in_, type_count, block_.types, block_.arena)) return kCut;
    if (type_count == 1) return nullptr;
    if (!read_ints(in_, block_.row_count, ints_)) return kCut;
    block_.type_code.resize(block_.row_count);
    for (uint32_t row = 0; row < block_.row_count; ++row) {
      if (ints_[row] < 0 || static_cast<uint64_t>(ints_[row]) >= type_count) return "a type out of range";
      block_.type_code[row] = static_cast<uint16_t>(ints_[row]);
    }
    return nullptr;
  }

  const char* read_times() {
    std::vector<int64_t> manners;
    std::vector<int64_t> durations;
    if (!read_ints(in_, block_.row_count, block_.valid_from) || !read_ints(in_, block_.row_count, manners)) return kCut;
    for (const int64_t manner : manners) {
      if (manner < kDuration || manner > kOpen) return "an unknown manner of the end";
    }
    const auto with_duration = static_cast<size_t>(std::count(manners.begin(), manners.end(), kDuration));
    if (!read_ints(in_, with_duration, durations)) return kCut;
    block_.valid_to.resize(block_.row_count);
    size_t next = 0;
    for (uint32_t row = 0; row < block_.row_count; ++row) {
      const int64_t from = block_.valid_from[row];
      if (from < kBeginning || from >= kCalendarEnd) return "valid_from outside the calendar";
      if (manners[row] == kOpen) {
        block_.valid_to[row] = kOpenEnd;
        continue;
      }
      const int64_t duration = manners[row] == kInstant ? 1 : durations[next++];
      if (duration < 1 || duration > kCalendarEnd - from) return "valid_to outside the calendar";
      block_.valid_to[row] = from + duration;
    }
    return nullptr;
  }

  const char* read_keys() {
    if (block_.all_keys_chosen) return nullptr;
    if (const char* wrong = read_small(block_.key_chosen, 1)) return wrong;
    const auto explicit_count =
        static_cast<size_t>(std::count(block_.key_chosen.begin(), block_.key_chosen.end(), uint8_t{0}));
    return read_texts(in_, explicit_count, block_.keys, block_.arena) ? nullptr : kCut;
  }

  const char* read_small(std::vector<uint8_t>& values, int64_t greatest) {
    if (!read_ints(in_, block_.row_count, ints_)) return kCut;
    values.resize(block_.row_count);
    for (uint32_t row = 0; row < block_.row_count; ++row) {
      if (ints_[row] < 0 || ints_[row] > greatest) return "a flag out of range";
      values[row] = static_cast<uint8_t>(ints_[row]);
    }
    return nullptr;
  }

  const char* read_props() {
    const uint64_t column_count = in_.varint();
    if (column_count > kBlockColumnLimit) return "too many columns";
    for (uint64_t i = 0; i < column_count; ++i) {
      if (const char* wrong = read_prop(block_.props.emplace_back())) return wrong;
    }
    return in_.is_good() ? nullptr : kCut;
  }

  const char* read_prop(PropColumn& column) {
    const uint8_t kind = in_.u8();
    const uint64_t name_bytes = in_.varint();
    if (kind > static_cast<uint8_t>(PropKind::kJson) || name_bytes > kNameBytes) return "an unknown column";
    column.kind = static_cast<PropKind>(kind);
    column.name = in_.text(name_bytes);
    if (const char* wrong = read_small(column.present, 1)) return wrong;
    const auto value_count = std::accumulate(column.present.begin(), column.present.end(), size_t{0});
    if (value_count == 0) return "a column without values";
    switch (column.kind) {
      case PropKind::kInt64:
        return read_ints(in_, value_count, column.ints) ? nullptr : kCut;
      case PropKind::kBool:
        if (!read_ints(in_, value_count, column.ints)) return kCut;
        return std::all_of(column.ints.begin(), column.ints.end(), [](int64_t v) { return v == 0 || v == 1; })
                   ? nullptr
                   : "a bool that is none";
      case PropKind::kDouble:
        return read_doubles(in_, value_count, column.doubles) ? nullptr : kCut;
      case PropKind::kString:
      case PropKind::kJson:
        return read_texts(in_, value_count, column.texts, block_.arena) ? nullptr : kCut;
    }
    return kCut;
  }

  ByteReader in_;
  uint32_t row_limit_;
  EventBlock block_;
  std::vector<int64_t> ints_;
};

}  // namespace

void encode_block(const EventBlock& block, std::vector<uint8_t>& out) {
  std::vector<int64_t> scratch;
  scratch.reserve(kBlockRowLimit);
  const auto flags =
      static_cast<uint8_t>((block.all_keys_chosen ? kAllKeysChosen : 0) | (block.hole.empty() ? 0 : kHasHoles));
  out.push_back(kLayout);
  out.push_back(flags);
  put_varint(out, block.row_count);
  put_varint(out, block.new_uids.size());
  write_texts(out, block.new_uids);
  write_column(out, block.src, scratch);
  write_column(out, block.dst, scratch);
  put_varint(out, block.types.size());
  write_texts(out, block.types);
  if (block.types.size() > 1) write_column(out, block.type_code, scratch);
  write_ints(out, block.valid_from);
  write_ends(out, block);
  if (!block.all_keys_chosen) {
    write_column(out, block.key_chosen, scratch);
    write_texts(out, block.keys);
  }
  if (!block.hole.empty()) write_column(out, block.hole, scratch);
  write_props(out, block.props, scratch);
}

Result<EventBlock> decode_block(std::span<const uint8_t> bytes, uint32_t row_limit) {
  return BlockReader(bytes, row_limit).read();
}

}  // namespace palimpsest
