// Edge identities: (src, type, dst, key) by edge number, and the way back from an identity to its number.
// A key that the store chose is `#n` with n the edge's own number: it costs no bytes and resolves without a hash.
#pragma once

#include <array>
#include <atomic>
#include <set>
#include <string>
#include <string_view>

#include "core/base/chunked.h"
#include "core/store/sub_tables.h"
#include "core/store/text_table.h"

namespace palimpsest {

class EdgeTable {
 public:
  explicit EdgeTable(Garbage& garbage) : garbage_(garbage), keys_(garbage), src_(kNone), key_(kNone) {}
  EdgeTable(const EdgeTable&) = delete;
  ~EdgeTable();

  // --- read: any thread; edge numbers below the view's count ---
  NodeNumber src(EdgeNumber edge) const { return src_.get(edge); }
  NodeNumber dst(EdgeNumber edge) const { return dst_.get(edge); }
  TypeNumber type(EdgeNumber edge) const { return type_.get(edge); }
  /// True when the key is the chosen `#n` of this very edge.
  bool has_chosen_key(EdgeNumber edge) const { return key_.get(edge) == kNone; }
  /// The number of the key in `key_texts`, kNone for a chosen key.
  TextNumber key_number(EdgeNumber edge) const { return key_.get(edge); }
  const TextTable& key_texts() const { return keys_; }
  /// Appends the key's text.
  void append_key(EdgeNumber edge, std::string& out) const;
  std::string key(EdgeNumber edge) const;
  /// The number of an identity, at most `last`: 0 when it has none. Columns above `last` may be half written.
  EdgeNumber find(NodeNumber src, TypeNumber type, NodeNumber dst, std::string_view key, EdgeNumber last) const;

  // --- writer only ---
  uint32_t count() const { return count_; }  // numbers run from 1 to count
  /// The identity's number; a new one when it had none.
  EdgeNumber find_or_add(NodeNumber src, TypeNumber type, NodeNumber dst, std::string_view key);
  /// A new edge whose key the store chooses: `#n` with the least n >= seq that makes a new identity.
  EdgeNumber add_with_chosen_key(NodeNumber src, TypeNumber type, NodeNumber dst);
  /// A number that an erased event used up: no identity, nothing to find.
  EdgeNumber add_erased() { return append(kNone, 0, kNone, kNone); }
  /// No edge is given the key `#number` from now on: one that was erased had it.
  void spend_key(uint64_t number);
  bool is_spent(uint64_t number) const { return spent_keys_.contains(number); }
  struct Mark {
    uint32_t edge_count;
    uint32_t key_count;
  };
  Mark mark() const { return {count_, keys_.count()}; }
  void rewind(Mark mark);
  uint64_t bytes() const;

 private:
  struct SubTable {
    uint32_t mask;
    uint32_t used;
    std::atomic<uint32_t> slots[1];
  };
  EdgeNumber append(NodeNumber src, TypeNumber type, NodeNumber dst, TextNumber key);
  EdgeNumber find_keyed(NodeNumber src, TypeNumber type, NodeNumber dst, TextNumber key, EdgeNumber last) const;
  bool is_chosen(EdgeNumber edge, NodeNumber src, TypeNumber type, NodeNumber dst) const;
  uint64_t hash_of(EdgeNumber edge) const;
  void add_to_hash(EdgeNumber edge);
  void remove_from_hash(EdgeNumber edge);
  void grow(unsigned index);

  Garbage& garbage_;
  TextTable keys_;
  ChunkedColumn<NodeNumber> src_;  // kNone where no edge has the number: `#n` must not resolve to it
  ChunkedColumn<NodeNumber> dst_;
  ChunkedColumn<TypeNumber> type_;
  ChunkedColumn<TextNumber> key_;
  std::array<std::atomic<SubTable*>, kSubTables> tables_{};
  uint32_t count_ = 0;
  bool has_numbered_keys_ = false;  // some explicit key looks like one that the store could choose, or one is spent
  std::set<uint64_t> spent_keys_;
  uint64_t slot_bytes_ = 0;
};

}  // namespace palimpsest
