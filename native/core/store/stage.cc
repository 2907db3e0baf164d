#include "core/store/stage.h"

#include <algorithm>

namespace palimpsest {

namespace {
constexpr size_t kKeptEntries = 4'096;  // what a batch needed is kept for the next one up to this many

template <typename T>
void empty(std::vector<T>& values) {
  values.clear();
  if (values.capacity() > kKeptEntries) values.shrink_to_fit();
}

bool is_interval(Micros from, Micros to) {
  return from >= kBeginning && from < kCalendarEnd && (to == kOpenEnd || (to >= kBeginning && to <= kCalendarEnd));
}
}  // namespace

Stage::Stage(Tables& tables)
    : tables_(tables), edges_{Kind::kEdge, {}, {}, {}, {}, {}, 0}, nodes_{Kind::kNode, {}, {}, {}, {}, {}, 0} {
  annotation_numbers_.emplace(Annotation{}, 0);
  label_set_numbers_.emplace(std::vector<TextNumber>{}, 0);
  clear();
}

void Stage::clear() {
  for (Side* side : {&edges_, &nodes_}) {
    empty(side->pending);
    empty(side->closings);
    empty(side->fresh);
    // Clearing visits every bucket: after a large batch, each small one would pay for it.
    if (side->touched.bucket_count() > kKeptEntries) side->touched = {};
    side->touched.clear();
  }
  edges_.committed_identities = tables_.edges.count() + 1;
  nodes_.committed_identities = tables_.uids.count();
  empty(contents_);
  contents_.push_back({});
  empty(values_);
  counts_ = Commit{};
  erased_since_ = 0;
  spent_keys_.clear();
  marks_ = {tables_.uids.count(),
            tables_.types.count(),
            tables_.labels.count(),
            tables_.prop_names.count(),
            tables_.texts.count(),
            tables_.label_set_count,
            static_cast<uint32_t>(annotation_numbers_.size()),
            tables_.edges.mark()};
}

void Stage::abort() {
  // By what each number stands for, not by a walk over all of them: a rejection costs what its batch brought.
  while (annotation_numbers_.size() > marks_.annotations) {
    annotation_numbers_.erase(tables_.annotations.get(static_cast<uint32_t>(annotation_numbers_.size() - 1)));
  }
  while (tables_.label_set_count > marks_.label_sets) {
    const std::vector<TextNumber>* labels = tables_.label_sets.get(--tables_.label_set_count);
    label_set_numbers_.erase(*labels);
    delete labels;
  }
  tables_.edges.rewind(marks_.edges);
  tables_.uids.truncate(marks_.uids);
  tables_.types.truncate(marks_.types);
  tables_.labels.truncate(marks_.labels);
  tables_.prop_names.truncate(marks_.prop_names);
  tables_.texts.truncate(marks_.texts);
  clear();
}

bool Stage::has_room(const Side& side, uint64_t more) const {
  // An operation adds at most a few rows, or a patch one for each row that is there: the slack holds either.
  const VersionTable& versions = side.kind == Kind::kEdge ? tables_.edge_versions : tables_.node_versions;
  return side.pending.size() + versions.row_count() + more < kRowLimit;
}

// --- reading operations ---

Status Stage::apply(std::span<const uint8_t> buffer, uint32_t first_operation, std::vector<uint32_t>* missed) {
  OpReader reader(buffer);
  const uint32_t count = reader.u32();
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t kind = reader.u8();
    if (kind < kFirstOpKind || kind > kLastOpKind) reader.fail();
    bool is_missed = false;
    Status status =
        reader.is_good() ? apply_one(static_cast<OpKind>(kind), reader, missed == nullptr, is_missed) : Status::ok();
    if (!reader.is_good())
      return Status(Code::kInternal, "the operation buffer is no list of operations", first_operation + i);
    if (!status.is_ok()) return Status(status.code(), status.message(), first_operation + i);
    if (is_missed) missed->push_back(first_operation + i);
    ++counts_.operations;
  }
  if (!reader.is_at_end()) return Status(Code::kInternal, "the operation buffer has bytes left over");
  return Status::ok();
}

