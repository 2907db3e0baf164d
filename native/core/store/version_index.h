// Per identity, the rows of all its versions in append order: one row is kept in place, more in a list.
// Readers filter by their cut and by belief; the writer finds the believed rows of an identity without a scan.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "core/base/chunked.h"
#include "core/base/reclaim.h"

namespace palimpsest {

class VersionIndex {
 public:
  explicit VersionIndex(Garbage& garbage) : garbage_(garbage), refs_(kNone), lists_(List{}) {}
  ~VersionIndex();

  /// Calls `visit(Row)` for every version of an identity below `row_cut`, oldest row first; stops when it gives false.
  template <typename Visit>
  void each(uint32_t identity, Row row_cut, Visit&& visit) const {
    const uint32_t ref = refs_.get_atomic(identity);
    if (ref == kNone) return;
    if ((ref & kListBit) == 0) {
      if (ref < row_cut) visit(static_cast<Row>(ref));
      return;
    }
    const List& list = *list_at(ref & ~kListBit);
    const uint32_t count = std::atomic_ref<uint32_t>(const_cast<uint32_t&>(list.count)).load(std::memory_order_acquire);
    uint32_t* rows = std::atomic_ref<uint32_t*>(const_cast<uint32_t*&>(list.rows)).load(std::memory_order_acquire);
    for (uint32_t i = 0; i < count; ++i) {
      const Row row = std::atomic_ref<uint32_t>(rows[i]).load(std::memory_order_relaxed);
      if (row >= row_cut) return;  // rows of one identity ascend
      if (!visit(row)) return;
    }
  }
  /// The first row ever written of an identity, kNone where there is none.
  Row first(uint32_t identity) const;
  /// True when the identity never had more than one version (below whatever cut): no list to look at.
  bool is_single(uint32_t identity) const { return (refs_.get_atomic(identity) & kListBit) == 0; }

  // --- writer only ---
  void add(uint32_t identity, Row row);
  uint64_t bytes() const { return refs_.bytes() + lists_.bytes() + list_bytes_; }

 private:
  static constexpr uint32_t kListBit = 0x80000000u;  // row numbers stay below 2^31, and so do list numbers
  struct List {
    uint32_t* rows = nullptr;
    uint32_t count = 0;
    uint32_t capacity = 0;
  };
  const List* list_at(uint32_t number) const { return lists_.chunk(number >> 12) + (number & 4095); }

  Garbage& garbage_;
  ChunkedColumn<uint32_t> refs_;
  ChunkedColumn<List> lists_;
  uint32_t list_count_ = 0;
  uint64_t list_bytes_ = 0;
};

}  // namespace palimpsest
