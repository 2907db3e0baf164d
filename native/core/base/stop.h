// The token that every long loop reads: abort flag, deadline and a ceiling of steps.
// The ceiling decides answers (E_COST), so it counts steps and never time; abort and deadline only cancel.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "core/base/status.h"

namespace palimpsest {

class StopToken {
 public:
  using Clock = std::chrono::steady_clock;

  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  void set_deadline(Clock::time_point deadline) { deadline_ = deadline; }
  void set_step_ceiling(uint64_t ceiling) { step_ceiling_ = ceiling; }
  uint64_t step_ceiling() const { return step_ceiling_; }
  bool is_stopped() const {
    return cancelled_.load(std::memory_order_relaxed) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

 private:
  std::atomic<bool> cancelled_{false};
  Clock::time_point deadline_ = Clock::time_point::max();
  uint64_t step_ceiling_ = UINT64_MAX;
};

/// Counts the steps of one kernel run and asks the token every 4096 of them: reading the clock costs more than a row.
class StepCounter {
 public:
  explicit StepCounter(const StopToken& stop) : stop_(stop) {}

  /// False when the kernel must give up; `status()` says why.
  bool add(uint64_t steps) {
    total_ += steps;
    if (total_ < next_check_) return true;
    next_check_ = total_ + 4096;
    if (total_ > stop_.step_ceiling()) return fail(Code::kCost, "the call passed its ceiling of steps while running");
    if (stop_.is_stopped()) return fail(Code::kCancelled, "the call was cancelled");
    return true;
  }
  const StopToken& token() const { return stop_; }
  uint64_t total() const { return total_; }
  Status status() const { return status_; }

 private:
  bool fail(Code code, const char* message) {
    status_ = Status(code, message);
    return false;
  }

  const StopToken& stop_;
  uint64_t total_ = 0;
  uint64_t next_check_ = 4096;
  Status status_;
};

}  // namespace palimpsest
