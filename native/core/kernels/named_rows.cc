#include "core/kernels/named_rows.h"

namespace palimpsest {

namespace {

/// Rows of lists are put in order afterwards, which a walk in order saves.
constexpr uint64_t kWorthOfListedRow = 2;

}  // namespace

std::optional<NamedEnds> named_ends(const Pin& pin, const Filter& filter) {
  std::optional<NamedEnds> best;
  uint64_t bound = pin.row_cut(Kind::kEdge) / kWorthOfListedRow + 1;
  const auto consider = [&](const NumberSet* uids, bool is_dst) {
    if (uids == nullptr) return;
    uint64_t slot_count = 0;
    for (const NodeNumber node : uids->sorted()) {
      slot_count += pin.tables().incidence.slot_count(node);
      if (slot_count >= bound) return;
    }
    bound = slot_count;
    best = NamedEnds{uids->sorted(), is_dst, slot_count};
  };
  consider(filter.src_uids(), false);
  consider(filter.dst_uids(), true);
  // Both ends are among them.
  consider(filter.node_uids(), false);
  return best;
}

}  // namespace palimpsest
