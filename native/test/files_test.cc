// The file layer: positional reads and gathered writes, reservation, locks between open files, the mapped header, and
// the order of the I/O thread's jobs.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/files/io_thread.h"
#include "core/files/lock_header.h"
#include "core/files/os_file.h"
#include "test/check.h"

using namespace palimpsest::files;

namespace {

std::string make_folder() {
  char name[] = "/tmp/palimpsest-files-XXXXXX";
  CHECK(mkdtemp(name) != nullptr);
  return name;
}

int open_new(const std::string& path) {
  int descriptor = -1;
  CHECK(open_file(path, OpenMode::kCreateNew, descriptor).is_ok());
  return descriptor;
}

void test_read_and_write(const std::string& folder) {
  const std::string path = folder + "/data";
  const int file = open_new(path);
  int other = -1;
  CHECK(open_file(path, OpenMode::kCreateNew, other).error == EEXIST);
  CHECK(open_file(folder + "/absent", OpenMode::kRead, other).error == ENOENT);
  // More pieces than one system call takes, some of them empty.
  std::vector<std::string> texts;
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    texts.push_back(std::string(static_cast<size_t>(i % 7) * 100, static_cast<char>('a' + i % 26)));
    expected += texts.back();
  }
  std::vector<WritePiece> pieces;
  for (const std::string& text : texts) pieces.push_back({text.data(), text.size()});
  CHECK(write_pieces(file, pieces, 10, true).is_ok());
  std::string got(expected.size() + 100, '?');
  size_t count = 0;
  CHECK(read_at(file, got.data(), got.size(), 10, count).is_ok());
  CHECK(count == expected.size());
  got.resize(count);
  CHECK(got == expected);
  CHECK(read_at(file, got.data(), 10, 1 << 20, count).is_ok() && count == 0);

  uint64_t length = 0;
  CHECK(reserve(file, 0, 1 << 20).is_ok());
  CHECK(file_length(file, length).is_ok() && length == 1 << 20);
  std::vector<uint8_t> zeros(1000, 1);
  CHECK(read_at(file, zeros.data(), zeros.size(), (1 << 20) - 1000, count).is_ok() && count == 1000);
  for (const uint8_t byte : zeros) CHECK(byte == 0);
  CHECK(cut(file, 10).is_ok());
  CHECK(file_length(file, length).is_ok() && length == 10);
  CHECK(sync_data(file).is_ok());
  CHECK(sync_folder(folder).is_ok());
  close_file(file);

  int read_only = -1;
  CHECK(open_file(path, OpenMode::kRead, read_only).is_ok());
  CHECK(write_at(read_only, "x", 1, 0).error == EBADF);
  CHECK(write_pieces(read_only, pieces, 0, false).error == EBADF);
  close_file(read_only);
}

void test_lock(const std::string& folder) {
  const std::string path = folder + "/LOCK";
  const int writer = open_new(path);
  int reader = -1;
  CHECK(open_file(path, OpenMode::kRead, reader).is_ok());
  bool is_held = false;
  CHECK(lock(writer, LockKind::kExclusive, is_held).is_ok() && is_held);
  CHECK(lock(reader, LockKind::kShared, is_held).is_ok() && !is_held);
  CHECK(lock(reader, LockKind::kExclusive, is_held).is_ok() && !is_held);
  CHECK(unlock(writer).is_ok());
  CHECK(lock(reader, LockKind::kShared, is_held).is_ok() && is_held);
  CHECK(lock(writer, LockKind::kExclusive, is_held).is_ok() && !is_held);
  // Closing the descriptor that holds it frees it; closing another of the same file does not.
  close_file(reader);
  CHECK(lock(writer, LockKind::kExclusive, is_held).is_ok() && is_held);
  CHECK(open_file(path, OpenMode::kRead, reader).is_ok());
  close_file(reader);
  CHECK(open_file(path, OpenMode::kRead, reader).is_ok());
  CHECK(lock(reader, LockKind::kShared, is_held).is_ok() && !is_held);

  uint64_t device[2];
  uint64_t inode[2];
  CHECK(file_identity(writer, device[0], inode[0]).is_ok() && file_identity(reader, device[1], inode[1]).is_ok());
  CHECK(device[0] == device[1] && inode[0] == inode[1]);

  LockHeader header;
  CHECK(header.map(writer, true).error == EINVAL);
  std::vector<uint8_t> bytes(LockHeader::kBytes, 7);
  CHECK(write_at(writer, bytes.data(), bytes.size(), 0).is_ok());
  CHECK(header.map(writer, true).is_ok());
  LockHeader seen;
  CHECK(seen.map(reader, false).is_ok());
  header.set_durable_frame(0x0102030405060708);
  CHECK(seen.durable_frame() == 0x0102030405060708);
  uint8_t copy[LockHeader::kBytes];
  seen.read(copy);
  CHECK(copy[0] == 7 && copy[48] == 8 && copy[55] == 1 && copy[56] == 7);
  close_file(writer);
  close_file(reader);
}

void test_io_thread() {
  IoThread io;
  std::vector<int> order;
  std::atomic<int> done{0};
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 1000; ++i) {
      io.submit([&order, &done, i] {
        order.push_back(i);
        done.fetch_add(1);
      });
    }
    // Stopping finishes what was submitted; the next job starts the thread again.
    io.stop();
    CHECK(done.load() == 1000 * (round + 1));
  }
  for (size_t i = 0; i < order.size(); ++i) CHECK(order[i] == static_cast<int>(i % 1000));
}

}  // namespace

int main() {
  const std::string folder = make_folder();
  test_read_and_write(folder);
  test_lock(folder);
  test_io_thread();
  for (const char* name : {"/data", "/LOCK"}) unlink((folder + name).c_str());
  rmdir(folder.c_str());
  return 0;
}
