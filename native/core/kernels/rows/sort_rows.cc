#include "core/kernels/rows/sort_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace palimpsest {

namespace {
constexpr size_t kFewRows = 1u << 12;
constexpr unsigned kMostNodeBits = 24;  // two of them and a type fit one key

/// A number that orders chosen keys `#n` as texts: the digits from the left, then how many they are.
uint64_t text_order(EdgeNumber edge) {
  uint64_t digits = edge;
  unsigned count = 1;
  for (uint64_t power = 10; power <= edge; power *= 10) ++count;
  for (unsigned i = count; i < 10; ++i) digits *= 10;
  return digits << 4 | count;
}
}  // namespace

Status RowSorter::sort(std::vector<Row>& rows, StepCounter& steps) {
  if (!has_ranks_for(rows.size())) {
    std::sort(rows.begin(), rows.end(), [this](Row a, Row b) { return order_.is_row_less(kind_, a, b); });
    return Status::ok();
  }
  const uint64_t bytes = rows.size() * 2 * sizeof(KeyedItem) + uint64_t{pin_.view().node_count} * 24;
  if (!steps.hold(bytes)) return steps.status();
  rank_names();
  std::vector<KeyedItem> entries(rows.size());
  std::transform(rows.begin(), rows.end(), entries.begin(), [this](Row row) { return KeyedItem{key_of(row), row}; });
  const unsigned key_bits = kind_ == Kind::kNode ? node_bits_ : 2 * node_bits_ + type_bits_;
  if (!sort_by_digits(entries, key_bits, steps.token())) return Status(Code::kCancelled, "the call was cancelled");
  for (size_t from = 0; from < entries.size();) {
    size_t to = from + 1;
    while (to < entries.size() && entries[to].key == entries[from].key) ++to;
    if (to - from > 1) sort_equals(&entries[from], entries.data() + to);
    from = to;
  }
  std::transform(entries.begin(), entries.end(), rows.begin(), [](const KeyedItem& entry) { return entry.item; });
  steps.let_go(bytes);
  return Status::ok();
}

bool RowSorter::has_ranks_for(size_t row_count) const {
  const NodeNumber node_count = pin_.view().node_count;
  return row_count >= kFewRows && node_count / 4 < row_count && std::bit_width(node_count) <= kMostNodeBits;
}

void RowSorter::rank_names() {
  const Tables& tables = pin_.tables();
  const NodeNumber node_count = pin_.view().node_count;
  if (node_ranks_.size() == node_count) return;
  node_ranks_.resize(node_count);
  uint32_t rank = 0;
  for (const NodeNumber node : nodes_by_uid(tables, node_count)) node_ranks_[node] = rank++;
  node_bits_ = static_cast<unsigned>(std::bit_width(node_count));
  if (kind_ == Kind::kNode) return;
  TypeNumber last_type = 0;
  for (EdgeNumber edge = 1; edge <= pin_.view().edge_count; ++edge) {
    last_type = std::max(last_type, tables.edges.type(edge));
  }
  std::vector<uint32_t> types(size_t{last_type} + 1);
  std::iota(types.begin(), types.end(), 0u);
  std::sort(types.begin(), types.end(),
            [&](uint32_t a, uint32_t b) { return tables.types.get(a) < tables.types.get(b); });
  type_ranks_.resize(types.size());
  for (uint32_t i = 0; i < types.size(); ++i) type_ranks_[types[i]] = i;
  type_bits_ = static_cast<unsigned>(std::bit_width(types.size()));
}

uint64_t RowSorter::key_of(Row row) const {
  const uint32_t owner = pin_.versions(kind_).owner(row);
  if (kind_ == Kind::kNode) return node_ranks_[owner];
  const EdgeTable& edges = pin_.tables().edges;
  const uint64_t src = node_ranks_[edges.src(owner)];
  return (src << type_bits_ | type_ranks_[edges.type(owner)]) << node_bits_ | node_ranks_[edges.dst(owner)];
}

void RowSorter::sort_equals(KeyedItem* first, KeyedItem* end) {
  const VersionTable& versions = pin_.versions(kind_);
  const auto has_order = [&](const KeyedItem& entry) {
    return kind_ == Kind::kNode || pin_.tables().edges.has_chosen_key(versions.owner(entry.item));
  };
  if (!std::all_of(first, end, has_order)) {
    std::sort(first, end,
              [this](const KeyedItem& a, const KeyedItem& b) { return order_.is_row_less(kind_, a.item, b.item); });
    return;
  }
  if (kind_ == Kind::kEdge) {
    for (KeyedItem* entry = first; entry < end; ++entry) entry->key = text_order(versions.owner(entry->item));
  }
  std::sort(first, end, [&](const KeyedItem& a, const KeyedItem& b) {
    if (a.key != b.key) return a.key < b.key;
    const Micros from_a = versions.valid_from(a.item);
    const Micros from_b = versions.valid_from(b.item);
    return from_a != from_b ? from_a < from_b : a.item < b.item;
  });
}

}  // namespace palimpsest
