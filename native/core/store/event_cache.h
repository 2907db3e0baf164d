// The newest generation of the temporal index of one store, and the events of the last few commits that were asked for.
// A cache: everything in it follows from the tables. Any thread; one builds, others wait.
#pragma once

#include <deque>
#include <mutex>

#include "core/store/pin_events.h"

namespace palimpsest {

class EventCache {
 public:
  /// The events of a pin. Builds a generation where there is none; where the pin has moved far from the newest one, the
  /// next is begun on the pool.
  Status get(const Pin& pin, const StopToken& stop, std::shared_ptr<const PinEvents>& out);
  /// True when `get` takes a moment only.
  bool is_ready(const Pin& pin) const;
  uint64_t bytes() const;

 private:
  struct Found {
    std::shared_ptr<const EventIndex> index;
    std::shared_ptr<const PinEvents> exact;    // of the very commit
    std::shared_ptr<const PinEvents> earlier;  // the nearest before it on the same generation
  };
  Found find(const Pin& pin) const;
  void keep(std::shared_ptr<const PinEvents> events);
  void build_next(const Pin& pin);

  mutable std::mutex mutex_;  // guards what stands below; never held during work
  std::shared_ptr<const EventIndex> index_;
  std::deque<std::shared_ptr<const PinEvents>> kept_;  // most recent first
  bool is_building_next_ = false;
  std::mutex first_build_;  // held while the first generation is made
};

}  // namespace palimpsest