Status Stage::apply_one(OpKind kind, OpReader& reader, bool is_judged, bool& is_missed) {
  const bool is_node = kind == OpKind::kAssertNode || kind == OpKind::kRetractNode || kind == OpKind::kReplaceNode ||
                       kind == OpKind::kPatchNode;
  const bool is_assert = kind == OpKind::kAssertNode || kind == OpKind::kAssertEdge;
  const bool is_retract = kind == OpKind::kRetractNode || kind == OpKind::kRetractEdge;
  const bool is_patch = kind == OpKind::kPatchNode || kind == OpKind::kPatchEdge;
  Side& side = is_node ? nodes_ : edges_;

  std::string_view names[4];
  const int name_count = is_node ? 1 : 4;
  for (int i = 0; i < name_count; ++i) names[i] = reader.text();
  const Interval interval{reader.i64(), reader.i64()};
  const std::string_view source = reader.text();
  const std::string_view provenance_ref = reader.text();
  const std::string_view reason = reader.text();
  if (!reader.is_good()) return Status::ok();
  if (interval.from >= interval.to) return Status(Code::kPeriodOrder, "valid_from is not before valid_to");
  if (!is_interval(interval.from, interval.to)) {
    return Status(Code::kInvalidArg, "the interval lies outside the years -9999 to 9999");
  }
  if (!has_room(side, 0)) return Status(Code::kLimit, "the store has no room for more versions");

  uint32_t identity = kNone;
  if (is_assert) {
    if (is_node) {
      identity = tables_.uids.intern(names[0]);
    } else {
      const NodeNumber src = tables_.uids.intern(names[0]);
      const TextNumber type = tables_.types.intern(names[1]);
      if (type >= kNameLimit) return Status(Code::kLimit, "the store has 65535 different types, no more can be added");
      const NodeNumber dst = tables_.uids.intern(names[2]);
      identity = tables_.edges.find_or_add(src, static_cast<TypeNumber>(type), dst, names[3]);
    }
  } else if (is_node) {
    identity = tables_.uids.find(names[0]);
  } else {
    const NodeNumber src = tables_.uids.find(names[0]);
    const TextNumber type = tables_.types.find(names[1]);
    const NodeNumber dst = tables_.uids.find(names[2]);
    if (src != kNone && type != kNone && dst != kNone) {
      const EdgeNumber edge =
          tables_.edges.find(src, static_cast<TypeNumber>(type), dst, names[3], tables_.edges.count());
      if (edge != 0) identity = edge;
    }
  }

  std::vector<TextNumber> labels;
  std::vector<TextNumber> labels_removed;
  std::vector<PropValue> props;
  std::vector<PropNumber> props_removed;
  if (!is_retract) {
    if (is_node) {
      if (Status status = read_labels(reader, labels); !status.is_ok()) return status;
      if (is_patch) {
        if (Status status = read_labels(reader, labels_removed); !status.is_ok()) return status;
      }
    }
    if (Status status = read_props(reader, props, props_removed); !status.is_ok()) return status;
  }
  if (!reader.is_good()) return Status::ok();

  const TextNumber reason_text = text_or_none(reason);
  std::vector<Overlap> overlaps;
  if (identity != kNone) {
    const EndedBy ended_by = is_assert ? EndedBy::kOverwritten : is_retract ? EndedBy::kRetracted : EndedBy::kCorrected;
    carve(side, identity, interval, ended_by, reason_text, is_patch, overlaps);
  }
  if (!is_assert && overlaps.empty()) {
    if (is_judged) return Status(Code::kNotFound, "nothing is believed of the target in that interval");
    is_missed = true;
    // Nothing ever named it: nothing of it is written either.
    if (identity == kNone) return Status::ok();
  }
  if (is_retract) {
    ++counts_.retracted;
    return Status::ok();
  }
  const uint32_t annotation = annotation_number(source, provenance_ref, reason);
  if (is_patch) {
    ++counts_.corrected;
    return patch(side, identity, overlaps, annotation, labels, labels_removed, props, props_removed);
  }
  if (Status status = check_content(props); !status.is_ok()) return status;
  write(side, identity, interval, annotation, add_content(props, label_set_number(std::move(labels))));
  ++(is_assert ? counts_.asserted : counts_.corrected);
  return Status::ok();
}

Status Stage::read_labels(OpReader& reader, std::vector<TextNumber>& out) {
  const uint32_t count = reader.u32();
  for (uint32_t i = 0; i < count && reader.is_good(); ++i) {
    const TextNumber label = tables_.labels.intern(reader.text());
    if (label >= kNameLimit) return Status(Code::kLimit, "the store has 65535 different labels, no more can be added");
    out.push_back(label);
  }
  return Status::ok();
}

Status Stage::read_props(OpReader& reader, std::vector<PropValue>& values, std::vector<PropNumber>& removed) {
  const uint32_t count = reader.u32();
  for (uint32_t i = 0; i < count && reader.is_good(); ++i) {
    const PropNumber name = tables_.prop_names.intern(reader.text());
    const uint8_t kind = reader.u8();
    PropValue value{name, static_cast<PropKind>(kind), 0};
    switch (kind) {
      case kRemoveProp:
        removed.push_back(name);
        continue;
      case static_cast<uint8_t>(PropKind::kInt64):
        value.bits = static_cast<uint64_t>(reader.i64());
        break;
      case static_cast<uint8_t>(PropKind::kDouble): {
        const double number = reader.f64();
        std::memcpy(&value.bits, &number, sizeof number);
        break;
      }
      case static_cast<uint8_t>(PropKind::kBool):
        value.bits = reader.u8();
        break;
      case static_cast<uint8_t>(PropKind::kString):
      case static_cast<uint8_t>(PropKind::kJson):
        value.bits = tables_.texts.intern(reader.text());
        break;
      default:
        return Status(Code::kInternal, "the operation buffer has a property of unknown kind");
    }
    values.push_back(value);
  }
  std::sort(values.begin(), values.end(), [](const PropValue& a, const PropValue& b) { return a.name < b.name; });
  return Status::ok();
}

