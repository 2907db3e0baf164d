#include "core/store/versions.h"

namespace palimpsest {

namespace {
template <typename T>
T load(const T& value) {
  return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
}
template <typename T>
void store_if(bool is_wider, T& place, T value) {
  if (is_wider) std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
}
}  // namespace

Zone VersionTable::zone(uint32_t block) const {
  const Zone* chunk = zones_.chunk(block >> 10);
  if (chunk == nullptr) return empty_zone();
  const Zone& zone = chunk[block & 1023];
  return {load(zone.min_from), load(zone.max_from), load(zone.min_to), load(zone.max_to), load(zone.has_open_end), 0};
}

void VersionTable::widen(Zone& zone, Micros from, Micros to) {
  store_if(from < zone.min_from, zone.min_from, from);
  store_if(from > zone.max_from, zone.max_from, from);
  if (to == kOpenEnd) {
    store_if(zone.has_open_end == 0, zone.has_open_end, 1u);
    return;
  }
  store_if(to < zone.min_to, zone.min_to, to);
  store_if(to > zone.max_to, zone.max_to, to);
}

Row VersionTable::append(uint32_t owner, Micros from, Micros to, uint32_t annotation, uint32_t label_set) {
  const Row row = row_count_++;
  owner_.set(row, owner);
  valid_from_.set(row, from);
  valid_to_.set(row, to);
  annotation_.set_sparse(row, annotation);
  label_set_.set_sparse(row, label_set);
  widen(*zones_.slot(row >> kBlockShift), from, to);
  return row;
}

void VersionTable::close(Row row, Tx tx, EndedBy ended_by, TextNumber reason) {
  closings_.set(closing_count_, {tx, row, ended_by, reason});
  closing_.set_atomic(row, closing_count_++);
  // Last, and once: a reader that sees the commit here finds the closing behind it.
  closed_tx_.set_atomic(row, tx);
}

uint64_t VersionTable::bytes() const {
  return owner_.bytes() + valid_from_.bytes() + valid_to_.bytes() + closed_tx_.bytes() + closing_.bytes() +
         annotation_.bytes() + label_set_.bytes() + closings_.bytes() + zones_.bytes() + properties_.bytes();
}

}  // namespace palimpsest
