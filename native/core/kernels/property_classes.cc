#include "core/kernels/property_classes.h"

#include <algorithm>
#include <optional>

#include "core/store/shape_cache.h"

namespace palimpsest {

namespace {

using Question = ShapeCache::Question;
using Found = ShapeCache::Found;

constexpr uint32_t kStepRows = 4 * kBlockRows;

std::optional<Question> question_of(const PropertyRows& table) {
  auto names = table.names.names_alone(table.kind);
  if (!names) return std::nullopt;
  return Question{table.kind, static_cast<uint8_t>(table.rows), std::move(*names)};
}

/// Finds one row of each shape that the table has.
class ShapeSearch {
 public:
  ShapeSearch(const Pin& pin, const PropertyRows& table, const StopToken& stop)
      : pin_(pin),
        table_(table),
        properties_(pin.versions(table.kind).properties()),
        cut_(pin.row_cut(table.kind)),
        steps_(stop),
        // The empty shape has no property, so nobody asks who has it.
        seen_(1, true) {}

  /// Looks at all rows. False when the counter said stop.
  bool read_all() { return read(0, true); }

  /// Starts from what the table had at an earlier commit. False when a row that stood for its shape is no longer of the
  /// table: another may be anywhere.
  bool take_over(const Found& earlier) {
    for (const auto& [shape, row] : earlier.uses) {
      if (!is_of_table(row)) return false;
      see(shape, row);
    }
    return true;
  }
  /// Looks at what came after it: new rows, and older ones that have become events. False when the counter said stop.
  bool read_after(const Found& earlier) {
    if (!count_all() || !read(earlier.row_cut, false)) return false;
    if (table_.rows != ClassRows::kEvents) return true;
    for (uint32_t number = earlier.toggle_cut; number < pin_.toggle_cut(); ++number) {
      const Row row = pin_.tables().event_toggles.get(number).row;
      if (row < earlier.row_cut) judge(row, properties_.shape(row));
    }
    return true;
  }
  /// The steps of a search, where nothing has to be looked at. False when the counter said stop.
  bool count_all() {
    for (Row row = 0; row < cut_; row += kStepRows) {
      if (!steps_.add(std::min(kStepRows, cut_ - row))) return false;
    }
    return true;
  }

  std::shared_ptr<const Found> found() {
    return std::make_shared<const Found>(Found{pin_.tx(), cut_, pin_.toggle_cut(), std::move(uses_)});
  }
  Status status() const { return steps_.status(); }

 private:
  bool read(Row from, bool counts_steps) {
    const ColumnView<ShapeNumber> shapes = properties_.shapes();
    for (Row first = from - from % kBlockRows; first < cut_; first += kBlockRows) {
      if (counts_steps && first % kStepRows == 0 && !steps_.add(std::min(kStepRows, cut_ - first))) return false;
      const BlockView<ShapeNumber> block = shapes.block(first >> kBlockShift);
      if (block.is_constant() && has_seen(block.constant_value())) continue;
      read_block(block, first, std::max(from, first), std::min(first + kBlockRows, cut_));
    }
    return true;
  }
  void read_block(const BlockView<ShapeNumber>& block, Row first, Row from, Row to) {
    ShapeNumber passed = 0;  // seen, and most likely that of the next row, too
    for (Row row = from; row < to; ++row) {
      const ShapeNumber shape = block.at(row - first);
      if (shape == passed) continue;
      judge(row, shape);
      if (has_seen(shape)) passed = shape;
    }
  }
  void judge(Row row, ShapeNumber shape) {
    if (!has_seen(shape) && is_of_table(row)) see(shape, row);
  }
  bool is_of_table(Row row) const {
    const auto& [kind, rows, names] = table_;
    if (rows != ClassRows::kAllVersions && !pin_.is_believed(kind, row)) return false;
    if (!(kind == Kind::kNode ? names.passes_node_row(row) : names.passes_edge(row))) return false;
    return rows != ClassRows::kEvents || pin_.begins_spell(kind, row);
  }
  bool has_seen(ShapeNumber shape) const { return shape < seen_.size() && seen_[shape]; }
  void see(ShapeNumber shape, Row row) {
    if (shape >= seen_.size()) seen_.resize(shape + 1, false);
    seen_[shape] = true;
    uses_.push_back({shape, row});
  }

  const Pin& pin_;
  const PropertyRows& table_;
  const Properties& properties_;
  const Row cut_;
  StepCounter steps_;
  std::vector<bool> seen_;
  std::vector<ShapeCache::Use> uses_;
};

/// Only edges have toggles, which say what older rows became events.
bool can_go_on(const PropertyRows& table) { return table.rows != ClassRows::kEvents || table.kind == Kind::kEdge; }

Status find_shapes(const Pin& pin, const PropertyRows& table, const StopToken& stop,
                   std::shared_ptr<const Found>& out) {
  const auto question = question_of(table);
  ShapeCache& cache = pin.tables().shape_cache();
  const auto earlier = question ? cache.find(*question, pin.tx()) : nullptr;
  ShapeSearch search(pin, table, stop);
  if (earlier != nullptr && earlier->tx == pin.tx()) {
    out = earlier;
    return search.count_all() ? Status::ok() : search.status();
  }
  if (earlier != nullptr && can_go_on(table) && search.take_over(*earlier)) {
    if (!search.read_after(*earlier)) return search.status();
    out = search.found();
  } else {
    ShapeSearch whole(pin, table, stop);
    if (!whole.read_all()) return whole.status();
    out = whole.found();
  }
  if (question) cache.keep(*question, out);
  return Status::ok();
}

}  // namespace

Status properties_in_use(const Pin& pin, const PropertyRows& table, const StopToken& stop,
                         std::map<PropNumber, uint32_t>& out) {
  out.clear();
  std::shared_ptr<const Found> found;
  if (Status status = find_shapes(pin, table, stop, found); !status.is_ok()) return status;
  const Properties& properties = pin.versions(table.kind).properties();
  for (const auto& [shape, row] : found->uses) {
    for (const uint32_t column : properties.columns(shape)) {
      const PropColumnKey key = properties.key(column);
      out[key.name] |= 1u << static_cast<unsigned>(key.kind);
    }
  }
  return Status::ok();
}

Status property_classes(const Pin& pin, const PropertyRows& table, std::span<const PropNumber> wanted,
                        const StopToken& stop, std::vector<uint32_t>& out) {
  std::map<PropNumber, uint32_t> found;
  if (Status status = properties_in_use(pin, table, stop, found); !status.is_ok()) return status;
  out.assign(wanted.size(), 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (const auto entry = found.find(wanted[i]); entry != found.end()) out[i] = entry->second;
  }
  return Status::ok();
}

uint64_t property_row_bound(const Pin& pin, const PropertyRows& table) {
  const Row cut = pin.row_cut(table.kind);
  const auto question = question_of(table);
  const auto found = question ? pin.tables().shape_cache().find(*question, pin.tx()) : nullptr;
  return found == nullptr || (found->tx != pin.tx() && !can_go_on(table)) ? cut : cut - found->row_cut;
}

}  // namespace palimpsest
