// Counts of the 36 motifs as the window counters find them: by what is alike around a centre, by the sides of a
// triangle. 128 bits, so that no sum of them overflows; knows which cell of the grid each belongs to.
#pragma once

#include "core/kernels/motifs/grid.h"

namespace palimpsest::motifs {

using WideCount = unsigned __int128;

/// Which of three events around a centre lead to the same neighbour; the third kind of star has another one.
enum class Alike : uint8_t { kFirstTwo = 0, kFirstAndLast = 1, kLastTwo = 2, kAll = 3 };

class GridCounts {
 public:
  /// `directions` from the centre, 0 away, 1 towards it; the first of three times 4, the second times 2.
  void add_star(Alike alike, uint32_t directions, uint64_t count) {
    stars_[static_cast<size_t>(alike)][directions] += count;
  }
  /// A triangle whose first edge is u→v: the third node joined with u and with v, each away from them (0) or towards
  /// them (1), u first or not.
  void add_triangle(bool is_u_first, uint32_t at_u, uint32_t at_v) {
    ++triangles_[(is_u_first ? 0u : 4u) | (at_u << 1) | at_v];
  }
  void add_triangles(bool is_u_first, uint32_t at_u, uint32_t at_v, uint64_t count) {
    triangles_[(is_u_first ? 0u : 4u) | (at_u << 1) | at_v] += count;
  }

  void add(const GridCounts& other) {
    for (size_t alike = 0; alike < 4; ++alike) {
      for (size_t i = 0; i < 8; ++i) stars_[alike][i] += other.stars_[alike][i];
    }
    for (size_t i = 0; i < 8; ++i) triangles_[i] += other.triangles_[i];
  }

  /// By cell. Pairs were seen from both ends, so each stands twice.
  std::array<WideCount, kGridCells> cells() const {
    std::array<WideCount, kGridCells> cells{};
    for (uint8_t i = 0; i < 8; ++i) {
      for (uint8_t alike = 0; alike < 4; ++alike) cells[star_cell(static_cast<Alike>(alike), i)] += stars_[alike][i];
      cells[triangle_cell(i)] += triangles_[i];
    }
    for (uint8_t i = 0; i < 4; ++i) cells[star_cell(Alike::kAll, i)] /= 2;
    return cells;
  }

  static constexpr bool is_triangle(uint8_t cell) {
    for (uint8_t i = 0; i < 8; ++i) {
      if (triangle_cell(i) == cell) return true;
    }
    return false;
  }

 private:
  static constexpr uint8_t star_cell(Alike alike, uint8_t directions) {
    constexpr uint8_t kCentre = 0;
    constexpr uint8_t kNeighbours[4][3] = {{1, 1, 2}, {1, 2, 1}, {2, 1, 1}, {1, 1, 1}};
    std::array<PatternEdge, 3> edges{};
    for (uint8_t i = 0; i < 3; ++i) {
      const uint8_t neighbour = kNeighbours[static_cast<size_t>(alike)][i];
      const bool is_towards = ((directions >> (2 - i)) & 1) != 0;
      edges[i] = is_towards ? PatternEdge{neighbour, kCentre} : PatternEdge{kCentre, neighbour};
    }
    return grid_cell_of(edges);
  }
  static constexpr uint8_t triangle_cell(uint8_t sides) {
    const auto side = [](uint8_t end, bool is_towards) {
      constexpr uint8_t kThird = 2;
      return is_towards ? PatternEdge{kThird, end} : PatternEdge{end, kThird};
    };
    const PatternEdge at_u = side(0, (sides & 2) != 0);
    const PatternEdge at_v = side(1, (sides & 1) != 0);
    const bool is_u_first = (sides & 4) == 0;
    return grid_cell_of({PatternEdge{0, 1}, is_u_first ? at_u : at_v, is_u_first ? at_v : at_u});
  }

  std::array<std::array<WideCount, 8>, 4> stars_{};
  std::array<WideCount, 8> triangles_{};
};

}  // namespace palimpsest::motifs
