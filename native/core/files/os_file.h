// The operating system's files as the store needs them: positional, O_CLOEXEC, private to their owner, errors as
// values. Knows nothing of logs, frames or Node; what each call may fail with is errno's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace palimpsest::files {

/// What a system call said: 0 is success, else errno, and the call that failed.
struct [[nodiscard]] OsResult {
  int error = 0;
  const char* call = "";
  bool is_ok() const { return error == 0; }
};

enum class OpenMode : uint8_t {
  kRead = 0,
  kWrite = 1,      // must exist
  kCreate = 2,     // made (0600) when absent
  kCreateNew = 3,  // must not exist
};

OsResult open_file(const std::string& path, OpenMode mode, int& descriptor);
void close_file(int descriptor);

OsResult file_length(int descriptor, uint64_t& length);
/// Device and inode: the same file under any name.
OsResult file_identity(int descriptor, uint64_t& device, uint64_t& inode);

/// Fills `into` from `offset`; `got` is less than `byte_count` only at the end of the file.
OsResult read_at(int descriptor, void* into, size_t byte_count, uint64_t offset, size_t& got);
/// Writes all of it, whatever the kernel's chunks and signals.
OsResult write_at(int descriptor, const void* from, size_t byte_count, uint64_t offset);
OsResult sync_data(int descriptor);
/// Makes names in the folder durable.
OsResult sync_folder(const std::string& path);
/// Space for [from, to), reading as zeros; the file is at least `to` long afterwards. ENOSPC leaves what was there.
OsResult reserve(int descriptor, uint64_t from, uint64_t to);
OsResult cut(int descriptor, uint64_t length);

enum class LockKind : uint8_t { kShared = 0, kExclusive = 1 };
/// `is_held` says whether this descriptor has the lock now. An exclusive request outlasts the short shared locks with
/// which readers ask whether a writer lives.
OsResult lock(int descriptor, LockKind kind, bool& is_held);
OsResult unlock(int descriptor);

}  // namespace palimpsest::files
