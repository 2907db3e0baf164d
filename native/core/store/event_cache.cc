#include "core/store/event_cache.h"

#include <algorithm>

#include "core/base/pool.h"

namespace palimpsest {

namespace {
constexpr size_t kKeptPins = 4;
constexpr uint32_t kSmallStoreRows = 8'192;  // a generation of so many is made in under 200 µs
constexpr uint32_t kSmallChange = 2'048;     // rows and toggles since an earlier commit
// A generation is replaced when the newest commit differs from it by more than this, or by a part of it.
constexpr uint64_t kLeastChange = 16'384;
constexpr uint64_t kChangeShare = 64;
}  // namespace

EventCache::Found EventCache::find(const Pin& pin) const {
  std::lock_guard lock(mutex_);
  Found found;
  found.index = index_;
  for (const auto& events : kept_) {
    const Tx tx = events->state().tx;
    if (tx == pin.tx()) found.exact = events;
    if (events->shared_index() != index_ || tx > pin.tx() || tx < index_->state.tx) continue;
    if (found.earlier == nullptr || found.earlier->state().tx < tx) found.earlier = events;
  }
  return found;
}

void EventCache::keep(std::shared_ptr<const PinEvents> events) {
  std::lock_guard lock(mutex_);
  kept_.push_front(std::move(events));
  if (kept_.size() > kKeptPins) kept_.pop_back();
}

bool EventCache::is_ready(const Pin& pin) const {
  const Found found = find(pin);
  if (found.exact != nullptr || pin.view().edge_rows <= kSmallStoreRows) return true;
  if (found.index == nullptr || pin.tx() < found.index->state.tx) return false;
  const EventState& from = found.earlier != nullptr ? found.earlier->state() : found.index->state;
  return (pin.row_cut(Kind::kEdge) - from.row_cut) + (pin.toggle_cut() - from.toggle_cut) <= kSmallChange;
}

uint64_t EventCache::bytes() const {
  std::lock_guard lock(mutex_);
  uint64_t total = index_ == nullptr ? 0 : index_->bytes();
  for (const auto& events : kept_) total += events->bytes();
  return total;
}

Status EventCache::get(const Pin& pin, const StopToken& stop, std::shared_ptr<const PinEvents>& out) {
  Found found = find(pin);
  if (found.index == nullptr) {
    std::lock_guard lock(first_build_);
    found = find(pin);
    if (found.index == nullptr) {
      std::shared_ptr<const EventIndex> index;
      if (Status status = EventIndex::build(pin.view(), stop, index); !status.is_ok()) return status;
      {
        std::lock_guard guard(mutex_);
        index_ = index;
      }
      found = find(pin);
    }
  }
  if (found.exact != nullptr) {
    out = found.exact;
    return Status::ok();
  }
  if (pin.tx() < found.index->state.tx) {
    out = std::make_shared<PinEvents>(found.index, pin);
  } else {
    if (found.earlier == nullptr) found.earlier = std::make_shared<PinEvents>(found.index);
    const bool is_same = found.earlier->state().tx == pin.tx();
    out = is_same ? found.earlier : std::make_shared<PinEvents>(*found.earlier, pin);
    if (out->change_count() > std::max(kLeastChange, found.index->columns.size() / kChangeShare)) build_next(pin);
  }
  keep(out);
  return Status::ok();
}

void EventCache::build_next(const Pin& pin) {
  {
    std::lock_guard lock(mutex_);
    if (is_building_next_) return;
    is_building_next_ = true;
  }
  // The view keeps the tables, and with them this cache.
  Pool::shared().submit([this, view = pin.shared_view()] {
    const StopToken never;
    std::shared_ptr<const EventIndex> index;
    try {
      // Nothing stops it.
      if (!EventIndex::build(*view, never, index).is_ok()) index = nullptr;
    } catch (const std::bad_alloc&) {
      // The generation that is there goes on serving.
    }
    std::lock_guard lock(mutex_);
    if (index != nullptr) {
      index_ = std::move(index);
      std::erase_if(kept_, [&](const auto& events) { return events->shared_index() != index_; });
    }
    is_building_next_ = false;
  });
}

}  // namespace palimpsest