Status Stage::check_content(std::span<const PropValue> values) const {
  if (values.size() > kPropertyLimit) return Status(Code::kLimit, "a version has more than 1024 properties");
  uint64_t bytes = 0;
  for (const PropValue& value : values) {
    bytes += tables_.prop_names.get(value.name).size() + 4;
    if (value.kind == PropKind::kString || value.kind == PropKind::kJson) {
      bytes += tables_.texts.get(static_cast<TextNumber>(value.bits)).size();
    }
  }
  if (bytes > kContentLimit) return Status(Code::kLimit, "the content of a version is more than 1 MiB");
  return Status::ok();
}

// --- belief inside the batch ---

std::vector<uint32_t>& Stage::believed(Side& side, uint32_t identity) {
  const auto [entry, is_new] = side.touched.try_emplace(identity);
  std::vector<uint32_t>& list = entry->second;
  if (!is_new) return list;
  if (identity >= side.committed_identities) {
    const auto range = std::upper_bound(side.fresh.begin(), side.fresh.end(), identity,
                                        [](uint32_t id, const FreshRange& r) { return id < r.first_identity; });
    if (range != side.fresh.begin()) {
      const FreshRange& found = *std::prev(range);
      const uint32_t offset = identity - found.first_identity;
      if (offset < found.count) list.push_back((found.first_pending + offset) | kPendingBit);
    }
    return list;
  }
  if (const auto deep = side.deep.find(identity); deep != side.deep.end()) {
    list = deep->second;
    return list;
  }
  const VersionTable& versions = side.kind == Kind::kEdge ? tables_.edge_versions : tables_.node_versions;
  const VersionIndex& index = side.kind == Kind::kEdge ? tables_.edge_index : tables_.node_index;
  index.each(identity, kRowLimit, [&](Row row) {
    if (versions.closed_tx(row) == kNeverTx) list.push_back(row);
    return true;
  });
  std::sort(list.begin(), list.end(), [&](Row a, Row b) { return versions.valid_from(a) < versions.valid_from(b); });
  return list;
}

Stage::Pending Stage::view_of(const Side& side, uint32_t entry) const {
  if ((entry & kPendingBit) != 0) return side.pending[entry & ~kPendingBit];
  const VersionTable& versions = side.kind == Kind::kEdge ? tables_.edge_versions : tables_.node_versions;
  return {versions.owner(entry),
          versions.annotation(entry),
          versions.valid_from(entry),
          versions.valid_to(entry),
          kNone,
          false};
}

Micros Stage::from_of(const Side& side, uint32_t entry) const {
  if ((entry & kPendingBit) != 0) return side.pending[entry & ~kPendingBit].from;
  return (side.kind == Kind::kEdge ? tables_.edge_versions : tables_.node_versions).valid_from(entry);
}

uint32_t Stage::content_of_row(const Side& side, Row row) {
  const VersionTable& versions = side.kind == Kind::kEdge ? tables_.edge_versions : tables_.node_versions;
  const uint32_t label_set = versions.label_set(row);
  if (!versions.properties().has_any(row) && label_set == 0) return 0;
  Content content{static_cast<uint32_t>(values_.size()), 0, label_set};
  versions.properties().collect(row, values_);
  content.value_count = static_cast<uint32_t>(values_.size()) - content.first_value;
  contents_.push_back(content);
  return static_cast<uint32_t>(contents_.size() - 1);
}

uint32_t Stage::add_content(std::span<const PropValue> values, uint32_t label_set) {
  if (values.empty() && label_set == 0) return 0;
  contents_.push_back({static_cast<uint32_t>(values_.size()), static_cast<uint32_t>(values.size()), label_set});
  values_.insert(values_.end(), values.begin(), values.end());
  return static_cast<uint32_t>(contents_.size() - 1);
}

uint32_t Stage::add_pending(Side& side, const Pending& pending) {
  side.pending.push_back(pending);
  return static_cast<uint32_t>(side.pending.size() - 1) | kPendingBit;
}

