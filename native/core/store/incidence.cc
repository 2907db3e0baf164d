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
  bytes_ -= sizeof(List) + sizeof(Chunk*) * (list->capacity - 1);
  garbage_.retire(list, std::free);
  lists_.set_atomic(node, larger);
  return larger;
}

void Incidence::replace(List* list, uint32_t index, Chunk* chunk) {
  Chunk* old = list->chunks[index];
  bytes_ -= sizeof(Chunk) + sizeof(Slot) * (old->capacity - 1);
  garbage_.retire(old, std::free);
  std::atomic_ref<Chunk*>(list->chunks[index]).store(chunk, std::memory_order_release);
}

void Incidence::append(NodeNumber node, List*& list, const Slot& slot, Micros end) {
  Chunk* last = list->chunks[list->count - 1];
  if (last->count == last->capacity) {
    if (last->capacity < kChunkSlots) {
      Chunk* larger = make_chunk(last->capacity * 2);
      std::copy_n(last->slots, last->count, larger->slots);
      larger->count = last->count;
      larger->max_end = last->max_end;
      replace(list, list->count - 1, larger);
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

void Incidence::insert(NodeNumber node, List*& list, const Slot& slot, Micros end, const VersionTable& versions) {
  // The first chunk whose last slot is not before the new one takes it.
  uint32_t low = 0;
  uint32_t high = list->count - 1;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    const Chunk& chunk = *list->chunks[middle];
    if (is_before(chunk.slots[chunk.count - 1], slot, versions)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const Chunk& chunk = *list->chunks[low];
  const auto position = static_cast<uint32_t>(
      std::lower_bound(chunk.slots, chunk.slots + chunk.count, slot,
                       [&](const Slot& a, const Slot& b) { return is_before(a, b, versions); }) -
      chunk.slots);
  std::vector<Slot> merged(chunk.slots, chunk.slots + chunk.count);
  merged.insert(merged.begin() + position, slot);
  const Micros max_end = std::max(chunk.max_end, end);
  const auto fill = [&](uint32_t from, uint32_t to, uint32_t capacity) {
    Chunk* part = make_chunk(capacity);
    std::copy(merged.begin() + from, merged.begin() + to, part->slots);
    part->count = to - from;
    part->max_end = max_end;
    return part;
  };
  const auto total = static_cast<uint32_t>(merged.size());
  if (total <= kChunkSlots) {
    replace(list, low, fill(0, total, std::max(chunk.capacity, std::min(kChunkSlots, total + total / 4))));
    return;
  }
  // A split shows two chunks for one, so it is published by a new list.
  List* split = make_list(list->count + 1 + list->count / 4);
  std::copy_n(list->chunks, low, split->chunks);
  split->chunks[low] = fill(0, total / 2, kChunkSlots);
  split->chunks[low + 1] = fill(total / 2, total, kChunkSlots);
  std::copy(list->chunks + low + 1, list->chunks + list->count, split->chunks + low + 2);
  split->count = list->count + 1;
  bytes_ -= sizeof(Chunk) + sizeof(Slot) * (chunk.capacity - 1);
  bytes_ -= sizeof(List) + sizeof(Chunk*) * (list->capacity - 1);
  garbage_.retire(list->chunks[low], std::free);
  garbage_.retire(list, std::free);
  lists_.set_atomic(node, split);
  list = split;
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
  for (size_t i = 0; i < slots.size(); ++i) {
    const Chunk& last = *list->chunks[list->count - 1];
    if (last.count == 0 || is_before(last.slots[last.count - 1], slots[i], versions)) {
      append(node, list, slots[i], ends[i]);
    } else {
      insert(node, list, slots[i], ends[i], versions);
    }
  }
}

}  // namespace palimpsest
