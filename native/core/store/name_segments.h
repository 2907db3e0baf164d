// Folded texts of nodes, entry behind entry in one arena, as a search reads them: pieces of about a megabyte that never
// change. What comes later is a new piece; only a short last one is copied to be lengthened.
#pragma once

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
