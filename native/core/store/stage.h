// One batch while it is being applied: believed lists of the identities it touches, new rows that have no number yet,
// and the beliefs it ends. Carving happens here (docs/contract.md "Writes"); nothing is visible before `seal`.
// Used by the writer alone.
#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/status.h"
#include "core/codec/event_block.h"
#include "core/store/op_buffer.h"
#include "core/store/store_view.h"

namespace palimpsest {

inline constexpr uint32_t kNameLimit = 65'535;       // different types; different labels
inline constexpr uint32_t kPropertyLimit = 1'024;    // properties of a version
inline constexpr uint64_t kContentLimit = 1u << 20;  // bytes of a version's content

/// What a bulk operation says of all its events.
struct EventsHeader {
  std::vector<std::string_view> node_labels;
  std::string_view source;  // null data: not given
  std::string_view provenance_ref;
  std::string_view reason;
};

class Stage {
 public:
  explicit Stage(Tables& tables);

  /// Applies operations of an op buffer. kNotFound carries the operation's position, counted from `first_operation`.
  /// With `missed`, as on replay, nothing is judged: an operation that finds no belief is noted there and takes none
  /// away.
  Status apply(std::span<const uint8_t> buffer, uint32_t first_operation, std::vector<uint32_t>* missed = nullptr);

  /// A bulk operation: begin, its blocks in order, end. Node numbers in a block are already given (`new_uids`
  /// interned).
  Status begin_events(const EventsHeader& header);
  Status add_block(const EventBlock& block);
  Status end_events();

  /// The operation that erased an identity, which is gone from what was staged before: it leaves its note alone.
  void note_erasure(Tx first_tx, std::vector<uint32_t> spent_keys);

  /// Gives row numbers to what survived and writes it into the tables as commit `tx`; the batch can no longer fail.
  void seal(Tx tx, Micros tx_time);
  /// Forgets the batch and gives its numbers back.
  void abort();
  bool is_empty() const { return counts_.operations == 0; }
  uint64_t pending_rows() const { return edges_.pending.size() + nodes_.pending.size(); }

 private:
  static constexpr uint32_t kPendingBit = 0x80000000u;  // an entry is a committed row, or a pending one with this bit

  struct Pending {
    uint32_t identity;
    uint32_t annotation;
    Micros from;
    Micros to;
    uint32_t content;
    bool is_dead;
  };
  struct Content {
    uint32_t first_value = 0;
    uint32_t value_count = 0;
    uint32_t label_set = 0;
  };
  struct StagedClosing {
    Row row;
    EndedBy ended_by;
    TextNumber reason;
  };
  /// Runs of new identities with consecutive pending rows, as bulk loads make them: no list is kept for those.
  struct FreshRange {
    uint32_t first_identity;
    uint32_t first_pending;
    uint32_t count;
  };
  struct Side {
    Kind kind;
    std::vector<Pending> pending;
    std::vector<StagedClosing> closings;
    std::unordered_map<uint32_t, std::vector<uint32_t>> touched;  // identity -> believed entries by valid_from
    std::vector<FreshRange> fresh;
    std::unordered_map<uint32_t, std::vector<uint32_t>> deep;  // the same between batches, for long histories only
    uint32_t committed_identities = 0;                         // identities below have committed rows, if any
  };
  /// A part of a believed version that an operation covers.
  struct Overlap {
    Micros from;
    Micros to;
    uint32_t content;
  };
  struct Interval {
    Micros from;
    Micros to;
  };
  struct Marks {
    uint32_t uids, types, labels, prop_names, texts, label_sets, annotations;
    EdgeTable::Mark edges;
  };

  /// Whether `more` versions of a kind can still be written.
  bool has_room(const Side& side, uint64_t more) const;
  Status apply_one(OpKind kind, OpReader& reader, bool is_judged, bool& is_missed);
  Status read_labels(OpReader& reader, std::vector<TextNumber>& out);
  Status read_props(OpReader& reader, std::vector<PropValue>& values, std::vector<PropNumber>& removed);
  Status check_content(std::span<const PropValue> values) const;

  std::vector<uint32_t>& believed(Side& side, uint32_t identity);
  Pending view_of(const Side& side, uint32_t entry) const;
  Micros from_of(const Side& side, uint32_t entry) const;
  /// Takes the interval out of the identity's belief; gives what it covered. `wants_content` only for patches.
  void carve(Side& side, uint32_t identity, Interval interval, EndedBy ended_by, TextNumber reason, bool wants_content,
             std::vector<Overlap>& overlaps);
  void write(Side& side, uint32_t identity, Interval interval, uint32_t annotation, uint32_t content);
  uint32_t add_pending(Side& side, const Pending& pending);
  uint32_t content_of_row(const Side& side, Row row);
  uint32_t add_content(std::span<const PropValue> values, uint32_t label_set);
  Status patch(Side& side, uint32_t identity, const std::vector<Overlap>& overlaps, uint32_t annotation,
               std::span<const TextNumber> add, std::span<const TextNumber> remove, std::span<const PropValue> values,
               std::span<const PropNumber> removed);

  uint32_t annotation_number(std::string_view source, std::string_view provenance_ref, std::string_view reason);
  uint32_t label_set_number(std::vector<TextNumber> labels);
  TextNumber text_or_none(std::string_view text);

  void extend_fresh(EdgeNumber edge, uint32_t entry);
  void note_end(NodeNumber node, Micros at);
  std::vector<uint32_t> seal_order() const;
  void seal_side(Side& side, Tx tx, const std::vector<uint32_t>& order, std::vector<Row>& row_of);
  /// Notes which edge rows became, or ceased to be, the beginnings of their spells (docs/contract.md A5).
  void toggle_events(const Side& side, Tx tx, const std::vector<Row>& row_of);
  void remember_deep(Side& side, const std::vector<Row>& row_of);
  void link_incidence(Row first, Row end);
  void clear();

  Tables& tables_;
  Side edges_;
  Side nodes_;
  std::vector<Content> contents_;
  std::vector<PropValue> values_;
  std::map<Annotation, uint32_t> annotation_numbers_;
  std::map<std::vector<TextNumber>, uint32_t> label_set_numbers_;
  Commit counts_;
  Marks marks_;

  Tx erased_since_ = 0;  // not 0 in the commit that erases
  std::vector<uint32_t> spent_keys_;

  // The bulk operation under way.
  EventsHeader header_;
  uint32_t header_annotation_ = 0;
  uint32_t header_label_set_ = 0;
  TextNumber header_reason_ = kNone;
  std::vector<NodeNumber> ends_;  // in order of first appearance
  std::vector<Micros> earliest_;  // by node, valid where `end_stamp_` is the operation's
  std::vector<uint32_t> end_stamp_;
  uint32_t stamp_ = 0;
};

}  // namespace palimpsest
