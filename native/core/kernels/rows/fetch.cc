#include "core/kernels/rows/fetch.h"

#include <algorithm>

#include "core/kernels/rows/value_cell.h"

namespace palimpsest {

namespace {
constexpr uint32_t kAll = 0xFFFFFFFFu;
}  // namespace

Result<std::vector<ColumnSpec>> read_columns(std::span<const uint8_t> bytes, const Tables& tables) {
  OpReader in(bytes);
  std::vector<ColumnSpec> columns;
  const uint32_t count = in.u32();
  for (uint32_t i = 0; i < count && in.is_good(); ++i) {
    const uint8_t code = in.u8();
    if (code >= static_cast<uint8_t>(Column::kCount)) in.fail();
    ColumnSpec spec{static_cast<Column>(code)};
    if (spec.column == Column::kProp) spec.name = tables.prop_names.find(in.text());
    if (spec.column == Column::kProps) {
      const uint32_t names = in.u32();
      spec.has_all_props = names == kAll;
      for (uint32_t n = 0; names != kAll && n < names && in.is_good(); ++n) {
        const PropNumber name = tables.prop_names.find(in.text());
        if (name != kNone) spec.projected.push_back(name);
      }
    }
    columns.push_back(std::move(spec));
  }
  if (!in.is_good() || !in.is_at_end()) return Status(Code::kInternal, "the buffer of columns is malformed");
  return columns;
}

void RowFetcher::add(RowRef ref) {
  if (out_.is_full()) return;
  for (const ColumnSpec& spec : columns_) add_cell(spec, ref);
}

void RowFetcher::add_cell(const ColumnSpec& spec, RowRef ref) {
  const VersionTable& versions = pin_.versions(ref.kind);
  switch (spec.column) {
    case Column::kKind:
      return out_.add_number(static_cast<uint32_t>(ref.kind));
    case Column::kRole:
      return out_.add_number(static_cast<uint32_t>(ref.role));
    case Column::kUid:
    case Column::kOther:
    case Column::kSrc:
    case Column::kType:
    case Column::kDst:
    case Column::kKey:
    case Column::kSeq:
      return add_identity(spec.column, ref);
    case Column::kLabels:
      return add_labels(ref);
    case Column::kValidFrom:
      return out_.add_instant(std::max(versions.valid_from(ref.row), clamp_.from));
    case Column::kValidTo: {
      const Micros end = versions.valid_to(ref.row);
      return out_.add_end(std::min(end, clamp_.to));
    }
    case Column::kDuration: {
      const Micros end = pin_.spell_end(ref.kind, ref.row);
      return end == kOpenEnd ? out_.add_null() : out_.add_duration(end - versions.valid_from(ref.row));
    }
    case Column::kTx:
      return out_.add_number(tx_of(ref));
    case Column::kTxFrom:
      return out_.add_instant(pin_.tx_time(tx_of(ref)));
    case Column::kTxTo:
    case Column::kEndedTx:
    case Column::kEndedBy:
    case Column::kEndedReason:
      return add_belief(spec.column, ref);
    case Column::kReason:
    case Column::kSource:
    case Column::kProvenanceRef:
      return add_annotation(spec.column, ref);
    case Column::kProps:
      return add_props(spec, ref);
    case Column::kProp: {
      PropValue value;
      if (spec.name == kNone || !versions.properties().find(ref.row, spec.name, value)) return out_.add_null();
      return add_value_cell(value, pin_.tables(), out_);
    }
    case Column::kCount:
      break;
  }
}

void RowFetcher::add_identity(Column column, RowRef ref) {
  const uint32_t owner = pin_.versions(ref.kind).owner(ref.row);
  if (ref.kind == Kind::kNode) return column == Column::kUid ? add_uid(owner) : out_.add_null();
  const EdgeTable& edges = pin_.tables().edges;
  switch (column) {
    case Column::kUid:
      return ref.role == Role::kNoRole ? out_.add_null()
                                       : add_uid(ref.role == Role::kDst ? edges.dst(owner) : edges.src(owner));
    case Column::kOther:
      return add_uid(ref.role == Role::kDst ? edges.src(owner) : edges.dst(owner));
    case Column::kSrc:
      return add_uid(edges.src(owner));
    case Column::kType:
      return out_.add_text(pin_.tables().types.get(edges.type(owner)));
    case Column::kDst:
      return add_uid(edges.dst(owner));
    case Column::kKey:
      key_.clear();
      edges.append_key(owner, key_);
      return out_.add_text(key_);
    default:
      return out_.add_number(owner);
  }
}

void RowFetcher::add_belief(Column column, RowRef ref) {
  const VersionTable& versions = pin_.versions(ref.kind);
  const Tx closed = versions.closed_tx(ref.row);
  if (closed > pin_.tx()) return out_.add_null();
  if (column == Column::kTxTo) return out_.add_instant(pin_.tx_time(closed));
  if (column == Column::kEndedTx) return out_.add_number(closed);
  const Closing closing = versions.closing(versions.closing_number(ref.row));
  if (column == Column::kEndedBy) return out_.add_number(static_cast<uint32_t>(closing.ended_by));
  add_text_or_null(closing.reason);
}

void RowFetcher::add_annotation(Column column, RowRef ref) {
  const uint32_t number = pin_.versions(ref.kind).annotation(ref.row);
  if (number == 0) return out_.add_null();
  const Annotation annotation = pin_.tables().annotations.get(number);
  add_text_or_null(column == Column::kReason   ? annotation.reason
                   : column == Column::kSource ? annotation.source
                                               : annotation.provenance_ref);
}

void RowFetcher::add_text_or_null(TextNumber text) {
  text == kNone ? out_.add_null() : out_.add_text(pin_.tables().texts.get(text));
}

void RowFetcher::add_labels(RowRef ref) {
  if (ref.kind == Kind::kEdge) return out_.add_null();
  const auto labels = pin_.tables().label_set(pin_.tables().node_versions.label_set(ref.row));
  out_.add_number(static_cast<uint32_t>(labels.size()));
  for (const TextNumber label : labels) out_.add_text(pin_.tables().labels.get(label));
}

void RowFetcher::add_props(const ColumnSpec& spec, RowRef ref) {
  const Properties& properties = pin_.versions(ref.kind).properties();
  if (!spec.has_all_props && spec.projected.empty()) return out_.add_number(0);
  const auto columns = properties.columns(properties.shape(ref.row));
  const auto is_shown = [&](PropNumber name) {
    return spec.has_all_props || std::find(spec.projected.begin(), spec.projected.end(), name) != spec.projected.end();
  };
  uint32_t count = 0;
  for (const uint32_t column : columns) count += is_shown(properties.key(column).name) ? 1 : 0;
  out_.add_number(count);
  for (const uint32_t column : columns) {
    const PropColumnKey key = properties.key(column);
    if (!is_shown(key.name)) continue;
    out_.add_text(pin_.tables().prop_names.get(key.name));
    add_value_cell({key.name, key.kind, properties.bits(column, ref.row)}, pin_.tables(), out_);
  }
}

Tx RowFetcher::tx_of(RowRef ref) {
  if (ref.row == last_ref_.row && ref.kind == last_ref_.kind) return last_tx_;
  last_ref_ = ref;
  last_tx_ = pin_.tx_of(ref.kind, ref.row);
  return last_tx_;
}

}  // namespace palimpsest
