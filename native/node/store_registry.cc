#include "node/store_registry.h"

#include "core/base/pool.h"

namespace palimpsest::node {

StoreRegistry& StoreRegistry::instance() {
  static auto* registry = new StoreRegistry();
  return *registry;
}

std::shared_ptr<CoreStore> StoreRegistry::attach(const std::string& key) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<CoreStore> core = stores_[key].lock();
  if (core == nullptr || core->is_poisoned()) {
    core = std::make_shared<CoreStore>();
    stores_[key] = core;
  }
  std::erase_if(stores_, [](const auto& entry) { return entry.second.expired(); });
  return core;
}

void StoreRegistry::let_go(std::shared_ptr<CoreStore> core) {
  {
    std::lock_guard lock(mutex_);
    if (core.use_count() > 1) return;
    std::erase_if(stores_, [&](const auto& entry) { return entry.second.lock() == core; });
  }
  try {
    Pool::shared().submit([held = std::move(core)]() mutable { held.reset(); });
  } catch (const std::exception&) {
    // No thread, or no memory for the task: then it went here.
  }
}

}  // namespace palimpsest::node
