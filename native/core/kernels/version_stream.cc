#include "core/kernels/version_stream.h"

#include <algorithm>

namespace palimpsest {

namespace {

constexpr int64_t kSafeInteger = (int64_t{1} << 53) - 1;
constexpr uint32_t bit_of(PropKind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr uint32_t kNumbers = bit_of(PropKind::kInt64) | bit_of(PropKind::kDouble);

bool is_shown(const Pin& pin, Kind kind, Row row, Belief belief) {
  return belief == Belief::kEver || pin.is_believed(kind, row);
}

void survey_origin(const Pin& pin, uint32_t number, VersionSurvey& out) {
  if (number == 0) return;
  const Annotation annotation = pin.tables().annotations.get(number);
  out.has_source |= annotation.source != kNone;
  out.has_provenance |= annotation.provenance_ref != kNone;
  out.has_reason |= annotation.reason != kNone;
}

void survey_closing(const Pin& pin, Kind kind, Row row, VersionSurvey& out) {
  const VersionTable& versions = pin.versions(kind);
  if (versions.closed_tx(row) > pin.tx()) return;
  out.has_ended = true;
  out.has_ended_reason |= versions.closing(versions.closing_number(row)).reason != kNone;
}

/// Looks for integers beyond 2^53 in columns that are of integers and doubles.
Status widen_mixed(const Pin& pin, Kind kind, Belief belief, StepCounter& steps, VersionSurvey& out) {
  const Properties& properties = pin.versions(kind).properties();
  const bool is_any_mixed = std::any_of(out.properties.begin(), out.properties.end(),
                                        [](const auto& entry) { return entry.second == kNumbers; });
  if (!is_any_mixed) return Status::ok();
  const Row cut = pin.row_cut(kind);
  for (Row row = 0; row < cut; ++row) {
    if (!steps.add(1)) return steps.status();
    if (!is_shown(pin, kind, row, belief)) continue;
    for (const uint32_t column : properties.columns(properties.shape(row))) {
      const PropColumnKey key = properties.key(column);
      if (key.kind != PropKind::kInt64) continue;
      uint32_t& classes = out.properties[key.name];
      if (classes != kNumbers) continue;
      const auto value = static_cast<int64_t>(properties.bits(column, row));
      if (value < -kSafeInteger || value > kSafeInteger) classes |= bit_of(PropKind::kJson);
    }
  }
  return Status::ok();
}

}  // namespace

Status survey_versions(const Pin& pin, Kind kind, Belief belief, const StopToken& stop, VersionSurvey& out) {
  const VersionTable& versions = pin.versions(kind);
  const Properties& properties = versions.properties();
  out = {};
  StepCounter steps(stop);
  // Rows of one shape have the same classes, and rows of one annotation the same origin.
  std::vector<bool> shapes(1, true);
  uint32_t last_annotation = 0;
  const Row cut = pin.row_cut(kind);
  for (Row row = 0; row < cut; ++row) {
    if (!steps.add(1)) return steps.status();
    if (!is_shown(pin, kind, row, belief)) continue;
    ++out.row_count;
    if (belief == Belief::kEver) survey_closing(pin, kind, row, out);
    if (const uint32_t annotation = versions.annotation(row); annotation != last_annotation) {
      last_annotation = annotation;
      survey_origin(pin, annotation, out);
    }
    const ShapeNumber shape = properties.shape(row);
    if (shape < shapes.size() && shapes[shape]) continue;
    if (shape >= shapes.size()) shapes.resize(shape + 1, false);
    shapes[shape] = true;
    for (const uint32_t column : properties.columns(shape)) {
      const PropColumnKey key = properties.key(column);
      out.properties[key.name] |= bit_of(key.kind);
    }
  }
  return widen_mixed(pin, kind, belief, steps, out);
}

Status VersionStream::next(size_t row_count, const StopToken& stop, std::vector<RowRef>& out) {
  out.clear();
  StepCounter steps(stop);
  if (!order_.is_begun()) order_.begin();
  const std::vector<NodeNumber>& nodes = order_.nodes();
  while (out.size() < row_count) {
    if (given_ == found_.size()) {
      if (node_position_ == nodes.size()) break;
      if (!steps.add(1)) return steps.status();
      find(nodes[node_position_++], steps);
      continue;
    }
    const size_t take = std::min(row_count - out.size(), found_.size() - given_);
    const auto from = found_.begin() + static_cast<std::ptrdiff_t>(given_);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(take));
    given_ += take;
  }
  return Status::ok();
}

void VersionStream::find(NodeNumber node, StepCounter& steps) {
  found_.clear();
  given_ = 0;
  if (kind_ == Kind::kNode) {
    order_.node_rows(node, rows_);
    for (const Row row : rows_) keep(row);
    return;
  }
  order_.edge_rows(node, steps, edge_rows_);
  for (const DigestOrder::EdgeRow& entry : edge_rows_) keep(entry.row);
}

void VersionStream::keep(Row row) {
  if (is_shown(pin_, kind_, row, belief_)) found_.push_back({row, kind_});
}

}  // namespace palimpsest
