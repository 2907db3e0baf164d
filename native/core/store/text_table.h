// A dictionary of texts: each distinct text has a number, given in order of first appearance.
// One writer interns; any thread looks up. Numbers at or above a view's count are to be ignored by its reader.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/chunked.h"
#include "core/base/reclaim.h"
#include "core/store/sub_tables.h"

namespace palimpsest {

class TextTable {
 public:
  explicit TextTable(Garbage& garbage) : garbage_(garbage), entries_(nullptr) {}
  TextTable(const TextTable&) = delete;
  ~TextTable();

  /// The number of `text`, or kNone. May give a number that the caller's view does not know yet.
  TextNumber find(std::string_view text) const;
  std::string_view get(TextNumber number) const;

  // --- writer only ---
  TextNumber intern(std::string_view text);
  /// A number that no text has: what an erased uid leaves.
  TextNumber add_unnamed();
  uint32_t count() const { return count_; }
  /// Forgets every number from `count` on, so that they can be given anew.
  void truncate(uint32_t count);
  uint64_t bytes() const { return arena_bytes_ + entries_.bytes() + slot_bytes_; }

 private:
  // Parts by the top bits of the hash, each grown alone, so that no growth pauses the writer for long.
  struct SubTable {
    uint32_t mask;
    uint32_t used;
    std::atomic<uint64_t> slots[1];  // the number above 32 bits of the hash: a text is read only where these agree
  };
  static SubTable* make_sub_table(uint32_t capacity);
  void grow(unsigned index);
  const char* store(std::string_view text);

  Garbage& garbage_;
  std::array<std::atomic<SubTable*>, kSubTables> tables_{};
  ChunkedColumn<const char*> entries_;  // 4 bytes of length, then the bytes
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* block_cursor_ = nullptr;
  size_t block_left_ = 0;
  uint32_t count_ = 0;
  uint64_t arena_bytes_ = 0;
  uint64_t slot_bytes_ = 0;
};

uint64_t hash_bytes(const char* data, size_t length);

}  // namespace palimpsest
