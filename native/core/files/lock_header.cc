// Mapping and unmapping of the header of LOCK.
#include "core/files/lock_header.h"

#include <sys/mman.h>

#include <cerrno>

namespace palimpsest::files {

OsResult LockHeader::map(int descriptor, bool is_writable) {
  uint64_t length = 0;
  const OsResult measured = file_length(descriptor, length);
  if (!measured.is_ok()) return measured;
  if (length < kBytes) return {EINVAL, "mmap"};
  const int protection = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* area = ::mmap(nullptr, kBytes, protection, MAP_SHARED, descriptor, 0);
  if (area == MAP_FAILED) return {errno, "mmap"};
  unmap();
  bytes_ = static_cast<uint8_t*>(area);
  is_writable_ = is_writable;
  return {};
}

void LockHeader::unmap() {
  if (bytes_ != nullptr) ::munmap(bytes_, kBytes);
  bytes_ = nullptr;
}

}  // namespace palimpsest::files
