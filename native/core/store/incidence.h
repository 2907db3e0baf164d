// Incidence lists: a node's edge versions of both directions, in order of (valid_from, edge, row).
// Extended by writes in chunks of up to 128 slots and never rebuilt whole; late slots copy the chunks that they go
// into. Rows at or above the reader's cut, and rows not believed at its pin, are in the lists too: readers test.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "core/base/chunked.h"
#include "core/base/reclaim.h"
#include "core/store/versions.h"

namespace palimpsest {

/// One end of one edge version. A self-loop has one slot, with `other()` the node itself.
struct Slot {
  Micros valid_from;
  uint32_t other_and_direction;
  Row row;

  NodeNumber other() const { return other_and_direction >> 1; }
  bool is_incoming() const { return (other_and_direction & 1) != 0; }
};

class Incidence {
 public:
  static constexpr uint32_t kChunkSlots = 128;

  struct Chunk {
    uint32_t count;  // published with release
    uint32_t capacity;
    Micros max_end;  // of all its slots, kOpenEnd when one is open; only ever widened
    Slot slots[1];
  };

  explicit Incidence(Garbage& garbage) : garbage_(garbage), lists_(nullptr) {}
  ~Incidence();

  /// Visits a node's chunks in time order as `visit(span<const Slot>, Micros max_end)`; stops when it gives false.
  template <typename Visit>
  void each_chunk(NodeNumber node, Visit&& visit) const {
    const List* list = lists_.get_atomic(node);
    if (list == nullptr) return;
    const uint32_t count =
        std::atomic_ref<uint32_t>(const_cast<uint32_t&>(list->count)).load(std::memory_order_acquire);
    for (uint32_t i = 0; i < count; ++i) {
      if (!visit_chunk(*list->chunk(i), visit)) return;
    }
  }
  /// The same, newest chunk first (slots inside a chunk still ascend).
  template <typename Visit>
  void each_chunk_backward(NodeNumber node, Visit&& visit) const {
    const List* list = lists_.get_atomic(node);
    if (list == nullptr) return;
    for (uint32_t i = std::atomic_ref<uint32_t>(const_cast<uint32_t&>(list->count)).load(std::memory_order_acquire);
         i > 0;) {
      if (!visit_chunk(*list->chunk(--i), visit)) return;
    }
  }
  /// Slots of a node, closed and staged ones included: an upper bound of its degree in versions.
  uint32_t slot_count(NodeNumber node) const;
  /// Brings a node's list, and then its first chunk, towards the processor: for searches that know whom they visit
  /// next.
  void prefetch_list(NodeNumber node) const {
    if (const List* list = lists_.get_atomic(node)) __builtin_prefetch(list);
  }
  void prefetch_first_chunk(NodeNumber node) const {
    const List* list = lists_.get_atomic(node);
    if (list == nullptr) return;
    const auto* chunk = reinterpret_cast<const char*>(list->chunk(0));
    __builtin_prefetch(chunk);
    __builtin_prefetch(chunk + 64);
    __builtin_prefetch(chunk + 128);
  }

  // --- writer only ---
  /// Adds slots to one node; `slots` in list order, `ends` their valid_to, `versions` where their edge numbers stand.
  void add(NodeNumber node, std::span<const Slot> slots, std::span<const Micros> ends, const VersionTable& versions);
  uint64_t bytes() const { return lists_.bytes() + bytes_; }

 private:
  struct List {
    uint32_t count;
    uint32_t capacity;
    Chunk* chunks[1];
    const Chunk* chunk(uint32_t i) const {
      return std::atomic_ref<Chunk*>(const_cast<Chunk*&>(chunks[i])).load(std::memory_order_acquire);
    }
  };

  template <typename Visit>
  static bool visit_chunk(const Chunk& chunk, Visit&& visit) {
    const uint32_t count =
        std::atomic_ref<uint32_t>(const_cast<uint32_t&>(chunk.count)).load(std::memory_order_acquire);
    const Micros max_end = std::atomic_ref<Micros>(const_cast<Micros&>(chunk.max_end)).load(std::memory_order_relaxed);
    return visit(std::span<const Slot>(chunk.slots, count), max_end);
  }
  Chunk* make_chunk(uint32_t capacity);
  List* make_list(uint32_t capacity);
  void append(NodeNumber node, List*& list, const Slot& slot, Micros end);
  static uint32_t chunk_for(const List& list, const Slot& slot, uint32_t from, const VersionTable& versions);
  void merge(const Chunk& chunk, std::span<const Slot> slots, std::span<const Micros> ends,
             const VersionTable& versions, std::vector<Chunk*>& out);
  void insert(NodeNumber node, List*& list, std::span<const Slot> slots, std::span<const Micros> ends,
              const VersionTable& versions);
  List* with_room(NodeNumber node, List* list);
  void retire(Chunk* chunk);
  void retire(List* list);

  Garbage& garbage_;
  ChunkedColumn<List*> lists_;
  NodeNumber last_node_bound_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace palimpsest
