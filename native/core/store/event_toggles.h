// Which edge versions are events, over commits (docs/contract.md A5): a version begins a spell from the
// commit that wrote it, and each toggle turns that over. A store that only ever loads new edges has none.
// Appended to by the writer when it seals; readers stay below the count that their view names.
#pragma once

#include "core/base/chunked.h"

namespace palimpsest {

class EventToggles {
 public:
  struct Toggle {
    Tx tx;
    Row row;
  };
  /// In order of commits.
  Toggle get(uint32_t number) const { return toggles_.get(number); }

  // --- writer only ---
  uint32_t count() const { return count_; }
  void set(Row row, bool is_event, Tx tx) {
    const uint8_t value = is_event ? 1 : 0;
    if (is_event_.get(row) == value) return;
    is_event_.set_sparse(row, value);
    toggles_.set(count_++, {tx, row});
  }
  uint64_t bytes() const { return toggles_.bytes() + is_event_.bytes(); }

 private:
  ChunkedColumn<Toggle> toggles_;
  ChunkedColumn<uint8_t> is_event_{1};  // as of the newest sealed commit
  uint32_t count_ = 0;
};

}  // namespace palimpsest
