// The parts of the Unicode Character Database that names are compared by: full case folding and normalization form C.
// Data alone, generated; each table ascends by what it is looked up by. 0 fills what is not used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace palimpsest::unicode {

/// Statuses C and F of CaseFolding.
struct Folding {
  uint32_t from;
  uint32_t to[3];
};
/// The full canonical decomposition, Hangul syllables left out.
struct Decomposition {
  uint32_t from;
  uint32_t to[4];
};
struct Composition {
  uint32_t first;
  uint32_t second;
  uint32_t to;
};
/// Canonical combining classes above 0.
struct ClassRange {
  uint32_t from;
  uint32_t to;
  uint8_t number;
};

extern const Folding kFoldings[];
extern const size_t kFoldingsCount;
extern const Decomposition kDecompositions[];
extern const size_t kDecompositionsCount;
extern const Composition kCompositions[];
extern const size_t kCompositionsCount;
extern const ClassRange kClasses[];
extern const size_t kClassesCount;

}  // namespace palimpsest::unicode
