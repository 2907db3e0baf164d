#include "core/kernels/filter/filter.h"

#include <algorithm>
#include <charconv>

namespace palimpsest {

namespace {
constexpr uint32_t kNoRestriction = 0xFFFFFFFFu;

/// Reads names and turns the known ones into numbers; nothing where there is no restriction.
template <typename Find>
std::optional<std::vector<uint32_t>> read_names(OpReader& in, Find&& find) {
  const uint32_t count = in.u32();
  if (count == kNoRestriction) return std::nullopt;
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < count && in.is_good(); ++i) find(in.text(), numbers);
  return numbers;
}

auto known_in(const TextTable& table) {
  return [&table](std::string_view name, std::vector<uint32_t>& numbers) {
    const TextNumber number = table.find(name);
    if (number != kNone) numbers.push_back(number);
  };
}

std::optional<NodeFilter> read_node_filter(OpReader& in, const Tables& tables) {
  if (in.u8() == 0) return std::nullopt;
  NodeFilter filter;
  if (auto uids = read_names(in, known_in(tables.uids))) filter.uids.emplace(std::move(*uids));
  auto labels = read_names(in, [&](std::string_view name, std::vector<uint32_t>& numbers) {
    const TextNumber label = tables.labels.find(name);
    filter.has_unknown_label |= label == kNone;
    numbers.push_back(label);
  });
  if (labels) filter.labels = std::move(*labels);
  filter.any_labels = read_names(in, known_in(tables.labels));
  filter.props = read_predicates(in, tables);
  return filter;
}

/// The n of `#n` as the store writes it, 0 for any other text.
uint32_t chosen_key_number(std::string_view key) {
  if (key.size() < 2 || key[0] != '#' || key[1] < '1' || key[1] > '9') return 0;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(key.data() + 1, key.data() + key.size(), number);
  return error == std::errc{} && end == key.data() + key.size() ? number : 0;
}

bool has_label(std::span<const TextNumber> set, TextNumber label) {
  for (const TextNumber member : set) {
    if (member == label) return true;
  }
  return false;
}
}  // namespace

Result<Filter> Filter::parse(std::span<const uint8_t> bytes, const Pin& pin) {
  Filter filter(pin);
  if (bytes.empty()) return filter;
  const Tables& tables = pin.tables();
  OpReader in(bytes);
  if (auto types = read_names(in, known_in(tables.types))) filter.types_.emplace(std::move(*types));
  std::vector<uint32_t> chosen;
  auto keys = read_names(in, [&](std::string_view name, std::vector<uint32_t>& numbers) {
    const TextNumber number = tables.edges.key_texts().find(name);
    if (number != kNone) numbers.push_back(number);
    if (const uint32_t n = chosen_key_number(name); n != 0) chosen.push_back(n);
  });
  if (keys) {
    filter.keys_.emplace(std::move(*keys));
    filter.chosen_keys_ = NumberSet(std::move(chosen));
  }
  filter.edge_ = read_predicates(in, tables);
  filter.src_ = read_node_filter(in, tables);
  filter.dst_ = read_node_filter(in, tables);
  filter.node_ = read_node_filter(in, tables);
  if (!in.is_good() || !in.is_at_end()) return Status(Code::kInternal, "the filter's buffer is malformed");
  return filter;
}

std::optional<std::vector<uint32_t>> Filter::names_alone(Kind kind) const {
  if (is_trivial()) return std::vector<uint32_t>{0};
  std::vector<uint32_t> names{1};
  if (keys_ || !edge_.empty() || src_ || dst_) return std::nullopt;
  if (kind == Kind::kEdge) {
    if (node_) return std::nullopt;
    names.insert(names.end(), types_->sorted().begin(), types_->sorted().end());
    return names;
  }
  const bool is_any = node_ && node_->any_labels && !node_->has_unknown_label;
  if (types_ || !is_any || node_->uids || !node_->labels.empty() || !node_->props.empty()) return std::nullopt;
  names.insert(names.end(), node_->any_labels->begin(), node_->any_labels->end());
  std::sort(names.begin() + 1, names.end());
  return names;
}

bool Filter::passes_named_key(EdgeNumber edge) const {
  const TextNumber key = pin_.tables().edges.key_number(edge);
  return key == kNone ? chosen_keys_.has(edge) : keys_->has(key);
}

bool Filter::passes_at(const NodeFilter& filter, NodeNumber node, Micros at) const {
  // The uid first: it needs no version.
  if (filter.uids && !filter.uids->has(node)) return false;
  return !filter.has_content() || passes_content(filter, node, pin_.node_version_at(node, at));
}

bool Filter::passes_content(const NodeFilter& filter, NodeNumber node, Row node_row) const {
  if (filter.has_unknown_label || (filter.uids && !filter.uids->has(node))) return false;
  const Tables& tables = pin_.tables();
  if (!filter.labels.empty() || filter.any_labels) {
    if (node_row == kNone) return false;
    const auto set = tables.label_set(tables.node_versions.label_set(node_row));
    for (const TextNumber label : filter.labels) {
      if (!has_label(set, label)) return false;
    }
    if (filter.any_labels) {
      bool has_any = false;
      for (const TextNumber label : *filter.any_labels) has_any = has_any || has_label(set, label);
      if (!has_any) return false;
    }
  }
  return passes_all(filter.props, tables.node_versions, tables, node_row);
}

}  // namespace palimpsest
