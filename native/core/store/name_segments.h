// Folded texts of nodes, entry behind entry in one arena, as a search reads them: pieces of about a megabyte that never
// change. What comes later is a new piece; only a short last one is copied to be lengthened.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/types.h"

namespace palimpsest {

struct NameSegment {
  /// Ends every entry; no byte of UTF-8.
  static constexpr char kEnd = static_cast<char>(0xFF);

  std::string bytes;
  std::vector<uint32_t> starts{0};  // of each entry, and the end of the last one
  std::vector<NodeNumber> nodes;    // whose text it is
  std::vector<uint32_t> lengths;    // in code points

  size_t count() const { return nodes.size(); }
  std::string_view text(size_t entry) const {
    return std::string_view(bytes).substr(starts[entry], starts[entry + 1] - starts[entry] - 1);
  }
  /// Adds the folding of a text.
  void add(NodeNumber node, std::string_view text);
  /// Makes `each_equal` ready, when nothing is added any more.
  void index();
  /// Calls `visit(NodeNumber)` for every entry that is this folded text. False when a visit gave false.
  template <typename Visit>
  bool each_equal(std::string_view folded, Visit&& visit) const {
    if (firsts_.empty()) return true;
    for (uint32_t next = firsts_[bucket_of(folded)]; next != 0; next = nexts_[next - 1]) {
      if (text(next - 1) == folded && !visit(nodes[next - 1])) return false;
    }
    return true;
  }

 private:
  size_t bucket_of(std::string_view folded) const {
    return std::hash<std::string_view>{}(folded) & (firsts_.size() - 1);
  }

  // A chain of entries + 1 for each bucket of hashes, ended by 0: equal texts, however many, are as cheap as others.
  std::vector<uint32_t> firsts_;
  std::vector<uint32_t> nexts_;  // of each entry
};

/// All entries at some moment.
using NameList = std::vector<std::shared_ptr<const NameSegment>>;

/// The growing list: one thread adds, and publishes lists that any thread may keep.
class NameSegments {
 public:
  void add(NodeNumber node, std::string_view text);
  std::shared_ptr<const NameList> publish();
  uint64_t bytes() const { return bytes_; }

 private:
  void close_last();

  NameList closed_;
  NameSegment last_;
  uint64_t bytes_ = 0;
};

}  // namespace palimpsest
