// One instance of a motif, and who looks at instances.
#pragma once

#include <array>

#include "core/kernels/motifs/motif_question.h"

namespace palimpsest::motifs {

struct Instance {
  std::array<uint32_t, kMostEdges> ranks;  // in pattern order
  uint8_t edge_count;
  uint8_t cell;  // of the grid; 0 for a pattern of its own
};

}  // namespace palimpsest::motifs
