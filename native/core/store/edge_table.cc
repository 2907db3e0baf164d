#include "core/store/edge_table.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace palimpsest {

namespace {

uint64_t hash_identity(NodeNumber src, TypeNumber type, NodeNumber dst, TextNumber key) {
  uint64_t hash = (uint64_t{src} << 32 | dst) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 29;
  hash += uint64_t{key} << 16 | type;
  hash *= 0xBF58476D1CE4E5B9ULL;
  hash ^= hash >> 32;
  hash *= 0x94D049BB133111EBULL;
  return hash ^ (hash >> 31);
}

/// The n of a text `#n` in the form that the store chooses (no leading zeros), 0 otherwise.
uint64_t chosen_number(std::string_view key) {
  if (key.size() < 2 || key.size() > 11 || key[0] != '#' || key[1] < '1' || key[1] > '9') return 0;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(key.data() + 1, key.data() + key.size(), number);
  return error == std::errc{} && end == key.data() + key.size() ? number : 0;
}

void append_chosen_key(uint64_t number, std::string& out) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out.push_back('#');
  out.append(digits, end);
}

std::string chosen_key(uint64_t number) {
  std::string key;
  append_chosen_key(number, key);
  return key;
}
}  // namespace

EdgeTable::~EdgeTable() {
  for (auto& table : tables_) std::free(table.load(std::memory_order_relaxed));
}

void EdgeTable::append_key(EdgeNumber edge, std::string& out) const {
  const TextNumber number = key_.get(edge);
  if (number != kNone) {
    out.append(keys_.get(number));
    return;
  }
  append_chosen_key(edge, out);
}

std::string EdgeTable::key(EdgeNumber edge) const {
  std::string text;
  append_key(edge, text);
  return text;
}

bool EdgeTable::is_chosen(EdgeNumber edge, NodeNumber src, TypeNumber type, NodeNumber dst) const {
  return has_chosen_key(edge) && src_.get(edge) == src && dst_.get(edge) == dst && type_.get(edge) == type;
}

EdgeNumber EdgeTable::find(NodeNumber src, TypeNumber type, NodeNumber dst, std::string_view key,
                           EdgeNumber last) const {
  const uint64_t number = chosen_number(key);
  if (number != 0 && number <= last && is_chosen(static_cast<EdgeNumber>(number), src, type, dst)) {
    return static_cast<EdgeNumber>(number);
  }
  const TextNumber text = keys_.find(key);
  return text == kNone ? 0 : find_keyed(src, type, dst, text, last);
}

EdgeNumber EdgeTable::find_keyed(NodeNumber src, TypeNumber type, NodeNumber dst, TextNumber key,
                                 EdgeNumber last) const {
  const uint64_t hash = hash_identity(src, type, dst, key);
  const SubTable* table = tables_[sub_table_of(hash)].load(std::memory_order_acquire);
  if (table == nullptr) return 0;
  for (uint32_t slot = static_cast<uint32_t>(hash) & table->mask;; slot = (slot + 1) & table->mask) {
    const EdgeNumber edge = table->slots[slot].load(std::memory_order_acquire);
    if (edge == 0) return 0;
    if (edge > last) continue;
    if (src_.get(edge) == src && dst_.get(edge) == dst && type_.get(edge) == type && key_.get(edge) == key) return edge;
  }
}

EdgeNumber EdgeTable::find_or_add(NodeNumber src, TypeNumber type, NodeNumber dst, std::string_view key) {
  const uint64_t number = chosen_number(key);
  if (number != 0) {
    if (number <= count_ && is_chosen(static_cast<EdgeNumber>(number), src, type, dst))
      return static_cast<EdgeNumber>(number);
    has_numbered_keys_ = true;
  }
  const TextNumber text = keys_.intern(key);
  if (const EdgeNumber known = find_keyed(src, type, dst, text, count_)) return known;
  const EdgeNumber edge = append(src, type, dst, text);
  add_to_hash(edge);
  return edge;
}

EdgeNumber EdgeTable::add_with_chosen_key(NodeNumber src, TypeNumber type, NodeNumber dst) {
  const EdgeNumber seq = count_ + 1;
  if (has_numbered_keys_) {
    uint64_t number = seq;
    for (;; ++number) {
      if (spent_keys_.contains(number)) continue;
      const TextNumber text = keys_.find(chosen_key(number));
      if (text == kNone || find_keyed(src, type, dst, text, count_) == 0) break;
    }
    if (number != seq) return find_or_add(src, type, dst, chosen_key(number));
  }
  return append(src, type, dst, kNone);
}

