#include "core/store/text_table.h"

#include <algorithm>
#include <cstring>

namespace palimpsest {

namespace {
constexpr size_t kBlockBytes = size_t{1} << 18;
constexpr uint64_t kEmptySlot = uint64_t{kNone} << 32;

uint64_t slot_of(uint32_t number, uint64_t hash) { return uint64_t{number} << 32 | static_cast<uint32_t>(hash); }
uint32_t number_in(uint64_t slot) { return static_cast<uint32_t>(slot >> 32); }
uint32_t hash_in(uint64_t slot) { return static_cast<uint32_t>(slot); }

uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xE9846AF9B1A615DULL;
  x ^= x >> 32;
  x *= 0xE9846AF9B1A615DULL;
  x ^= x >> 28;
  return x;
}

std::string_view text_of(const char* entry) {
  uint32_t length;
  std::memcpy(&length, entry, sizeof length);
  return {entry + sizeof length, length};
}
}  // namespace

uint64_t hash_bytes(const char* data, size_t length) {
  uint64_t hash = mix(length + 0x9E3779B97F4A7C15ULL);
  while (length >= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    hash = mix(hash ^ word) * 0x9E3779B97F4A7C15ULL;
    data += 8;
    length -= 8;
  }
  if (length > 0) {
    uint64_t word = 0;
    std::memcpy(&word, data, length);
    hash = mix(hash ^ word) * 0x9E3779B97F4A7C15ULL;
  }
  return mix(hash);
}

TextTable::~TextTable() {
  for (auto& table : tables_) std::free(table.load(std::memory_order_relaxed));
}

TextTable::SubTable* TextTable::make_sub_table(uint32_t capacity) {
  const size_t bytes = sizeof(SubTable) + sizeof(std::atomic<uint64_t>) * (capacity - 1);
  auto* table = static_cast<SubTable*>(std::malloc(bytes));
  if (table == nullptr) throw std::bad_alloc();
  table->mask = capacity - 1;
  table->used = 0;
  for (uint32_t i = 0; i < capacity; ++i) new (&table->slots[i]) std::atomic<uint64_t>(kEmptySlot);
  return table;
}

std::string_view TextTable::get(TextNumber number) const { return text_of(entries_.get_atomic(number)); }

TextNumber TextTable::find(std::string_view text) const {
  const uint64_t hash = hash_bytes(text.data(), text.size());
  const SubTable* table = tables_[sub_table_of(hash)].load(std::memory_order_acquire);
  if (table == nullptr) return kNone;
  for (uint32_t slot = static_cast<uint32_t>(hash) & table->mask;; slot = (slot + 1) & table->mask) {
    const uint64_t entry = table->slots[slot].load(std::memory_order_acquire);
    const uint32_t number = number_in(entry);
    if (number == kNone) return kNone;
    if (hash_in(entry) == static_cast<uint32_t>(hash) && get(number) == text) return number;
  }
}

TextNumber TextTable::intern(std::string_view text) {
  const uint64_t hash = hash_bytes(text.data(), text.size());
  const unsigned index = sub_table_of(hash);
  SubTable* table = tables_[index].load(std::memory_order_relaxed);
  if (table == nullptr || must_grow(index, table->used, table->mask + 1)) {
    grow(index);
    table = tables_[index].load(std::memory_order_relaxed);
  }
  for (uint32_t slot = static_cast<uint32_t>(hash) & table->mask;; slot = (slot + 1) & table->mask) {
    const uint64_t entry = table->slots[slot].load(std::memory_order_relaxed);
    const uint32_t number = number_in(entry);
    if (number == kNone) {
      entries_.set_atomic(count_, store(text));
      ++table->used;
      table->slots[slot].store(slot_of(count_, hash), std::memory_order_release);
      return count_++;
    }
    if (hash_in(entry) == static_cast<uint32_t>(hash) && get(number) == text) return number;
  }
}

TextNumber TextTable::add_unnamed() {
  entries_.set_atomic(count_, store({}));
  return count_++;
}

void TextTable::truncate(uint32_t count) {
  // Probe chains are ordered by number (see grow), so emptying the newest slots first leaves older chains whole.
  while (count_ > count) {
    const std::string_view text = get(--count_);
    const uint64_t hash = hash_bytes(text.data(), text.size());
    SubTable* table = tables_[sub_table_of(hash)].load(std::memory_order_relaxed);
    if (table == nullptr) continue;
    for (uint32_t slot = static_cast<uint32_t>(hash) & table->mask;; slot = (slot + 1) & table->mask) {
      const uint32_t number = number_in(table->slots[slot].load(std::memory_order_relaxed));
      if (number == kNone) break;  // unnamed: it never was in the table
      if (number != count_) continue;
      table->slots[slot].store(kEmptySlot, std::memory_order_release);
      --table->used;
      break;
    }
  }
}

void TextTable::grow(unsigned index) {
  SubTable* old = tables_[index].load(std::memory_order_relaxed);
  const uint32_t capacity = old ? (old->mask + 1) * 2 : kFirstSubTableSlots;
  SubTable* table = make_sub_table(capacity);
  slot_bytes_ += capacity * sizeof(uint64_t);
  if (old != nullptr) {
    std::vector<uint64_t> entries;
    entries.reserve(old->used);
    for (uint32_t slot = 0; slot <= old->mask; ++slot) {
      const uint64_t entry = old->slots[slot].load(std::memory_order_relaxed);
      if (entry != kEmptySlot) entries.push_back(entry);
    }
    // In number order: an entry then never stands behind a newer one in its probe chain, which truncate relies on.
    std::sort(entries.begin(), entries.end());
    for (const uint64_t entry : entries) {
      uint32_t slot = hash_in(entry) & table->mask;
      while (table->slots[slot].load(std::memory_order_relaxed) != kEmptySlot) slot = (slot + 1) & table->mask;
      table->slots[slot].store(entry, std::memory_order_relaxed);
    }
    table->used = old->used;
    slot_bytes_ -= (old->mask + 1) * sizeof(uint64_t);
    garbage_.retire(old, std::free);
  }
  tables_[index].store(table, std::memory_order_release);
}

const char* TextTable::store(std::string_view text) {
  const uint32_t length = static_cast<uint32_t>(text.size());
  const size_t bytes = sizeof length + text.size();
  char* place;
  if (bytes > kBlockBytes / 4) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    place = blocks_.back().get();
    arena_bytes_ += bytes;
  } else {
    if (bytes > block_left_) {
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
      block_cursor_ = blocks_.back().get();
      block_left_ = kBlockBytes;
      arena_bytes_ += kBlockBytes;
    }
    place = block_cursor_;
    block_cursor_ += bytes;
    block_left_ -= bytes;
  }
  std::memcpy(place, &length, sizeof length);
  if (!text.empty()) std::memcpy(place + sizeof length, text.data(), text.size());
  return place;
}

}  // namespace palimpsest
