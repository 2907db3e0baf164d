#include "core/store/event_columns.h"

#include <algorithm>
#include <cmath>

#include "core/base/utf8.h"

namespace palimpsest {

namespace {

constexpr double kLargestSafe = 9007199254740991.0;

struct TextRule {
  const char* what;
  uint32_t limit;
  bool may_be_empty;
};
constexpr TextRule kUid{"uid", 1024, false};
constexpr TextRule kType{"type", 256, false};
constexpr TextRule kKey{"key", 1024, true};
constexpr TextRule kValue{"property value", 1u << 20, true};

Status check_text(std::string_view text, const TextRule& rule, uint32_t row) {
  const std::string what(rule.what);
  if (text.empty() && !rule.may_be_empty) return Status(Code::kSchema, "the " + what + " is empty", row);
  if (text.size() > rule.limit) {
    return Status(Code::kInvalidArg, "the " + what + " is longer than " + std::to_string(rule.limit) + " bytes", row);
  }
  if (!is_valid_utf8(text)) return Status(Code::kInvalidArg, "the " + what + " is not valid UTF-8", row);
  return Status::ok();
}

enum class Presence { kRequired, kOptional };

Status check_text_layout(const TextColumn& column, const TextRule& rule, Presence presence, uint32_t row_count) {
  const auto bad = [&](const char* what, uint32_t row) {
    return Status(Code::kInvalidArg, "the " + std::string(rule.what) + what, row);
  };
  uint32_t before = 0;
  for (uint32_t number = 0; number < column.text_count; ++number) {
    const uint32_t end = column.ends[number];
    if (end < before || end > column.byte_count) {
      return bad(" ends before it begins or outside its bytes", column.codes == nullptr ? number : 0);
    }
    before = end;
  }
  if (column.codes == nullptr && column.text_count != row_count)
    return bad(" is not there for every row", column.text_count);
  for (uint32_t row = 0; row < row_count; ++row) {
    if (!column.has(row)) {
      if (presence == Presence::kRequired) return bad(" is missing", row);
      continue;
    }
    if (column.codes != nullptr && column.codes[row] >= column.text_count)
      return bad(" has a code outside its dictionary", row);
  }
  return Status::ok();
}

Status check_column(const TextColumn& column, const TextRule& rule, uint32_t row_count) {
  if (column.codes == nullptr) {
    for (uint32_t row = 0; row < row_count; ++row) {
      if (!column.has(row)) continue;
      if (Status status = check_text(column.at(row), rule, row); !status.is_ok()) return status;
    }
    return Status::ok();
  }
  // Each distinct text once; a bad one is reported at the first row that uses it.
  std::vector<uint8_t> is_bad(column.text_count, 0);
  bool has_bad = false;
  for (uint32_t number = 0; number < column.text_count; ++number) {
    is_bad[number] = check_text(column.text(number), rule, 0).is_ok() ? 0 : 1;
    has_bad = has_bad || is_bad[number] != 0;
  }
  for (uint32_t row = 0; row < row_count; ++row) {
    const uint32_t code = column.codes[row];
    if (has_bad && column.has(row) && code < column.text_count && is_bad[code] != 0) {
      return check_text(column.text(code), rule, row);
    }
  }
  return Status::ok();
}

Status check_times(const EventColumns& columns) {
  for (uint32_t row = 0; row < columns.row_count; ++row) {
    const Micros from = columns.time[row];
    if (from < kBeginning || from >= kCalendarEnd) {
      return Status(Code::kInvalidArg, "the time lies outside the years -9999 to 9999", row);
    }
    if (columns.valid_to == nullptr) continue;
    const Micros to = columns.valid_to[row];
    if (to != kOpenEnd && (to < kBeginning || to > kCalendarEnd)) {
      return Status(Code::kInvalidArg, "valid_to lies outside the years -9999 to 9999", row);
    }
    if (from >= to) return Status(Code::kPeriodOrder, "the time is not before valid_to", row);
  }
  return Status::ok();
}

bool is_present(const RawProperty& property, uint32_t row) {
  return property.present == nullptr || property.present[row] != 0;
}

/// The texts of a string property, absent where the property is.
TextColumn texts_of(const RawProperty& property) {
  TextColumn texts = property.texts;
  texts.present = property.present;
  return texts;
}

bool becomes_int(double value) { return std::trunc(value) == value && std::fabs(value) <= kLargestSafe; }

}  // namespace

Status check_layout(const EventColumns& columns) {
  const uint32_t rows = columns.row_count;
  if (Status status = check_text_layout(columns.src, kUid, Presence::kRequired, rows); !status.is_ok()) return status;
  if (Status status = check_text_layout(columns.dst, kUid, Presence::kRequired, rows); !status.is_ok()) return status;
  if (Status status = check_text_layout(columns.type, kType, Presence::kRequired, rows); !status.is_ok()) return status;
  if (columns.key.is_given()) {
    if (Status status = check_text_layout(columns.key, kKey, Presence::kOptional, rows); !status.is_ok()) return status;
  }
  for (const RawProperty& property : columns.props) {
    if (!property.texts.is_given()) continue;
    const TextColumn texts = texts_of(property);
    if (Status status = check_text_layout(texts, kValue, Presence::kOptional, rows); !status.is_ok()) return status;
  }
  return check_times(columns);
}

Status check_events(const EventColumns& columns) {
  if (Status status = check_layout(columns); !status.is_ok()) return status;
  if (Status status = check_column(columns.src, kUid, columns.row_count); !status.is_ok()) return status;
  if (Status status = check_column(columns.dst, kUid, columns.row_count); !status.is_ok()) return status;
  if (Status status = check_column(columns.type, kType, columns.row_count); !status.is_ok()) return status;
  if (columns.key.is_given()) {
    if (Status status = check_column(columns.key, kKey, columns.row_count); !status.is_ok()) return status;
  }
  for (const RawProperty& property : columns.props) {
    for (const RawProperty* other = columns.props.data(); other != &property; ++other) {
      if (other->name != property.name) continue;
      for (uint32_t row = 0; row < columns.row_count; ++row) {
        if (is_present(*other, row) && is_present(property, row)) {
          return Status(Code::kInvalidArg, "property " + property.name + " has two values", row);
        }
      }
    }
    if (property.kind == PropKind::kDouble) {
      for (uint32_t row = 0; row < columns.row_count; ++row) {
        if (is_present(property, row) && !std::isfinite(property.doubles[row])) {
          return Status(Code::kInvalidArg, "property " + property.name + " is not a finite number", row);
        }
      }
    } else if (property.kind == PropKind::kString || property.kind == PropKind::kJson) {
      if (Status status = check_column(texts_of(property), kValue, columns.row_count); !status.is_ok()) return status;
    }
  }
  return Status::ok();
}

EventCutter::EventCutter(const EventColumns& columns, TextTable& uids) : columns_(columns), uids_(uids) {
  if (columns.src.codes != nullptr) src_by_code_.assign(columns.src.text_count, kNone);
  if (columns.dst.codes != nullptr) dst_by_code_.assign(columns.dst.text_count, kNone);
}

NodeNumber EventCutter::node_of(const TextColumn& column, uint32_t row, std::vector<NodeNumber>& by_code) {
  const uint32_t code = column.text_of(row);
  const bool has_place = code < by_code.size();
  if (has_place && by_code[code] != kNone) return by_code[code];
  const std::string_view uid = column.text(code);
  const uint32_t before = uids_.count();
  const NodeNumber node = uids_.intern(uid);
  if (node == before) block_.new_uids.push_back(uid);
  if (has_place) by_code[code] = node;
  return node;
}

const EventBlock* EventCutter::next() {
  if (position_ == columns_.row_count) return nullptr;
  const uint32_t from = position_;
  const uint32_t to = std::min(columns_.row_count, from + kBlockRowLimit);
  position_ = to;
  block_ = EventBlock{};
  block_.row_count = to - from;
  block_.src.reserve(to - from);
  block_.dst.reserve(to - from);
  for (uint32_t row = from; row < to; ++row) {
    block_.src.push_back(node_of(columns_.src, row, src_by_code_));
    block_.dst.push_back(node_of(columns_.dst, row, dst_by_code_));
  }
  block_.valid_from.assign(columns_.time + from, columns_.time + to);
  if (columns_.valid_to != nullptr) {
    block_.valid_to.assign(columns_.valid_to + from, columns_.valid_to + to);
  } else {
    block_.valid_to = block_.valid_from;
    for (Micros& end : block_.valid_to) ++end;
  }
  cut_types(from, to);
  cut_keys(from, to);
  for (const RawProperty& property : columns_.props) cut_property(property, from, to);
  return &block_;
}

void EventCutter::cut_types(uint32_t from, uint32_t to) {
  for (uint32_t row = from; row < to; ++row) {
    const std::string_view type = columns_.type.at(row);
    uint16_t code = 0;
    while (code < block_.types.size() && block_.types[code] != type) ++code;
    if (code == block_.types.size()) block_.types.push_back(type);
    block_.type_code.push_back(code);
  }
  if (block_.types.size() == 1) block_.type_code.clear();
}

void EventCutter::cut_keys(uint32_t from, uint32_t to) {
  if (!columns_.key.is_given()) return;
  for (uint32_t row = from; row < to; ++row) {
    const bool is_chosen = !columns_.key.has(row);
    block_.key_chosen.push_back(is_chosen ? 1 : 0);
    if (!is_chosen) block_.keys.push_back(columns_.key.at(row));
  }
  block_.all_keys_chosen = block_.keys.empty();
  if (block_.all_keys_chosen) block_.key_chosen.clear();
}

void EventCutter::cut_property(const RawProperty& property, uint32_t from, uint32_t to) {
  PropColumn column;
  column.name = property.name;
  column.kind = property.kind;
  column.present.assign(to - from, 0);
  PropColumn integral = column;  // the doubles that are int64 by the rules of values
  integral.kind = PropKind::kInt64;
  for (uint32_t row = from; row < to; ++row) {
    if (!is_present(property, row)) continue;
    if (property.kind == PropKind::kDouble && becomes_int(property.doubles[row])) {
      integral.present[row - from] = 1;
      integral.ints.push_back(static_cast<int64_t>(property.doubles[row]));
      continue;
    }
    column.present[row - from] = 1;
    switch (property.kind) {
      case PropKind::kInt64:
        column.ints.push_back(property.ints[row]);
        break;
      case PropKind::kDouble:
        column.doubles.push_back(property.doubles[row]);
        break;
      case PropKind::kBool:
        column.ints.push_back(property.bools[row] != 0 ? 1 : 0);
        break;
      case PropKind::kString:
      case PropKind::kJson:
        column.texts.push_back(property.texts.at(row));
        break;
    }
  }
  const auto has_value = [](const PropColumn& c) { return !c.ints.empty() || !c.doubles.empty() || !c.texts.empty(); };
  if (has_value(column)) block_.props.push_back(std::move(column));
  if (has_value(integral)) block_.props.push_back(std::move(integral));
}

}  // namespace palimpsest
