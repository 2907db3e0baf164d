// Which shapes of properties the rows of a table have at a commit, with one row of each: kept for who asks again, and
// for later commits, which only have to look at what they brought. A cache: everything in it follows from the tables.
// Any thread. Knows no kernel.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "core/store/store_view.h"

namespace palimpsest {

class ShapeCache {
 public:
  /// Whose shapes: `row_class` and `names` (numbers of types or labels) are the asker's and only compared.
  struct Question {
    Kind kind;
    uint8_t row_class;
    std::vector<uint32_t> names;
    bool operator==(const Question&) const = default;
  };
  struct Use {
    ShapeNumber shape;
    Row row;  // one that has it
  };
  struct Found {
    Tx tx;
    Row row_cut;
    uint32_t toggle_cut;
    std::vector<Use> uses;
  };

  /// What was found at the commit or else at the newest kept one before it; null where there is neither.
  std::shared_ptr<const Found> find(const Question& question, Tx tx);
  void keep(const Question& question, std::shared_ptr<const Found> found);
  uint64_t bytes() const;

 private:
  struct Entry {
    Question question;
    std::shared_ptr<const Found> found;
  };

  mutable std::mutex mutex_;  // guards what stands below; never held during work
  std::deque<Entry> kept_;    // used most recently first
  uint64_t use_count_ = 0;    // of all kept
};

}  // namespace palimpsest
