// What is asked of motifs (docs/contract.md O6, O7), in numbers: letters of patterns are 0, 1, … by first appearance.
#pragma once

#include <array>
#include <vector>

#include "core/kernels/filter/filter.h"
#include "core/kernels/rows/page_selector.h"
#include "core/kernels/window.h"

namespace palimpsest::motifs {

inline constexpr uint32_t kMostEdges = 6;
inline constexpr uint32_t kMostLetters = 6;
inline constexpr uint32_t kGridCells = 36;

/// Which of two tied events may come first.
enum class Ties : uint8_t { kBySeq = 0, kStrict = 1, kAllow = 2 };

struct PatternEdge {
  uint8_t src;
  uint8_t dst;
  bool is_loop() const { return src == dst; }
};

/// Pattern edges in time order, and what each asks of its event beside the ends.
struct Pattern {
  std::vector<PatternEdge> edges;
  std::vector<Filter> filters;  // one per edge, or none at all

  bool has_filters() const { return !filters.empty(); }
  bool has_loops() const {
    for (const PatternEdge& edge : edges) {
      if (edge.is_loop()) return true;
    }
    return false;
  }
};

struct Question {
  Pattern pattern;  // without edges: all 36 of the grid
  Micros delta = 0;
  ValidWindow window;
  Ties ties = Ties::kBySeq;

  bool is_grid() const { return pattern.edges.empty(); }
};

}  // namespace palimpsest::motifs
