// The one engine of a store in a process: the tables, the stage of the writer, and the view that readers take.
// Whoever holds the write token stages and seals; publishing makes a sealed commit visible. Knows nothing of files.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "core/store/stage.h"

namespace palimpsest {

class CoreStore {
 public:
  CoreStore();
  ~CoreStore();

  // --- any thread ---
  /// The newest published view.
  std::shared_ptr<const StoreView> view() const;
  /// The newest sealed view, published or not: what the next batch is judged against.
  std::shared_ptr<const StoreView> staged_view() const;
  /// True when a failed flush made what was staged here unsure; the store must then be opened anew from the log.
  bool is_poisoned() const { return is_poisoned_.load(std::memory_order_acquire); }
  /// Of the tables and of what was derived from them.
  uint64_t bytes() const;
  /// The newest commit that has a number, published or not.
  Tx staged_tx() const { return staged_tx_.load(std::memory_order_acquire); }
  /// Commits take times later than this: what a pin at an instant has promised (docs/contract.md A2).
  Micros clock_floor() const;
  void raise_clock_floor(Micros instant);
  /// The newest commit whose time is settled, sealed or not, and that time: what a pin at an instant has to wait for.
  Tx announced_tx() const;
  Micros announced_time() const;

  /// Calls `listener` with the newest published tx after each publication, on the publishing thread: be short.
  uint64_t add_listener(std::function<void(Tx)> listener);
  void remove_listener(uint64_t number);

  /// The right to stage, seal and publish; held by one owner (any address that is its own) at a time.
  bool try_acquire_writer(const void* owner);
  /// Gives the right back. A batch that was left staged is forgotten; sealed commits that nobody will publish poison
  /// the store, since their numbers and closings are in the tables and the log decides whether they count.
  void release_writer(const void* owner);
  /// True while the holder is a handle that writes, and not a follower that applies the log.
  bool has_writer_handle() const { return has_writer_handle_.load(std::memory_order_acquire); }
  void set_writer_handle(bool is_there) { has_writer_handle_.store(is_there, std::memory_order_release); }

  // --- holder of the write token only, one call at a time, on any thread; `publish` also beside any other of these ---
  /// Settles the time of the commit that is sealed next; false when a pin has promised meanwhile that none falls there.
  bool announce_commit(Micros tx_time);
  Stage& stage() { return *stage_; }
  Tables& tables() { return *tables_; }
  /// Numbers the staged batch as the next commit. Invisible until it is published.
  Tx seal(Micros tx_time);
  void abort() { stage_->abort(); }
  /// Makes the oldest sealed commit visible; `chain` is that of its last frame.
  void publish(std::span<const uint8_t, 32> chain);
  bool has_sealed() const;
  /// Goes on with what `other` holds, which has published as much at least and whose own holder calls this: the same
  /// commits, read anew from a log that an erasure has rewritten. Views that were taken stay as they are; `other` is
  /// left with what this one held.
  void adopt(CoreStore& other);
  void poison() { is_poisoned_.store(true, std::memory_order_release); }
  /// True when sorted runs are waiting to be joined: `maintain` then belongs on the pool before the next batch.
  bool needs_maintenance() const;
  void maintain();

 private:
  void add_sealed(Tx tx, TimeRuns runs);

  std::unique_ptr<Garbage> garbage_;  // replaced since the newest sealed view was made
  std::shared_ptr<Tables> tables_;    // read under the lock by those without the write token
  std::unique_ptr<Stage> stage_;
  std::atomic<Tx> staged_tx_{0};
  std::shared_ptr<StoreView> newest_sealed_;

  mutable std::mutex mutex_;                             // guards what stands below; held for a copy, never during work
  std::deque<std::shared_ptr<const StoreView>> sealed_;  // not published yet, oldest first
  std::shared_ptr<const StoreView> published_;
  const void* writer_ = nullptr;
  // The floor and the announcement change under one lock: a pin sees the commit, or the commit sees the pin.
  Micros clock_floor_ = INT64_MIN;
  Micros announced_time_ = INT64_MIN;
  Tx announced_tx_ = 0;
  std::map<uint64_t, std::function<void(Tx)>> listeners_;
  uint64_t last_listener_ = 0;
  std::atomic<bool> has_writer_handle_{false};
  std::atomic<bool> is_poisoned_{false};
  std::atomic<uint64_t> bytes_{0};
};

}  // namespace palimpsest
