// The bulk operation of a stage: blocks of events, each its own edge, and the node versions of their ends.

#include <algorithm>

#include "core/store/stage.h"

namespace palimpsest {

Status Stage::begin_events(const EventsHeader& header) {
  header_ = header;
  header_annotation_ = annotation_number(header.source, header.provenance_ref, header.reason);
  header_reason_ = text_or_none(header.reason);
  std::vector<TextNumber> labels;
  for (const std::string_view label : header.node_labels) {
    const TextNumber number = tables_.labels.intern(label);
    if (number >= kNameLimit) return Status(Code::kLimit, "the store has 65535 different labels, no more can be added");
    labels.push_back(number);
  }
  header_label_set_ = label_set_number(std::move(labels));
  ends_.clear();
  ++stamp_;
  ++counts_.operations;
  return Status::ok();
}

Status Stage::add_block(const EventBlock& block) {
  if (!has_room(edges_, block.row_count)) {
    return Status(Code::kLimit, "the store has no room for more edge versions");
  }
  // Interned where a row has it: in a block of holes alone no row has the one that stands there.
  std::vector<TextNumber> types(block.types.size(), kNone);
  const uint32_t node_count = tables_.uids.count();
  if (earliest_.size() < node_count) {
    earliest_.resize(std::max<size_t>(node_count, earliest_.size() * 2));
    end_stamp_.resize(earliest_.size());
  }
  std::vector<PropNumber> prop_names;
  for (const PropColumn& column : block.props) prop_names.push_back(tables_.prop_names.intern(column.name));
  std::vector<size_t> prop_cursor(block.props.size(), 0);
  std::vector<PropValue> values;
  std::vector<Overlap> overlaps;
  size_t key_cursor = 0;

  for (uint32_t row = 0; row < block.row_count; ++row) {
    const auto hole = block.hole.empty() ? Hole::kRow : static_cast<Hole>(block.hole[row]);
    if (hole != Hole::kRow) {
      // An erased row says nothing; the number that it gave stays used up.
      if (hole == Hole::kWithNumber) tables_.edges.add_erased();
      continue;
    }
    const NodeNumber src = block.src[row];
    const NodeNumber dst = block.dst[row];
    const bool has_chosen_key = block.all_keys_chosen || block.key_chosen[row] != 0;
    if (src >= node_count || dst >= node_count)
      return Status(Code::kLogCorrupt, "an event names an unknown node number", row);
    const size_t code = block.type_code.empty() ? 0 : block.type_code[row];
    if (types[code] == kNone) {
      types[code] = tables_.types.intern(block.types[code]);
      if (types[code] >= kNameLimit)
        return Status(Code::kLimit, "the store has 65535 different types, no more can be added");
    }
    const auto type = static_cast<TypeNumber>(types[code]);
    ++counts_.ingested;
    values.clear();
    for (size_t p = 0; p < block.props.size(); ++p) {
      const PropColumn& column = block.props[p];
      if (!column.present.empty() && column.present[row] == 0) continue;
      const size_t at = prop_cursor[p]++;
      PropValue value{prop_names[p], column.kind, 0};
      switch (column.kind) {
        case PropKind::kInt64:
        case PropKind::kBool:
          value.bits = static_cast<uint64_t>(column.ints[at]);
          break;
        case PropKind::kDouble:
          std::memcpy(&value.bits, &column.doubles[at], sizeof value.bits);
          break;
        case PropKind::kString:
        case PropKind::kJson:
          value.bits = tables_.texts.intern(column.texts[at]);
          break;
      }
      values.push_back(value);
    }
    if (values.size() > 1) {
      std::sort(values.begin(), values.end(), [](const PropValue& a, const PropValue& b) { return a.name < b.name; });
    }
    if (!values.empty()) {
      if (Status status = check_content(values); !status.is_ok()) return Status(status.code(), status.message(), row);
    }
    const uint32_t content = add_content(values, 0);
    const Interval interval{block.valid_from[row], block.valid_to[row]};

    const EdgeNumber before = tables_.edges.count();
    const EdgeNumber edge = has_chosen_key ? tables_.edges.add_with_chosen_key(src, type, dst)
                                           : tables_.edges.find_or_add(src, type, dst, block.keys[key_cursor++]);
    if (edge > before) {
      // New: nothing to carve and no list to keep; runs of such edges are found by arithmetic.
      extend_fresh(edge, add_pending(edges_, {edge, header_annotation_, interval.from, interval.to, content, false}));
    } else {
      overlaps.clear();
      carve(edges_, edge, interval, EndedBy::kOverwritten, header_reason_, false, overlaps);
      write(edges_, edge, interval, header_annotation_, content);
    }
    note_end(src, interval.from);
    note_end(dst, interval.from);
  }
  return Status::ok();
}

void Stage::extend_fresh(EdgeNumber edge, uint32_t entry) {
  const uint32_t pending = entry & ~kPendingBit;
  if (!edges_.fresh.empty()) {
    FreshRange& last = edges_.fresh.back();
    if (last.first_identity + last.count == edge && last.first_pending + last.count == pending) {
      ++last.count;
      return;
    }
  }
  edges_.fresh.push_back({edge, pending, 1});
}

void Stage::note_end(NodeNumber node, Micros at) {
  if (end_stamp_[node] != stamp_) {
    end_stamp_[node] = stamp_;
    earliest_[node] = at;
    ends_.push_back(node);
    return;
  }
  earliest_[node] = std::min(earliest_[node], at);
}

Status Stage::end_events() {
  if (!has_room(nodes_, ends_.size())) {
    return Status(Code::kLimit, "the store has no room for more node versions");
  }
  const uint32_t content = add_content({}, header_label_set_);
  for (const NodeNumber node : ends_) {
    if (!believed(nodes_, node).empty()) continue;
    write(nodes_, node, {earliest_[node], kOpenEnd}, header_annotation_, content);
  }
  return Status::ok();
}

}  // namespace palimpsest
