#include "core/kernels/aggregate/group_table.h"

#include <algorithm>
#include <new>

namespace palimpsest::aggregate {

namespace {
constexpr uint64_t kMostCells = uint64_t{4} << 20;
constexpr uint64_t kMostMinors = uint64_t{1} << 31;

uint32_t code_at(const CodeColumns& columns, size_t column, uint32_t at) {
  return columns.codes[column][columns.is_constant[column] ? 0 : at];
}

/// The product of the ranges, 0 where one is unknown or the product passes `most`.
uint64_t product(const std::vector<CodeRange>& ranges, bool has_monotone, uint64_t most) {
  uint64_t cells = 1;
  for (const CodeRange& range : ranges) {
    if (range.is_monotone && !has_monotone) continue;
    if (range.range == 0 || range.range > most / cells) return 0;
    cells *= range.range;
  }
  return cells;
}
}  // namespace

GroupTable::GroupTable(std::vector<CodeRange> ranges) : ranges_(std::move(ranges)) {
  minor_range_ = product(ranges_, false, kMostMinors);
  if (const uint64_t cells = product(ranges_, true, kMostCells); cells != 0) {
    table_ = std::make_unique<ZeroedArray<uint32_t>>(cells);
  } else {
    slots_.assign(1024, 0);
  }
}

/// The combination of the codes of each event as one number, with or without the monotone ones.
void GroupTable::combine(const CodeColumns& columns, uint32_t count, bool has_monotone, uint32_t* out) const {
  uint32_t shared = 0;
  uint32_t stride = 1;
  bool is_first = true;
  for (size_t column = 0; column < ranges_.size(); ++column) {
    if (ranges_[column].is_monotone && !has_monotone) continue;
    const uint32_t* codes = columns.codes[column];
    if (columns.is_constant[column]) {
      shared += codes[0] * stride;
    } else if (is_first) {
      for (uint32_t i = 0; i < count; ++i) out[i] = codes[i] * stride;
      is_first = false;
    } else {
      for (uint32_t i = 0; i < count; ++i) out[i] += codes[i] * stride;
    }
    stride *= static_cast<uint32_t>(ranges_[column].range);
  }
  if (is_first) {
    std::fill_n(out, count, shared);
  } else if (shared != 0) {
    for (uint32_t i = 0; i < count; ++i) out[i] += shared;
  }
}

bool GroupTable::assign(const CodeColumns& columns, uint32_t count, uint32_t* groups, uint32_t* minors) {
  if (minors != nullptr && minor_range_ != 0) combine(columns, count, false, minors);
  return table_ ? assign_by_table(columns, count, groups) : assign_by_hash(columns, count, groups);
}

bool GroupTable::assign_by_table(const CodeColumns& columns, uint32_t count, uint32_t* groups) {
  if (ranges_.empty()) {
    std::fill_n(groups, count, 0);
    return true;
  }
  if (cells_.size() < count) cells_.resize(count);
  combine(columns, count, true, cells_.data());
  uint32_t* table = table_->data();
  const uint32_t* cells = cells_.data();
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t& group = table[cells[i]];
    if (group == 0) {
      if (count_ == kMostGroups) return false;
      group = add_group(columns, i) + 1;
    }
    groups[i] = group - 1;
  }
  return true;
}

bool GroupTable::assign_by_hash(const CodeColumns& columns, uint32_t count, uint32_t* groups) {
  for (uint32_t i = 0; i < count; ++i) {
    groups[i] = find_or_add(columns, i);
    if (count_ > kMostGroups) return false;
  }
  return true;
}

uint32_t GroupTable::add_group(const CodeColumns& columns, uint32_t at) {
  for (size_t column = 0; column < ranges_.size(); ++column) keys_.push_back(code_at(columns, column, at));
  return count_++;
}

namespace {
uint64_t mix(uint64_t hash, uint32_t code) {
  hash = (hash ^ code) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 32);
}
}  // namespace

uint32_t GroupTable::find_or_add(const CodeColumns& columns, uint32_t at) {
  uint64_t hash = 0;
  for (size_t column = 0; column < ranges_.size(); ++column) hash = mix(hash, code_at(columns, column, at));
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      const uint32_t group = add_group(columns, at);
      slots_[slot] = group + 1;
      if (size_t{count_} * 2 > slots_.size()) grow();
      return group;
    }
    const auto known = key(slots_[slot] - 1);
    size_t column = 0;
    while (column < known.size() && known[column] == code_at(columns, column, at)) ++column;
    if (column == known.size()) return slots_[slot] - 1;
  }
}

uint64_t GroupTable::bytes() const {
  return (table_ ? table_->bytes() : 0) + (keys_.capacity() + slots_.capacity()) * sizeof(uint32_t);
}

void GroupTable::grow() {
  slots_.assign(slots_.size() * 4, 0);
  const size_t mask = slots_.size() - 1;
  for (uint32_t group = 0; group < count_; ++group) {
    uint64_t hash = 0;
    for (const uint32_t code : key(group)) hash = mix(hash, code);
    size_t slot = hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = group + 1;
  }
}

}  // namespace palimpsest::aggregate
