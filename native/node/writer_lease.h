// The right to stage, held by a handle and by the handle's work on the pool: given back when the last of them lets go,
// so that a handle which is closed, collected or torn down with its env never leaves a half-staged batch to the next
// one.
#pragma once

#include <memory>
#include <utility>

#include "core/store/core_store.h"

namespace palimpsest::node {

class WriterLease {
 public:
  /// Null when another owner has it.
  static std::shared_ptr<WriterLease> acquire(std::shared_ptr<CoreStore> core) {
    auto lease = std::make_shared<WriterLease>(std::move(core));
    return lease->core_->try_acquire_writer(lease.get()) ? lease : nullptr;
  }
  explicit WriterLease(std::shared_ptr<CoreStore> core) : core_(std::move(core)) {}
  WriterLease(const WriterLease&) = delete;
  WriterLease& operator=(const WriterLease&) = delete;
  ~WriterLease() { core_->release_writer(this); }

  CoreStore& core() const { return *core_; }

 private:
  std::shared_ptr<CoreStore> core_;
};

}  // namespace palimpsest::node