void Stage::carve(Side& side, uint32_t identity, Interval interval, EndedBy ended_by, TextNumber reason,
                  bool wants_content, std::vector<Overlap>& overlaps) {
  std::vector<uint32_t>& list = believed(side, identity);
  // Believed versions are disjoint, so those that overlap stand together: from the last that begins before the
  // interval's end, backwards while they reach into it.
  const auto end = std::partition_point(list.begin(), list.end(),
                                        [&](uint32_t entry) { return from_of(side, entry) < interval.to; });
  auto begin = end;
  while (begin != list.begin() && view_of(side, *std::prev(begin)).to > interval.from) --begin;
  if (begin == end) return;

  std::vector<uint32_t> fragments;
  for (auto entry = begin; entry != end; ++entry) {
    Pending version = view_of(side, *entry);
    const bool is_pending = (*entry & kPendingBit) != 0;
    const bool has_fragment = version.from < interval.from || version.to > interval.to;
    if (!is_pending && (has_fragment || wants_content)) version.content = content_of_row(side, *entry);
    if (version.from < interval.from) {
      fragments.push_back(
          add_pending(side, {identity, version.annotation, version.from, interval.from, version.content, false}));
    }
    if (version.to > interval.to) {
      fragments.push_back(
          add_pending(side, {identity, version.annotation, interval.to, version.to, version.content, false}));
    }
    overlaps.push_back({std::max(version.from, interval.from), std::min(version.to, interval.to), version.content});
    if (is_pending) {
      side.pending[*entry & ~kPendingBit].is_dead = true;
    } else {
      side.closings.push_back({*entry, ended_by, reason});
    }
  }
  const auto position = list.erase(begin, end);
  list.insert(position, fragments.begin(), fragments.end());
}

void Stage::write(Side& side, uint32_t identity, Interval interval, uint32_t annotation, uint32_t content) {
  const uint32_t entry = add_pending(side, {identity, annotation, interval.from, interval.to, content, false});
  std::vector<uint32_t>& list = believed(side, identity);
  const auto position = std::partition_point(list.begin(), list.end(),
                                             [&](uint32_t other) { return from_of(side, other) < interval.from; });
  list.insert(position, entry);
}

Status Stage::patch(Side& side, uint32_t identity, const std::vector<Overlap>& overlaps, uint32_t annotation,
                    std::span<const TextNumber> add, std::span<const TextNumber> remove,
                    std::span<const PropValue> values, std::span<const PropNumber> removed) {
  for (const Overlap& overlap : overlaps) {
    const Content old = contents_[overlap.content];
    std::vector<PropValue> merged;
    for (uint32_t i = 0; i < old.value_count; ++i) {
      const PropValue value = values_[old.first_value + i];
      const auto has_name = [&](const PropValue& other) { return other.name == value.name; };
      if (std::any_of(values.begin(), values.end(), has_name)) continue;
      if (std::find(removed.begin(), removed.end(), value.name) != removed.end()) continue;
      merged.push_back(value);
    }
    merged.insert(merged.end(), values.begin(), values.end());
    std::sort(merged.begin(), merged.end(), [](const PropValue& a, const PropValue& b) { return a.name < b.name; });
    if (Status status = check_content(merged); !status.is_ok()) return status;

    const auto labels_before = tables_.label_set(old.label_set);
    std::vector<TextNumber> labels(labels_before.begin(), labels_before.end());
    labels.insert(labels.end(), add.begin(), add.end());
    std::erase_if(labels,
                  [&](TextNumber label) { return std::find(remove.begin(), remove.end(), label) != remove.end(); });
    const uint32_t label_set = label_set_number(std::move(labels));
    if (tables_.label_set(label_set).size() > 256)
      return Status(Code::kLimit, "a node version has more than 256 labels");
    write(side, identity, {overlap.from, overlap.to}, annotation, add_content(merged, label_set));
  }
  return Status::ok();
}

// --- small dictionaries ---

TextNumber Stage::text_or_none(std::string_view text) {
  return text.data() == nullptr ? kNone : tables_.texts.intern(text);
}

uint32_t Stage::annotation_number(std::string_view source, std::string_view provenance_ref, std::string_view reason) {
  const Annotation annotation{text_or_none(source), text_or_none(provenance_ref), text_or_none(reason)};
  const auto [entry, is_new] =
      annotation_numbers_.try_emplace(annotation, static_cast<uint32_t>(annotation_numbers_.size()));
  if (is_new) tables_.annotations.set(entry->second, annotation);
  return entry->second;
}

uint32_t Stage::label_set_number(std::vector<TextNumber> labels) {
  if (labels.empty()) return 0;
  std::sort(labels.begin(), labels.end(),
            [&](TextNumber a, TextNumber b) { return tables_.labels.get(a) < tables_.labels.get(b); });
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto [entry, is_new] = label_set_numbers_.try_emplace(labels, tables_.label_set_count);
  if (is_new) tables_.label_sets.set(tables_.label_set_count++, new std::vector<TextNumber>(std::move(labels)));
  return entry->second;
}

}  // namespace palimpsest
