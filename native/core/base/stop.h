// The token that every long loop reads: abort flag, deadline, a ceiling of steps and one of memory.
// The ceiling decides answers (E_COST), so it counts steps and never time; abort and deadline only cancel.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/status.h"

namespace palimpsest {

class StopToken {
 public:
  using Clock = std::chrono::steady_clock;

  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  void set_deadline(Clock::time_point deadline) { deadline_ = deadline; }
  void set_step_ceiling(uint64_t ceiling) { step_ceiling_ = ceiling; }
  uint64_t step_ceiling() const { return step_ceiling_; }
  void set_memory_ceiling(uint64_t bytes) { memory_ceiling_ = bytes; }
  uint64_t memory_ceiling() const { return memory_ceiling_; }
  /// Steps of all counters that have ended.
  uint64_t counted_steps() const { return counted_.load(std::memory_order_relaxed); }
  void count(uint64_t steps) const { counted_.fetch_add(steps, std::memory_order_relaxed); }
  bool is_stopped() const {
    return cancelled_.load(std::memory_order_relaxed) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

 private:
  std::atomic<bool> cancelled_{false};
  Clock::time_point deadline_ = Clock::time_point::max();
  uint64_t step_ceiling_ = UINT64_MAX;
  uint64_t memory_ceiling_ = UINT64_MAX;
  mutable std::atomic<uint64_t> counted_{0};
};

/// Counts the steps of one kernel run and asks the token every 4096 of them: reading the clock costs more than a row.
class StepCounter {
 public:
  explicit StepCounter(const StopToken& stop) : stop_(stop) {}
  StepCounter(const StepCounter&) = delete;
  StepCounter& operator=(const StepCounter&) = delete;
  ~StepCounter() { stop_.count(total_); }

  /// False when the kernel must give up; `status()` says why.
  bool add(uint64_t steps) {
    total_ += steps;
    if (total_ < next_check_) return true;
    next_check_ = total_ + 4096;
    if (total_ > stop_.step_ceiling()) return fail(Code::kCost, "the call passed its ceiling of steps while running");
    if (stop_.is_stopped()) return fail(Code::kCancelled, "the call was cancelled");
    return true;
  }
  /// Says that the run is about to hold so many bytes more, which grow with the data; before they are allocated.
  bool hold(uint64_t bytes) {
    held_bytes_ += bytes;
    if (held_bytes_ <= stop_.memory_ceiling()) return true;
    status_ = Status(Code::kLimit, "the call would hold " + std::to_string(held_bytes_) +
                                       " bytes of memory, more than " + std::to_string(stop_.memory_ceiling()));
    return false;
  }
  void let_go(uint64_t bytes) { held_bytes_ -= bytes; }
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
  uint64_t held_bytes_ = 0;
  Status status_;
};

}  // namespace palimpsest
