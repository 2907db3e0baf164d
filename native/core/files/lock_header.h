// The 64 bytes of LOCK, mapped: the writer says there which frame is durable, readers of other processes look.
// Layout in store/FORMAT.md. Whether a writer lives is the lock's business, not the header's.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "core/files/os_file.h"

namespace palimpsest::files {

class LockHeader {
 public:
  static constexpr size_t kBytes = 64;
  static constexpr size_t kDurableOffset = 48;

  LockHeader() = default;
  LockHeader(const LockHeader&) = delete;
  LockHeader& operator=(const LockHeader&) = delete;
  ~LockHeader() { unmap(); }

  /// Maps the first 64 bytes. The file must be that long (EINVAL): touching what is not there would end the process.
  OsResult map(int descriptor, bool is_writable);
  void unmap();
  bool is_mapped() const { return bytes_ != nullptr; }
  bool is_writable() const { return is_writable_; }

  void read(uint8_t* into) const {
    std::memcpy(into, bytes_, kBytes);
    const uint64_t frame = durable().load(std::memory_order_acquire);
    std::memcpy(into + kDurableOffset, &frame, sizeof frame);
  }
  uint64_t durable_frame() const { return durable().load(std::memory_order_acquire); }
  void set_durable_frame(uint64_t frame) { durable().store(frame, std::memory_order_release); }

 private:
  std::atomic_ref<uint64_t> durable() const {
    return std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(bytes_ + kDurableOffset));
  }

  uint8_t* bytes_ = nullptr;
  bool is_writable_ = false;
};

}  // namespace palimpsest::files
