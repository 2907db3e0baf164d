#include "core/store/name_cache.h"

namespace palimpsest {

namespace {
constexpr uint32_t kUnasked = 4096;  // texts between two looks at the token
}  // namespace

bool NameCache::extend_uids(const Pin& pin, Index& index, const StopToken& stop) {
  const NodeNumber end = pin.view().node_count;
  for (; index.next < end; ++index.next) {
    if (index.next % kUnasked == 0 && stop.is_stopped()) return false;
    index.segments.add(index.next, pin.tables().uids.get(index.next));
  }
  return true;
}

bool NameCache::extend_names(const Pin& pin, PropNumber name, Index& index, const StopToken& stop) {
  const VersionTable& versions = pin.tables().node_versions;
  const Row end = pin.view().node_rows;
  if (index.last_text.size() < pin.view().node_count) index.last_text.resize(pin.view().node_count, kNone);
  for (; index.next < end; ++index.next) {
    if (index.next % kUnasked == 0 && stop.is_stopped()) return false;
    PropValue value;
    const bool is_named = versions.properties().find(index.next, name, value) && value.kind == PropKind::kString;
    if (!is_named) continue;
    const auto text = static_cast<TextNumber>(value.bits);
    const NodeNumber node = versions.owner(index.next);
    if (index.last_text[node] == text) continue;
    index.last_text[node] = text;
    index.segments.add(node, pin.tables().texts.get(text));
  }
  return true;
}

Status NameCache::get(const Pin& pin, std::span<const PropNumber> names, const StopToken& stop,
                      std::vector<std::shared_ptr<const NameList>>& out) {
  const std::lock_guard lock(mutex_);
  const auto take = [&](Index& index, uint32_t first, bool goes_on) {
    // What was folded stays folded, also when the call is cancelled.
    if (index.next != first) index.list = index.segments.publish();
    out.push_back(index.list);
    return goes_on;
  };
  bool goes_on = true;
  const uint32_t first_node = uids_.next;
  goes_on = take(uids_, first_node, extend_uids(pin, uids_, stop));
  for (const PropNumber name : names) {
    if (!goes_on) break;
    Index& index = names_[name];
    const uint32_t first_row = index.next;
    goes_on = take(index, first_row, extend_names(pin, name, index, stop));
  }
  uint64_t held = uids_.segments.bytes();
  for (const auto& [name, index] : names_) {
    held += index.segments.bytes() + index.last_text.size() * sizeof(TextNumber);
  }
  bytes_.store(held, std::memory_order_relaxed);
  return goes_on ? Status::ok() : Status(Code::kCancelled, "the call was cancelled");
}

bool NameCache::is_ready(const Pin& pin, std::span<const PropNumber> names) const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || uids_.next < pin.view().node_count) return false;
  for (const PropNumber name : names) {
    const auto found = names_.find(name);
    if (found == names_.end() || found->second.next < pin.view().node_rows) return false;
  }
  return true;
}

}  // namespace palimpsest
