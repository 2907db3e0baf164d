// The core stores of the process, by the file they are of: handles of any env attach to the same one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/store/core_store.h"

namespace palimpsest::node {

class StoreRegistry {
 public:
  static StoreRegistry& instance();

  /// The store of this key (device and inode), made where there is none; one that was poisoned is replaced.
  std::shared_ptr<CoreStore> attach(const std::string& key);

  /// Drops a handle's share of a store. With the last one the store can no longer be found, at once; what it held may
  /// be gigabytes and is freed on the pool.
  void let_go(std::shared_ptr<CoreStore> core);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<CoreStore>> stores_;
};

}  // namespace palimpsest::node
