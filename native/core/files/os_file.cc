// POSIX and Linux calls behind os_file.h.
#include "core/files/os_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace palimpsest::files {
namespace {

OsResult failed(const char* call) { return {errno, call}; }

OsResult write_zeros(int descriptor, uint64_t from, uint64_t to) {
  const std::vector<uint8_t> zeros(std::min<uint64_t>(to - from, 1u << 16), 0);
  while (from < to) {
    const size_t step = std::min<uint64_t>(to - from, zeros.size());
    const OsResult result = write_at(descriptor, zeros.data(), step, from);
    if (!result.is_ok()) return result;
    from += step;
  }
  return {};
}

}  // namespace

OsResult open_file(const std::string& path, OpenMode mode, int& descriptor) {
  int flags = O_CLOEXEC | (mode == OpenMode::kRead ? O_RDONLY : O_RDWR);
  if (mode == OpenMode::kCreate) flags |= O_CREAT;
  if (mode == OpenMode::kCreateNew) flags |= O_CREAT | O_EXCL;
  do {
    descriptor = ::open(path.c_str(), flags, 0600);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? failed("open") : OsResult{};
}

void close_file(int descriptor) { ::close(descriptor); }

OsResult file_length(int descriptor, uint64_t& length) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return failed("fstat");
  length = static_cast<uint64_t>(status.st_size);
  return {};
}

OsResult file_identity(int descriptor, uint64_t& device, uint64_t& inode) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return failed("fstat");
  device = status.st_dev;
  inode = status.st_ino;
  return {};
}

OsResult read_at(int descriptor, void* into, size_t byte_count, uint64_t offset, size_t& got) {
  got = 0;
  while (got < byte_count) {
    const ssize_t step =
        ::pread(descriptor, static_cast<char*>(into) + got, byte_count - got, static_cast<off_t>(offset + got));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return failed("pread");
    if (step == 0) break;
    got += static_cast<size_t>(step);
  }
  return {};
}

OsResult write_at(int descriptor, const void* from, size_t byte_count, uint64_t offset) {
  size_t done = 0;
  while (done < byte_count) {
    const ssize_t step = ::pwrite(descriptor, static_cast<const char*>(from) + done, byte_count - done,
                                  static_cast<off_t>(offset + done));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return failed("pwrite");
    done += static_cast<size_t>(step);
  }
  return {};
}

OsResult sync_data(int descriptor) { return ::fdatasync(descriptor) != 0 ? failed("fdatasync") : OsResult{}; }

OsResult sync_folder(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return failed("open");
  const OsResult result = ::fsync(descriptor) != 0 ? failed("fsync") : OsResult{};
  ::close(descriptor);
  return result;
}

OsResult reserve(int descriptor, uint64_t from, uint64_t to) {
  if (from >= to) return {};
  int answer;
  do {
    answer = ::fallocate(descriptor, 0, static_cast<off_t>(from), static_cast<off_t>(to - from));
  } while (answer != 0 && errno == EINTR);
  if (answer == 0) return {};
  if (errno != EOPNOTSUPP) return failed("fallocate");
  // A file system without reservation: only bytes that are written are sure to have a place.
  uint64_t length = 0;
  const OsResult measured = file_length(descriptor, length);
  if (!measured.is_ok()) return measured;
  return write_zeros(descriptor, std::max(from, length), to);
}

OsResult cut(int descriptor, uint64_t length) {
  int answer;
  do {
    answer = ::ftruncate(descriptor, static_cast<off_t>(length));
  } while (answer != 0 && errno == EINTR);
  return answer != 0 ? failed("ftruncate") : OsResult{};
}

OsResult lock(int descriptor, LockKind kind, bool& is_held) {
  is_held = false;
  const int operation = (kind == LockKind::kExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB;
  const int attempts = kind == LockKind::kExclusive ? 10 : 1;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (::flock(descriptor, operation) == 0) {
      is_held = true;
      return {};
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return failed("flock");
    if (attempt + 1 < attempts) {
      const timespec pause{0, 1'000'000};
      ::nanosleep(&pause, nullptr);
    }
  }
  return {};
}

OsResult unlock(int descriptor) { return ::flock(descriptor, LOCK_UN) != 0 ? failed("flock") : OsResult{}; }

}  // namespace palimpsest::files
