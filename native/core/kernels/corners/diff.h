// O3 `diff_snapshots`: the identities that differ between two corners of the bi-temporal plane.
// Totals over everything, rows for one page; what the rows show is fetched by whoever asked.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/corners/content_difference.h"
#include "core/kernels/corners/identity_page.h"
#include "core/kernels/corners/khop.h"

namespace palimpsest {

enum class Change : uint8_t { kAdded = 0, kRemoved = 1, kChanged = 2 };

/// Position in the totals: nodes, then edges; each added, removed, changed.
inline constexpr size_t kTotals = 6;
constexpr size_t total_of(Kind kind, Change change) {
  return (kind == Kind::kNode ? 0 : 3) + static_cast<size_t>(change);
}

struct DiffQuery {
  std::optional<KhopQuery> scope;  // searched in both corners
  Compared compared = Compared::kContent;
  uint32_t included = (1u << kTotals) - 1;  // bit per total: what is listed
  PageRange rows;
};

struct DiffRow {
  Kind kind;
  Change change;
  Row left;   // kNone where added
  Row right;  // kNone where removed
  std::vector<std::string> changed;
};

struct DiffPage {
  std::array<uint64_t, kTotals> totals{};
  uint64_t rows_total = 0;
  std::vector<DiffRow> rows;  // nodes by uid, then edges by (src, type, dst, key)
};

/// Both pins must be of one view.
///
/// @return kCost or kCancelled when `steps` said so; never fails otherwise
///
/// O(versions with a boundary between the corners), or O(slots of the scope's nodes) where that is less. With filters
/// on nodes also the lists of those nodes whose verdict differs between the corners.
Status diff_snapshots(Corner& left, Corner& right, const DiffQuery& query, StepCounter& steps, DiffPage& page);

}  // namespace palimpsest
