// Takes one identity out of a log while its commits are staged once more: which operations and rows are the identity's,
// which numbers they used up, and which uids nothing else names (FORMAT.md "Erasing").
// Used by the writer alone, on a store of its own; knows nothing of items, hashes or files.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codec/event_block.h"
#include "core/store/store_view.h"

namespace palimpsest {

class EraseFilter {
 public:
  /// A uid alone, or src, type, dst and key of an edge.
  EraseFilter(Tables& tables, std::vector<std::string> target) : tables_(tables), target_(std::move(target)) {}

  /// Numbers that an assertion of the target used up; the uids are those it named first, empty for the target's own.
  struct Numbers {
    uint32_t edges = 0;
    std::vector<std::string> uids;
  };
  /// Takes the numbers of an erased assertion: names are a uid, or the four of an edge.
  Numbers number_assertion(std::span<const std::string> names);
  /// Gives a uid of a log item its number, as replay does: without a name for the target's, or where it is empty.
  void number_uid(std::string_view uid);

  /// What became of one block.
  struct Filtered {
    std::vector<uint8_t> bytes;  // encoded anew; empty when no row of the target is in it
    uint32_t rows_left = 0;
    uint32_t edge_numbers = 0;          // that its holes use up
    NodeNumber first_node = 0;          // of its new uids
    std::vector<std::string> new_uids;  // empty for one that is gone
    bool has_holes = false;
  };
  /// Numbers the new uids of `block` and makes holes of the target's rows, in place. Views stay valid while this lives.
  Filtered filter(EventBlock& block);
  /// The same block without the new uids that nothing names; empty when it has none of those.
  std::vector<uint8_t> without_unnamed(std::span<const uint8_t> bytes, NodeNumber first_node) const;

  /// Something that stays names this uid.
  void name_uid(std::string_view uid);
  bool is_named_uid(std::string_view uid) const;
  /// The n of chosen keys `#n` that the target used up and that later events would be given again.
  std::vector<uint32_t> spent_keys() const;

  /// What was numbered since the last of these two stays, or is taken back with its batch.
  void keep();
  void rewind();

 private:
  bool is_node() const { return target_.size() == 1; }
  bool is_target_uid(std::string_view uid) const { return is_node() && uid == target_[0]; }
  void take_uid(std::string_view uid, Numbers& numbers);
  bool number_edge(std::string_view src, std::string_view type, std::string_view dst, std::string_view key);
  std::string_view name_of(NodeNumber node) const;
  bool is_candidate(const EventBlock& block, uint32_t row, NodeNumber src, NodeNumber dst) const;
  void mark(NodeNumber node);
  bool is_marked(NodeNumber node) const { return node < named_.size() && named_[node]; }
  void judge_rows(EventBlock& block);
  void clear_holes(EventBlock& block);

  Tables& tables_;
  std::vector<std::string> target_;
  NodeNumber target_number_ = kNone;
  std::set<std::string> numbered_;                   // edge identities of the target that have a number
  std::vector<std::string> new_ones_;                // of these since `keep`
  std::vector<uint32_t> chosen_;                     // n of chosen keys that are not the edge's own number
  std::vector<bool> named_;                          // by node number: something that stays names it
  std::vector<std::unique_ptr<std::string>> texts_;  // of the block under way
  NodeNumber kept_target_number_ = kNone;
  size_t kept_chosen_ = 0;
};

}  // namespace palimpsest
