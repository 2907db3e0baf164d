// Turns version rows into cells of a RowPack, column by column of a list that the caller chose.
// Shows nothing learnt after the pin: an end of belief that is later reads as none. Knows no operator and no order.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/kernels/rows/row_pack.h"
#include "core/store/op_buffer.h"
#include "core/store/store_view.h"

namespace palimpsest {

/// Order is that of `COLUMN_CODES` in src/operators/native/columns.ts.
enum class Column : uint8_t {
  kKind = 0,
  kUid,  // of a node row, or of the end that an endpoint shows
  kLabels,
  kSrc,
  kType,
  kDst,
  kKey,
  kSeq,
  kValidFrom,
  kValidTo,
  kTxFrom,
  kTxTo,
  kTx,
  kEndedTx,
  kEndedBy,
  kEndedReason,
  kReason,
  kSource,
  kProvenanceRef,
  kProps,     // the projected ones, or all
  kProp,      // one property
  kDuration,  // of the spell that the row begins
  kOther,     // the far end of an endpoint
  kRole,
  kCount
};

/// Which end of an edge an endpoint row shows; kBoth is a self-loop.
enum class Role : uint8_t { kNoRole = 0, kSrc = 1, kDst = 2, kBoth = 3 };

/// One row of an answer. kNone as row: an entity without a version.
struct RowRef {
  Row row;
  Kind kind;
  Role role = Role::kNoRole;
};

struct ColumnSpec {
  Column column;
  PropNumber name = kNone;                 // kProp
  bool has_all_props = false;              // kProps
  std::vector<PropNumber> projected = {};  // kProps: those of the named that the store knows
};

/// `bytes` = u32 count, then per column u8 code, and for kProp a text, for kProps a list of texts or 0xFFFFFFFF for
/// all.
Result<std::vector<ColumnSpec>> read_columns(std::span<const uint8_t> bytes, const Tables& tables);

class RowFetcher {
 public:
  /// Times shown are cut to [clamp_from, clamp_to).
  struct Clamp {
    Micros from = INT64_MIN;
    Micros to = INT64_MAX;
  };
  /// The pack is the caller's; the fetcher must not outlive the pin, the columns or the pack.
  RowFetcher(const Pin& pin, std::span<const ColumnSpec> columns, RowPack& out)
      : pin_(pin), columns_(columns), out_(out) {}
  void set_clamp(Clamp clamp) { clamp_ = clamp; }

  /// Nothing is added once the pack is full; `status` then says so.
  void add(RowRef ref);
  Status status() const {
    if (!out_.is_full()) return Status::ok();
    return Status(Code::kLimit, "the page holds more than 511 MiB of text; ask for fewer rows or properties");
  }

 private:
  void add_cell(const ColumnSpec& spec, RowRef ref);
  void add_identity(Column column, RowRef ref);
  void add_belief(Column column, RowRef ref);
  void add_annotation(Column column, RowRef ref);
  void add_uid(NodeNumber node) { out_.add_text(pin_.tables().uids.get(node)); }
  void add_text_or_null(TextNumber text);
  void add_labels(RowRef ref);
  void add_props(const ColumnSpec& spec, RowRef ref);
  Tx tx_of(RowRef ref);

  const Pin& pin_;
  std::span<const ColumnSpec> columns_;
  RowPack& out_;
  Clamp clamp_;
  std::string key_;
  // tx, tx_from and the like stand beside each other.
  RowRef last_ref_{kNone, Kind::kNode};
  Tx last_tx_ = 0;
};

}  // namespace palimpsest
