// The memory that all threads of one question hold together, against the call's ceiling.
// Only grows, so whether it passes the ceiling does not depend on who holds first.
#pragma once

#include <atomic>

#include "core/base/stop.h"

namespace palimpsest::aggregate {

class HeldBytes {
 public:
  explicit HeldBytes(const StopToken& stop) : ceiling_(stop.memory_ceiling()) {}

  bool hold(uint64_t bytes) { return held_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= ceiling_; }
  Status status() const {
    return {Code::kLimit, "the groups of the call would hold more than " + std::to_string(ceiling_) +
                              " bytes of memory: ask for fewer groups, or a shorter window"};
  }

 private:
  const uint64_t ceiling_;
  std::atomic<uint64_t> held_{0};
};

}  // namespace palimpsest::aggregate
