// Version rows of one kind in columns: append order, never moved; a row number is the name of a version.
// Holds what a row is and when belief in it ended; knows nothing of identities' order, of commits or of the log.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/chunked.h"
#include "core/store/column_view.h"
#include "core/store/properties.h"

namespace palimpsest {

/// The extremes of 1024 rows, so that a scan can skip the block. Only ever widened; read with `load`.
struct Zone {
  Micros min_from;
  Micros max_from;
  Micros min_to;  // of closed intervals
  Micros max_to;  // of closed intervals
  uint32_t has_open_end;
  uint32_t reserved;
};

/// How belief in a row ended.
struct Closing {
  Tx tx;
  Row row;
  EndedBy ended_by;
  TextNumber reason;  // of the operation that ended it, kNone where it gave none
};

class VersionTable {
 public:
  explicit VersionTable(Kind kind)
      : kind_(kind), closed_tx_(kNeverTx), closing_(kNone), annotation_(0), label_set_(0), zones_(empty_zone()) {}

  Kind kind() const { return kind_; }

  // --- read: any thread, rows below the view's cut ---
  uint32_t owner(Row row) const { return owner_.get(row); }  // node or edge number
  Micros valid_from(Row row) const { return valid_from_.get(row); }
  Micros valid_to(Row row) const { return valid_to_.get(row); }
  /// The commit that ended belief in the row, kNeverTx while it is believed. May be later than the caller's pin.
  Tx closed_tx(Row row) const { return closed_tx_.get_atomic(row); }
  /// The number of the row's closing, kNone while it is believed.
  uint32_t closing_number(Row row) const { return closing_.get_atomic(row); }
  Closing closing(uint32_t number) const { return closings_.get(number); }
  uint32_t annotation(Row row) const { return annotation_.get(row); }  // (source, provenance_ref, reason) of the writer
  uint32_t label_set(Row row) const { return label_set_.get(row); }
  const Properties& properties() const { return properties_; }
  Zone zone(uint32_t block) const;

  ColumnView<Micros> valid_froms() const { return ColumnView<Micros>(valid_from_); }
  ColumnView<Micros> valid_tos() const { return ColumnView<Micros>(valid_to_); }

  // --- write: the writer only ---
  Row row_count() const { return row_count_; }
  uint32_t closing_count() const { return closing_count_; }
  Row append(uint32_t owner, Micros from, Micros to, uint32_t annotation, uint32_t label_set);
  void close(Row row, Tx tx, EndedBy ended_by, TextNumber reason);
  Properties& mutable_properties() { return properties_; }
  uint64_t bytes() const;

 private:
  static Zone empty_zone() { return {INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, 0, 0}; }
  void widen(Zone& zone, Micros from, Micros to);

  const Kind kind_;
  ChunkedColumn<uint32_t> owner_;
  ChunkedColumn<Micros> valid_from_;
  ChunkedColumn<Micros> valid_to_;
  ChunkedColumn<Tx> closed_tx_;
  ChunkedColumn<uint32_t> closing_;
  ChunkedColumn<uint32_t> annotation_;
  ChunkedColumn<uint32_t> label_set_;
  ChunkedColumn<Closing> closings_;
  ChunkedColumn<Zone, 10> zones_;
  Properties properties_;
  Row row_count_ = 0;
  uint32_t closing_count_ = 0;
};

}  // namespace palimpsest
