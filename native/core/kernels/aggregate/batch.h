// The events of one block that pass, side by side, as dimensions and measures take them.
// A batch has one entry per event and group: with the dimension "either end" an event gives two.
#pragma once

#include "core/kernels/events/event_source.h"

namespace palimpsest::aggregate {

inline constexpr uint32_t kMostEntries = 2 * EventSlice::kMostEvents;
inline constexpr uint8_t kNoValue = 255;

/// A value per entry: its PropKind, or kNoValue, and its bits.
struct ValueColumn {
  const uint8_t* kinds;
  const uint64_t* bits;
};

struct Batch {
  uint32_t count = 0;
  const Micros* at = nullptr;
  const NodeNumber* src = nullptr;
  const NodeNumber* dst = nullptr;
  const NodeNumber* node = nullptr;  // the grouped one and the far one, where there is just one dimension of nodes
  const NodeNumber* other = nullptr;
  const TypeNumber* type = nullptr;
  const Row* row = nullptr;
  const ValueColumn* values = nullptr;  // by source
  const uint32_t* group = nullptr;
  const uint32_t* minor = nullptr;
};

}  // namespace palimpsest::aggregate
