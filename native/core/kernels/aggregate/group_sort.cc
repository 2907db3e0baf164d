#include "core/kernels/aggregate/group_sort.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "core/kernels/rows/digit_sort.h"
#include "core/kernels/rows/row_order.h"

namespace palimpsest::aggregate {

namespace {

constexpr unsigned kKeyBits = 64;

/// The words of cells of one class, in their order; names are ranked once, for all columns.
class CellRanks {
 public:
  explicit CellRanks(const Pin& pin) : pin_(pin) {}

  /// False where cells of the class have no word that orders them.
  bool prepare(CellKind kind) {
    kind_ = kind;
    if (kind == CellKind::kNode && nodes_.empty()) rank(nodes_by_uid(pin_.tables(), pin_.view().node_count), nodes_);
    if (kind == CellKind::kType && types_.empty()) rank_types();
    return kind == CellKind::kInt || kind == CellKind::kInstant || kind == CellKind::kDuration ||
           kind == CellKind::kBool || kind == CellKind::kNode || kind == CellKind::kType;
  }
  int64_t word(const Cell& cell) const {
    if (kind_ == CellKind::kNode) return nodes_[cell.bits];
    return kind_ == CellKind::kType ? types_[cell.bits] : static_cast<int64_t>(cell.bits);
  }

 private:
  static void rank(const std::vector<uint32_t>& sorted, std::vector<uint32_t>& ranks) {
    ranks.resize(sorted.size());
    for (uint32_t i = 0; i < sorted.size(); ++i) ranks[sorted[i]] = i;
  }
  void rank_types() {
    const Tables& tables = pin_.tables();
    TypeNumber last = 0;
    for (EdgeNumber edge = 1; edge <= pin_.view().edge_count; ++edge) last = std::max(last, tables.edges.type(edge));
    std::vector<uint32_t> types(size_t{last} + 1);
    std::iota(types.begin(), types.end(), 0u);
    std::sort(types.begin(), types.end(),
              [&](uint32_t a, uint32_t b) { return tables.types.get(a) < tables.types.get(b); });
    rank(types, types_);
  }

  const Pin& pin_;
  CellKind kind_ = CellKind::kNull;
  std::vector<uint32_t> nodes_;
  std::vector<uint32_t> types_;
};

/// The columns that decide, most important first. Groups differ in their dimensions: behind these nothing decides.
std::vector<Ordering> deciding_columns(const Question& question) {
  std::vector<Ordering> columns;
  std::set<uint32_t> open;
  std::set<uint32_t> taken;
  for (uint32_t column = 0; column < question.dim_columns(); ++column) open.insert(column);
  const auto take = [&](const Ordering& ordering) {
    if (open.empty() || !taken.insert(ordering.column).second) return;
    columns.push_back(ordering);
    open.erase(ordering.column);
  };
  for (const Ordering& ordering : question.orderings) take(ordering);
  for (uint32_t column = 0; column < question.dim_columns(); ++column) take({column, false, false});
  return columns;
}

/// Adds the numbers of one column behind those that stand in the keys. False where it has none or they have no room.
bool add_column(const Ordering& ordering, const Parts& groups, CellRanks& ranks, std::vector<KeyedItem>& items,
                unsigned& key_bits) {
  std::vector<Cell> cells(items.size());
  CellKind kind = CellKind::kNull;
  bool has_null = false;
  for (size_t i = 0; i < items.size(); ++i) {
    cells[i] = groups.cell(items[i].item, ordering.column);
    if (cells[i].is_null()) has_null = true;
    if (cells[i].is_null() || cells[i].kind == kind) continue;
    if (kind != CellKind::kNull || !ranks.prepare(cells[i].kind)) return false;
    kind = cells[i].kind;
  }
  int64_t least = INT64_MAX;
  int64_t greatest = INT64_MIN;
  for (const Cell& cell : cells) {
    if (cell.is_null()) continue;
    least = std::min(least, ranks.word(cell));
    greatest = std::max(greatest, ranks.word(cell));
  }
  const uint64_t range = kind == CellKind::kNull ? 0 : static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
  if (range >= UINT64_MAX - 1) return false;
  const auto bits = static_cast<unsigned>(std::bit_width(range + (has_null ? 1 : 0)));
  if (key_bits + bits > kKeyBits || bits == kKeyBits) return false;
  const uint64_t first = has_null && !ordering.has_nulls_last ? 1 : 0;
  for (size_t i = 0; i < items.size(); ++i) {
    uint64_t number = ordering.has_nulls_last ? range + 1 : 0;
    if (!cells[i].is_null()) {
      const auto word = static_cast<uint64_t>(ranks.word(cells[i]));
      number = first +
               (ordering.is_descending ? static_cast<uint64_t>(greatest) - word : word - static_cast<uint64_t>(least));
    }
    items[i].key = items[i].key << bits | number;
  }
  key_bits += bits;
  return true;
}

}  // namespace

SortOutcome sort_groups(const Pin& pin, const Question& question, const Parts& groups, const StopToken& stop,
                        std::vector<uint32_t>& shown) {
  CellRanks ranks(pin);
  std::vector<KeyedItem> items(shown.size());
  for (size_t i = 0; i < shown.size(); ++i) items[i] = {0, shown[i]};
  unsigned key_bits = 0;
  for (const Ordering& ordering : deciding_columns(question)) {
    if (stop.is_stopped()) return SortOutcome::kCancelled;
    if (!add_column(ordering, groups, ranks, items, key_bits)) return SortOutcome::kNeedsCells;
  }
  if (!sort_by_digits(items, key_bits, stop)) return SortOutcome::kCancelled;
  for (size_t i = 0; i < items.size(); ++i) shown[i] = items[i].item;
  return SortOutcome::kSorted;
}

}  // namespace palimpsest::aggregate
