#include "core/store/version_index.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace palimpsest {

VersionIndex::~VersionIndex() {
  for (uint32_t number = 0; number < list_count_; ++number) std::free(lists_.get(number).rows);
}

Row VersionIndex::first(uint32_t identity) const {
  Row found = kNone;
  each(identity, kRowLimit, [&](Row row) {
    found = row;
    return false;
  });
  return found;
}

void VersionIndex::add(uint32_t identity, Row row) {
  const uint32_t ref = refs_.get(identity);
  if (ref == kNone) {
    refs_.set_atomic(identity, row);
    return;
  }
  const bool is_new = (ref & kListBit) == 0;
  const uint32_t number = is_new ? list_count_++ : ref & ~kListBit;
  List& list = *lists_.slot(number);
  if (list.count + (is_new ? 2 : 1) > list.capacity) {
    const uint32_t capacity = std::max(4u, list.capacity * 2);
    auto* rows = static_cast<uint32_t*>(std::malloc(capacity * sizeof(uint32_t)));
    if (rows == nullptr) throw std::bad_alloc();
    std::copy_n(list.rows, list.count, rows);
    if (list.rows != nullptr) garbage_.retire(list.rows, std::free);
    std::atomic_ref<uint32_t*>(list.rows).store(rows, std::memory_order_release);
    list_bytes_ += (capacity - list.capacity) * sizeof(uint32_t);
    list.capacity = capacity;
  }
  uint32_t count = list.count;
  if (is_new) list.rows[count++] = ref;
  std::atomic_ref<uint32_t>(list.rows[count++]).store(row, std::memory_order_relaxed);
  std::atomic_ref<uint32_t>(list.count).store(count, std::memory_order_release);
  if (is_new) refs_.set_atomic(identity, number | kListBit);
}

}  // namespace palimpsest
