#include "core/store/incidence.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace palimpsest {

namespace {
constexpr uint32_t kFirstSlots = 4;

bool is_before(const Slot& a, const Slot& b, const VersionTable& versions) {
  if (a.valid_from != b.valid_from) return a.valid_from < b.valid_from;
  const uint32_t edge_a = versions.owner(a.row);
  const uint32_t edge_b = versions.owner(b.row);
  return edge_a != edge_b ? edge_a < edge_b : a.row < b.row;
}

void widen(Incidence::Chunk& chunk, Micros end) {
  if (end > chunk.max_end) std::atomic_ref<Micros>(chunk.max_end).store(end, std::memory_order_relaxed);
}
}  // namespace

Incidence::~Incidence() {
  // Node numbers are dense, and a list is made at a node's first slot: stop after the last chunk of the directory.
  for (uint32_t index = 0; index < (uint32_t{1} << 19); ++index) {
    List* const* lists = lists_.chunk(index);
    if (lists == nullptr) {
      if (index * lists_.kChunkRows > last_node_bound_) break;
      continue;
    }
    for (uint32_t i = 0; i < lists_.kChunkRows; ++i) {
      if (lists[i] == nullptr) continue;
      for (uint32_t c = 0; c < lists[i]->count; ++c) std::free(lists[i]->chunks[c]);
      std::free(lists[i]);
    }
  }
}

uint32_t Incidence::slot_count(NodeNumber node) const {
  uint32_t total = 0;
  each_chunk(node, [&](std::span<const Slot> slots, Micros) {
    total += static_cast<uint32_t>(slots.size());
    return true;
  });
  return total;
}

Incidence::Chunk* Incidence::make_chunk(uint32_t capacity) {
  const size_t size = sizeof(Chunk) + sizeof(Slot) * (capacity - 1);
  auto* chunk = static_cast<Chunk*>(std::malloc(size));
  if (chunk == nullptr) throw std::bad_alloc();
  chunk->count = 0;
  chunk->capacity = capacity;
  chunk->max_end = INT64_MIN;
  bytes_ += size;
  return chunk;
}

Incidence::List* Incidence::make_list(uint32_t capacity) {
  const size_t size = sizeof(List) + sizeof(Chunk*) * (capacity - 1);
  auto* list = static_cast<List*>(std::malloc(size));
  if (list == nullptr) throw std::bad_alloc();
  list->count = 0;
  list->capacity = capacity;
  bytes_ += size;
  return list;
}

Incidence::List* Incidence::with_room(NodeNumber node, List* list) {
  if (list->count < list->capacity) return list;
  List* larger = make_list(list->capacity * 2);
  std::copy_n(list->chunks, list->count, larger->chunks);
  larger->count = list->count;
  retire(list);
  lists_.set_atomic(node, larger);
  return larger;
}

void Incidence::retire(Chunk* chunk) {
  bytes_ -= sizeof(Chunk) + sizeof(Slot) * (chunk->capacity - 1);
  garbage_.retire(chunk, std::free);
}

void Incidence::retire(List* list) {
  bytes_ -= sizeof(List) + sizeof(Chunk*) * (list->capacity - 1);
  garbage_.retire(list, std::free);
}

void Incidence::append(NodeNumber node, List*& list, const Slot& slot, Micros end) {
  Chunk* last = list->chunks[list->count - 1];
  if (last->count == last->capacity) {
    if (last->capacity < kChunkSlots) {
      Chunk* larger = make_chunk(std::min(kChunkSlots, last->capacity * 2));
      std::copy_n(last->slots, last->count, larger->slots);
      larger->count = last->count;
      larger->max_end = last->max_end;
      retire(last);
      std::atomic_ref<Chunk*>(list->chunks[list->count - 1]).store(larger, std::memory_order_release);
      last = larger;
    } else {
      last = make_chunk(list->count < 4 ? kChunkSlots / 4 : kChunkSlots);
      last->slots[0] = slot;
      last->count = 1;
      last->max_end = end;
      list = with_room(node, list);
      list->chunks[list->count] = last;
      std::atomic_ref<uint32_t>(list->count).store(list->count + 1, std::memory_order_release);
      return;
    }
  }
  last->slots[last->count] = slot;
  widen(*last, end);
  std::atomic_ref<uint32_t>(last->count).store(last->count + 1, std::memory_order_release);
}

uint32_t Incidence::chunk_for(const List& list, const Slot& slot, uint32_t from, const VersionTable& versions) {
  const auto is_below = [&](const Chunk* chunk, const Slot& bound) {
    return is_before(chunk->slots[chunk->count - 1], bound, versions);
  };
  return static_cast<uint32_t>(std::lower_bound(list.chunks + from, list.chunks + list.count, slot, is_below) -
                               list.chunks);
}

