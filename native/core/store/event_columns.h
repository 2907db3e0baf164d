// Bulk events as a caller hands them over: plain columns of any length, checked here and cut into blocks of 1024 rows.
// The blocks are what the log holds and what the stage applies, so a fresh load and its replay take one path.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/codec/event_block.h"
#include "core/store/text_table.h"

namespace palimpsest {

/// Texts end to end, with the end of each; rows point into them by code, or one by one where there are no codes.
struct TextColumn {
  const char* bytes = nullptr;
  uint64_t byte_count = 0;
  const uint32_t* ends = nullptr;
  const uint32_t* codes = nullptr;   // null: row i is text i
  const uint8_t* present = nullptr;  // null: every row has one
  uint32_t text_count = 0;

  bool is_given() const { return ends != nullptr; }
  bool has(uint32_t row) const { return present == nullptr || present[row] != 0; }
  uint32_t text_of(uint32_t row) const { return codes == nullptr ? row : codes[row]; }
  /// Never outside `bytes`, even where the caller changed what was checked before.
  std::string_view text(uint32_t number) const {
    if (number >= text_count) return {};
    const uint64_t to = ends[number] < byte_count ? ends[number] : byte_count;
    const uint64_t from = number == 0 ? 0 : ends[number - 1];
    return from < to ? std::string_view(bytes + from, to - from) : std::string_view(bytes, 0);
  }
  std::string_view at(uint32_t row) const { return text(text_of(row)); }
};

struct RawProperty {
  std::string name;
  PropKind kind = PropKind::kInt64;
  const int64_t* ints = nullptr;     // kInt64
  const double* doubles = nullptr;   // kDouble; integral ones up to 2^53 - 1 become int64
  const uint8_t* bools = nullptr;    // kBool
  TextColumn texts;                  // kString, kJson (canonical)
  const uint8_t* present = nullptr;  // null: every row has a value
};

struct EventColumns {
  uint32_t row_count = 0;
  TextColumn src;
  TextColumn dst;
  TextColumn type;
  TextColumn key;  // not given, or absent in a row: chosen by the store
  const int64_t* time = nullptr;
  const int64_t* valid_to = nullptr;  // null: every event is an instant; kOpenEnd: no end
  std::vector<RawProperty> props;
};

/// That no end, code or time leads astray and no end of an edge or type is missing: whoever reads or cuts columns
/// relies on it. The status carries the row.
Status check_layout(const EventColumns& columns);

/// Everything that the columns alone decide (docs/contract.md "Limits", "Time"), `check_layout` included.
Status check_events(const EventColumns& columns);

/// Cuts columns with a good layout into blocks, giving numbers to uids as it goes.
class EventCutter {
 public:
  EventCutter(const EventColumns& columns, TextTable& uids);
  /// The next block, null at the end. Its views point into the columns; valid until the next call.
  const EventBlock* next();

 private:
  NodeNumber node_of(const TextColumn& column, uint32_t row, std::vector<NodeNumber>& by_code);
  void cut_types(uint32_t from, uint32_t to);
  void cut_keys(uint32_t from, uint32_t to);
  void cut_property(const RawProperty& property, uint32_t from, uint32_t to);

  const EventColumns& columns_;
  TextTable& uids_;
  EventBlock block_;
  uint32_t position_ = 0;
  std::vector<NodeNumber> src_by_code_;
  std::vector<NodeNumber> dst_by_code_;
};

}  // namespace palimpsest