void EdgeTable::spend_key(uint64_t number) {
  spent_keys_.insert(number);
  has_numbered_keys_ = true;
}

EdgeNumber EdgeTable::append(NodeNumber src, TypeNumber type, NodeNumber dst, TextNumber key) {
  const EdgeNumber edge = ++count_;
  key_.set_sparse(edge, key);
  src_.set(edge, src);
  dst_.set(edge, dst);
  type_.set(edge, type);
  return edge;
}

void EdgeTable::rewind(Mark mark) {
  while (count_ > mark.edge_count) {
    if (key_.get(count_) != kNone) {
      remove_from_hash(count_);
      key_.set(count_, kNone);
    }
    src_.set(count_, kNone);
    --count_;
  }
  keys_.truncate(mark.key_count);
}

uint64_t EdgeTable::hash_of(EdgeNumber edge) const {
  return hash_identity(src_.get(edge), type_.get(edge), dst_.get(edge), key_.get(edge));
}

void EdgeTable::add_to_hash(EdgeNumber edge) {
  const uint64_t hash = hash_of(edge);
  const unsigned index = sub_table_of(hash);
  SubTable* table = tables_[index].load(std::memory_order_relaxed);
  if (table == nullptr || must_grow(index, table->used, table->mask + 1)) {
    grow(index);
    table = tables_[index].load(std::memory_order_relaxed);
  }
  uint32_t slot = static_cast<uint32_t>(hash) & table->mask;
  while (table->slots[slot].load(std::memory_order_relaxed) != 0) slot = (slot + 1) & table->mask;
  ++table->used;
  table->slots[slot].store(edge, std::memory_order_release);
}

void EdgeTable::remove_from_hash(EdgeNumber edge) {
  const uint64_t hash = hash_of(edge);
  SubTable* table = tables_[sub_table_of(hash)].load(std::memory_order_relaxed);
  uint32_t slot = static_cast<uint32_t>(hash) & table->mask;
  while (table->slots[slot].load(std::memory_order_relaxed) != edge) slot = (slot + 1) & table->mask;
  table->slots[slot].store(0, std::memory_order_release);
  --table->used;
}

void EdgeTable::grow(unsigned index) {
  SubTable* old = tables_[index].load(std::memory_order_relaxed);
  const uint32_t capacity = old ? (old->mask + 1) * 2 : kFirstSubTableSlots;
  auto* table = static_cast<SubTable*>(std::malloc(sizeof(SubTable) + sizeof(std::atomic<uint32_t>) * (capacity - 1)));
  if (table == nullptr) throw std::bad_alloc();
  table->mask = capacity - 1;
  table->used = old ? old->used : 0;
  for (uint32_t i = 0; i < capacity; ++i) new (&table->slots[i]) std::atomic<uint32_t>(0);
  slot_bytes_ += capacity * sizeof(uint32_t);
  if (old != nullptr) {
    std::vector<EdgeNumber> edges;
    edges.reserve(old->used);
    for (uint32_t slot = 0; slot <= old->mask; ++slot) {
      const EdgeNumber edge = old->slots[slot].load(std::memory_order_relaxed);
      if (edge != 0) edges.push_back(edge);
    }
    // In number order, for the same reason as in TextTable: rewind empties the newest slots only.
    std::sort(edges.begin(), edges.end());
    for (const EdgeNumber edge : edges) {
      uint32_t slot = static_cast<uint32_t>(hash_of(edge)) & table->mask;
      while (table->slots[slot].load(std::memory_order_relaxed) != 0) slot = (slot + 1) & table->mask;
      table->slots[slot].store(edge, std::memory_order_relaxed);
    }
    slot_bytes_ -= (old->mask + 1) * sizeof(uint32_t);
    garbage_.retire(old, std::free);
  }
  tables_[index].store(table, std::memory_order_release);
}

uint64_t EdgeTable::bytes() const {
  return keys_.bytes() + src_.bytes() + dst_.bytes() + type_.bytes() + key_.bytes() + slot_bytes_;
}

}  // namespace palimpsest