void Incidence::merge(const Chunk& chunk, std::span<const Slot> slots, std::span<const Micros> ends,
                      const VersionTable& versions, std::vector<Chunk*>& out) {
  std::vector<Slot> merged(chunk.count + slots.size());
  std::merge(chunk.slots, chunk.slots + chunk.count, slots.begin(), slots.end(), merged.begin(),
             [&](const Slot& a, const Slot& b) { return is_before(a, b, versions); });
  const auto total = static_cast<uint32_t>(merged.size());
  if (total <= kChunkSlots) {
    Chunk* whole = make_chunk(std::max(chunk.capacity, std::min(kChunkSlots, total + total / 4)));
    std::copy(merged.begin(), merged.end(), whole->slots);
    whole->count = total;
    whole->max_end = std::max(chunk.max_end, *std::max_element(ends.begin(), ends.end()));
    out.push_back(whole);
    return;
  }
  const uint32_t part_count = (total + kChunkSlots - 1) / kChunkSlots;
  for (uint32_t part = 0; part < part_count; ++part) {
    const auto from = static_cast<uint32_t>(uint64_t{total} * part / part_count);
    const auto to = static_cast<uint32_t>(uint64_t{total} * (part + 1) / part_count);
    Chunk* piece = make_chunk(kChunkSlots);
    std::copy(merged.begin() + from, merged.begin() + to, piece->slots);
    piece->count = to - from;
    // Found anew: one open end would otherwise make every part of a hub look open.
    for (uint32_t i = from; i < to; ++i) piece->max_end = std::max(piece->max_end, versions.valid_to(merged[i].row));
    out.push_back(piece);
  }
}

void Incidence::insert(NodeNumber node, List*& list, std::span<const Slot> slots, std::span<const Micros> ends,
                       const VersionTable& versions) {
  // Each chunk that gets slots is copied once, however many it gets; the first that ends at or behind a slot takes it.
  std::vector<Chunk*> chunks;
  chunks.reserve(list->count + slots.size() / kChunkSlots + 1);
  uint32_t taken = 0;
  uint32_t replaced = 0;
  uint32_t replaced_count = 0;
  for (size_t i = 0; i < slots.size();) {
    const uint32_t index = chunk_for(*list, slots[i], taken, versions);
    Chunk* chunk = list->chunks[index];
    const Slot& bound = chunk->slots[chunk->count - 1];
    size_t end = i + 1;
    while (end < slots.size() && is_before(slots[end], bound, versions)) ++end;
    chunks.insert(chunks.end(), list->chunks + taken, list->chunks + index);
    merge(*chunk, slots.subspan(i, end - i), ends.subspan(i, end - i), versions, chunks);
    retire(chunk);
    taken = index + 1;
    replaced = index;
    ++replaced_count;
    i = end;
  }
  chunks.insert(chunks.end(), list->chunks + taken, list->chunks + list->count);
  if (replaced_count == 1 && chunks.size() == list->count) {
    std::atomic_ref<Chunk*>(list->chunks[replaced]).store(chunks[replaced], std::memory_order_release);
    return;
  }
  // Several chunks change at once, so they are published by a new list.
  const auto count = static_cast<uint32_t>(chunks.size());
  List* renewed = make_list(count + count / 4);
  std::copy(chunks.begin(), chunks.end(), renewed->chunks);
  renewed->count = count;
  retire(list);
  lists_.set_atomic(node, renewed);
  list = renewed;
}

void Incidence::add(NodeNumber node, std::span<const Slot> slots, std::span<const Micros> ends,
                    const VersionTable& versions) {
  last_node_bound_ = std::max(last_node_bound_, node);
  List* list = lists_.get(node);
  if (list == nullptr) {
    list = make_list(1);
    list->chunks[0] = make_chunk(std::clamp(static_cast<uint32_t>(slots.size()), kFirstSlots, kChunkSlots));
    list->count = 1;
    lists_.set_atomic(node, list);
  }
  const Chunk& last = *list->chunks[list->count - 1];
  size_t late = 0;
  while (late < slots.size() && last.count > 0 && is_before(slots[late], last.slots[last.count - 1], versions)) ++late;
  if (late > 0) insert(node, list, slots.first(late), ends.first(late), versions);
  for (size_t i = late; i < slots.size(); ++i) append(node, list, slots[i], ends[i]);
}

}  // namespace palimpsest
