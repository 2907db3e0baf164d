// Versions of one kind in the order of the store digest, some at a time, and what all of them have together: for who
// takes a store out as tables. Finds rows; columns are filled by kernels/columns.
#pragma once

#include <map>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/digest_order.h"
#include "core/kernels/rows/fetch.h"
#include "core/store/store_view.h"

namespace palimpsest {

/// Which versions: those believed at the pin, or all that were ever written up to it.
enum class Belief : uint8_t { kNow, kEver };

/// What the versions have; a table leaves out columns that none of them fills.
struct VersionSurvey {
  uint64_t row_count = 0;
  bool has_source = false;
  bool has_provenance = false;
  bool has_reason = false;
  bool has_ended = false;
  bool has_ended_reason = false;
  /// By name, bits of PropKind. A property of integers and doubles with an integer that no double holds has the bit of
  /// JSON, too, so that its column is of texts.
  std::map<PropNumber, uint32_t> properties;
};

Status survey_versions(const Pin& pin, Kind kind, Belief belief, const StopToken& stop, VersionSurvey& out);

class VersionStream {
 public:
  VersionStream(const Pin& pin, Kind kind, Belief belief) : pin_(pin), kind_(kind), belief_(belief), order_(pin) {}

  /// Replaces `out` by the next `row_count` versions, fewer at the end; empty behind it.
  Status next(size_t row_count, const StopToken& stop, std::vector<RowRef>& out);

 private:
  void find(NodeNumber node, StepCounter& steps);
  void keep(Row row);

  Pin pin_;
  Kind kind_;
  Belief belief_;
  DigestOrder order_;
  size_t node_position_ = 0;
  std::vector<RowRef> found_;  // of the node at hand; given away up to `given_`
  size_t given_ = 0;
  std::vector<Row> rows_;
  std::vector<DigestOrder::EdgeRow> edge_rows_;
};

}  // namespace palimpsest
