// The 36 two- and three-node motifs of three edges as cells 0 … 35 of the grid M11 … M66, row by row.
// A row fixes the first two edges, a column the third. Knows no events.
#pragma once

#include "core/kernels/motifs/motif_question.h"

namespace palimpsest::motifs {

inline constexpr uint8_t kNoCell = 255;

namespace grid_detail {
// By (src, dst) of the second edge, the first being a>b: c>b, b>c, c>a, a>c, b>a, a>b.
inline constexpr uint8_t kRow[3][3] = {{kNoCell, 5, 3}, {4, kNoCell, 1}, {2, 0, kNoCell}};
// By (src, dst) of the third edge: a>b, b>a, a>c, c>a, b>c, c>b.
inline constexpr uint8_t kColumn[3][3] = {{kNoCell, 0, 2}, {1, kNoCell, 4}, {3, 5, kNoCell}};
}  // namespace grid_detail

/// The cell of three edges whose letters are numbered by first appearance, the first being a>b; kNoCell for others.
constexpr uint8_t grid_cell(PatternEdge second, PatternEdge third) {
  if (second.src > 2 || second.dst > 2 || third.src > 2 || third.dst > 2) return kNoCell;
  const uint8_t row = grid_detail::kRow[second.src][second.dst];
  const uint8_t column = grid_detail::kColumn[third.src][third.dst];
  return row == kNoCell || column == kNoCell ? kNoCell : static_cast<uint8_t>(row * 6 + column);
}

inline uint8_t grid_cell(const Pattern& pattern) {
  if (pattern.edges.size() != 3 || pattern.edges[0].is_loop()) return kNoCell;
  return grid_cell(pattern.edges[1], pattern.edges[2]);
}

/// The same for edges between any three numbers, none of them a loop.
constexpr uint8_t grid_cell_of(const std::array<PatternEdge, 3>& edges) {
  uint8_t letters[256] = {};  // 0: not seen yet, else the letter + 1
  uint8_t seen = 0;
  PatternEdge named[3] = {};
  for (int i = 0; i < 3; ++i) {
    const uint8_t ends[2] = {edges[i].src, edges[i].dst};
    for (const uint8_t end : ends) {
      if (letters[end] == 0) letters[end] = ++seen;
    }
    named[i] = {static_cast<uint8_t>(letters[ends[0]] - 1), static_cast<uint8_t>(letters[ends[1]] - 1)};
  }
  return grid_cell(named[1], named[2]);
}

static_assert(grid_cell_of({{{7, 8}, {8, 9}, {9, 7}}}) == 9);   // M24
static_assert(grid_cell_of({{{7, 8}, {8, 7}, {7, 8}}}) == 24);  // M51
static_assert(grid_cell_of({{{1, 0}, {1, 0}, {2, 0}}}) == 35);  // M66

}  // namespace palimpsest::motifs
