// Which entries of the folded lists meet a query: the nodes that are worth judging.
// Reads arenas of bytes and nothing of the store.
#pragma once

#include "core/base/stop.h"
#include "core/kernels/entities/matching.h"
#include "core/store/name_segments.h"

namespace palimpsest::entities {

/// Calls `visit(NodeNumber)` for the node of every entry that holds the needle and, where the needle allows edits, of
/// every entry near it. False when the counter or the visit (by giving false) said stop.
template <typename Visit>
bool scan_names(const NameList& list, const Needle& needle, StepCounter& steps, Visit&& visit);

namespace name_scan_detail {

inline constexpr size_t kBlock = 64;

/// Whether the two bytes stand beside each other somewhere at [at, at + kBlock), of which one more byte is there.
inline bool has_pair(const char* at, char first, char second) {
  uint8_t any = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    any =
        static_cast<uint8_t>(any | (static_cast<uint8_t>(at[i] == first) & static_cast<uint8_t>(at[i + 1] == second)));
  }
  return any != 0;
}

/// The first place of `text` at or behind `from`, the size where there is none.
size_t find_text(std::string_view bytes, std::string_view text, size_t from);

}  // namespace name_scan_detail

template <typename Visit>
bool scan_names(const NameList& list, const Needle& needle, StepCounter& steps, Visit&& visit) {
  EditDistance edits;
  for (const auto& segment : list) {
    const NameSegment& names = *segment;
    if (!steps.add(names.bytes.size() / name_scan_detail::kBlock + 1)) return false;
    size_t entry = 0;
    for (size_t at = 0;;) {
      at = name_scan_detail::find_text(names.bytes, needle.text(), at);
      if (at == names.bytes.size()) break;
      while (names.starts[entry + 1] <= at) ++entry;
      if (!visit(names.nodes[entry])) return false;
      at = names.starts[entry + 1];
    }
    if (needle.max_distance() == 0) continue;
    for (size_t i = 0; i < names.count(); ++i) {
      if (!needle.has_near_length(names.lengths[i])) continue;
      if (!steps.add(1)) return false;
      if (needle.is_near(names.text(i), edits) && !visit(names.nodes[i])) return false;
    }
  }
  return true;
}

}  // namespace palimpsest::entities
