#include "core/store/derived_cache.h"

#include <algorithm>
#include <chrono>

namespace palimpsest {

namespace {
constexpr size_t kKeptItems = 2;
constexpr uint64_t kKeptBytes = uint64_t{1} << 30;
constexpr auto kPatience = std::chrono::milliseconds(10);  // between two looks at the stop token
}  // namespace

std::shared_ptr<const DerivedCache::Item> DerivedCache::find(Key key) const {
  std::lock_guard lock(mutex_);
  for (const Entry& entry : kept_) {
    if (entry.key == key) return entry.item;
  }
  return nullptr;
}

void DerivedCache::keep(Key key, const std::shared_ptr<const Item>& item) {
  const auto total = [this] {
    uint64_t bytes = 0;
    for (const Entry& entry : kept_) bytes += entry.item->bytes();
    return bytes;
  };
  if (item->bytes() > kKeptBytes) return;
  std::lock_guard lock(mutex_);
  kept_.push_front({key, item});
  while (kept_.size() > kKeptItems || total() > kKeptBytes) kept_.pop_back();
}

uint64_t DerivedCache::bytes() const {
  std::lock_guard lock(mutex_);
  uint64_t total = 0;
  for (const Entry& entry : kept_) total += entry.item->bytes();
  return total;
}

Status DerivedCache::get(const Pin& pin, const StopToken& stop, const Make& make, std::shared_ptr<const Item>& out) {
  const Key key{pin.row_cut(Kind::kEdge), pin.toggle_cut()};
  out = find(key);
  if (out != nullptr) return Status::ok();
  std::unique_lock making(making_, std::defer_lock);
  while (!making.try_lock_for(kPatience)) {
    if (stop.is_stopped()) return Status(Code::kCancelled, "the call was cancelled");
  }
  out = find(key);
  if (out != nullptr) return Status::ok();
  if (Status status = make(out); !status.is_ok()) return status;
  keep(key, out);
  return Status::ok();
}

}  // namespace palimpsest
