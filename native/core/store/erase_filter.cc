#include "core/store/erase_filter.h"

#include <algorithm>

namespace palimpsest {

namespace {
/// Lengths first: any character may stand in a name.
std::string identity_text(std::string_view src, std::string_view type, std::string_view dst, std::string_view key) {
  std::string text;
  for (const std::string_view part : {src, type, dst, key}) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
  }
  return text;
}

std::string chosen_key(uint64_t number) { return "#" + std::to_string(number); }
}  // namespace

void EraseFilter::mark(NodeNumber node) {
  if (node >= named_.size()) named_.resize(std::max<size_t>(node + size_t{1}, named_.size() * 2));
  named_[node] = true;
}

void EraseFilter::name_uid(std::string_view uid) {
  if (const NodeNumber node = tables_.uids.find(uid); node != kNone) mark(node);
}

bool EraseFilter::is_named_uid(std::string_view uid) const {
  const NodeNumber node = tables_.uids.find(uid);
  return node != kNone && is_marked(node);
}

std::string_view EraseFilter::name_of(NodeNumber node) const {
  return node == target_number_ ? std::string_view(target_[0]) : tables_.uids.get(node);
}

void EraseFilter::number_uid(std::string_view uid) {
  if (is_target_uid(uid)) target_number_ = tables_.uids.count();
  if (uid.empty() || is_target_uid(uid)) {
    tables_.uids.add_unnamed();
  } else {
    tables_.uids.intern(uid);
  }
}

void EraseFilter::take_uid(std::string_view uid, Numbers& numbers) {
  const bool is_target = is_target_uid(uid);
  if (is_target ? target_number_ != kNone : tables_.uids.find(uid) != kNone) return;
  number_uid(uid);
  numbers.uids.emplace_back(is_target ? std::string_view() : uid);
}

bool EraseFilter::number_edge(std::string_view src, std::string_view type, std::string_view dst, std::string_view key) {
  auto [entry, is_new] = numbered_.insert(identity_text(src, type, dst, key));
  if (is_new) new_ones_.push_back(*entry);
  return is_new;
}

EraseFilter::Numbers EraseFilter::number_assertion(std::span<const std::string> names) {
  Numbers numbers;
  take_uid(names[0], numbers);
  if (names.size() == 1) return numbers;
  take_uid(names[2], numbers);
  if (number_edge(names[0], names[1], names[2], names[3])) {
    tables_.edges.add_erased();
    numbers.edges = 1;
  }
  return numbers;
}

bool EraseFilter::is_candidate(const EventBlock& block, uint32_t row, NodeNumber src, NodeNumber dst) const {
  if (is_node())
    return target_number_ != kNone && (block.src[row] == target_number_ || block.dst[row] == target_number_);
  const uint32_t type = block.type_code.empty() ? 0 : block.type_code[row];
  return block.src[row] == src && block.dst[row] == dst && block.types[type] == target_[1];
}

EraseFilter::Filtered EraseFilter::filter(EventBlock& block) {
  Filtered result;
  texts_.clear();
  result.first_node = tables_.uids.count();
  bool is_changed = false;
  for (std::string_view& uid : block.new_uids) {
    number_uid(uid);
    if (is_target_uid(uid)) {
      uid = {};
      is_changed = true;
    }
    result.new_uids.emplace_back(uid);
  }
  const size_t holes_before = block.hole.size() - std::count(block.hole.begin(), block.hole.end(), uint8_t{0});
  judge_rows(block);
  const size_t holes = block.hole.size() - std::count(block.hole.begin(), block.hole.end(), uint8_t{0});
  result.has_holes = holes > 0;
  result.rows_left = block.row_count - static_cast<uint32_t>(holes);
  result.edge_numbers =
      static_cast<uint32_t>(std::count(block.hole.begin(), block.hole.end(), static_cast<uint8_t>(Hole::kWithNumber)));
  if (holes > holes_before || !texts_.empty()) {
    clear_holes(block);
    is_changed = true;
  }
  if (is_changed) encode_block(block, result.bytes);
  return result;
}

void EraseFilter::judge_rows(EventBlock& block) {
  const NodeNumber src = is_node() ? kNone : tables_.uids.find(target_[0]);
  const NodeNumber dst = is_node() ? kNone : tables_.uids.find(target_[2]);
  const auto is_hole = [&](uint32_t row) { return !block.hole.empty() && block.hole[row] != 0; };
  const NodeNumber node_count = tables_.uids.count();
  bool has_candidates = false;
  for (uint32_t row = 0; row < block.row_count; ++row) {
    // A number out of range is refused when the block is staged.
    if (is_hole(row) || block.src[row] >= node_count || block.dst[row] >= node_count) continue;
    if (is_candidate(block, row, src, dst)) {
      has_candidates = true;
    } else {
      mark(block.src[row]);
      mark(block.dst[row]);
    }
  }
  if (!has_candidates) return;

  // Numbers as the store gave them when the rows were written, the target's among them.
  if (block.hole.empty()) block.hole.assign(block.row_count, 0);
  uint32_t seq = tables_.edges.count();
  std::set<std::string> written;  // identities of this block that stay
  size_t key_cursor = 0;
  std::vector<std::string_view> keys;
  std::vector<uint8_t> key_chosen(block.row_count, 1);
  for (uint32_t row = 0; row < block.row_count; ++row) {
    const auto hole = static_cast<Hole>(block.hole[row]);
    if (hole != Hole::kRow) {
      if (hole == Hole::kWithNumber) ++seq;
      continue;
    }
    const bool has_chosen_key = block.all_keys_chosen || block.key_chosen[row] != 0;
    const std::string_view key = has_chosen_key ? std::string_view() : block.keys[key_cursor++];
    if (block.src[row] >= node_count || block.dst[row] >= node_count) continue;
    const std::string_view type = block.types[block.type_code.empty() ? 0 : block.type_code[row]];
    const std::string_view src_name = name_of(block.src[row]);
    const std::string_view dst_name = name_of(block.dst[row]);
    const TextNumber type_number = tables_.types.find(type);
    const auto is_known = [&](std::string_view text) {
      return type_number != kNone && tables_.edges.find(block.src[row], static_cast<TypeNumber>(type_number),
                                                        block.dst[row], text, tables_.edges.count()) != 0;
    };
    const bool is_candidate_row = is_candidate(block, row, src, dst);
    if (!is_candidate_row) {
      const bool is_new =
          has_chosen_key || (!is_known(key) && written.insert(identity_text(src_name, type, dst_name, key)).second);
      if (is_new) ++seq;
      if (!has_chosen_key) {
        key_chosen[row] = 0;
        keys.push_back(key);
      }
      continue;
    }
    // The least n that was free when the row was written, and the one that replay would find without the target.
    uint64_t number = seq + 1;
    uint64_t replayed = seq + 1;
    if (has_chosen_key) {
      const auto is_taken = [&](uint64_t n) {
        const std::string text = chosen_key(n);
        return tables_.edges.is_spent(n) || is_known(text) ||
               written.contains(identity_text(src_name, type, dst_name, text));
      };
      const auto was_taken = [&](uint64_t n) {
        return is_taken(n) || numbered_.contains(identity_text(src_name, type, dst_name, chosen_key(n)));
      };
      while (was_taken(number)) ++number;
      while (is_taken(replayed)) ++replayed;
    }
    const std::string own_key = has_chosen_key ? chosen_key(number) : std::string(key);
    if (is_node() || own_key == target_[3]) {
      const bool is_new = number_edge(src_name, type, dst_name, own_key);
      block.hole[row] = static_cast<uint8_t>(is_new ? Hole::kWithNumber : Hole::kWithoutNumber);
      if (is_new) ++seq;
      if (has_chosen_key && number != seq) chosen_.push_back(static_cast<uint32_t>(number));
      continue;
    }
    const bool is_new = has_chosen_key || !is_known(key);
    if (written.insert(identity_text(src_name, type, dst_name, own_key)).second && is_new) ++seq;
    mark(block.src[row]);
    mark(block.dst[row]);
    if (!has_chosen_key) {
      key_chosen[row] = 0;
      keys.push_back(key);
    } else if (number != replayed) {
      // The row keeps the key that it was given when the target still had the one before it.
      texts_.push_back(std::make_unique<std::string>(own_key));
      key_chosen[row] = 0;
      keys.push_back(*texts_.back());
    }
  }
  block.all_keys_chosen = keys.empty();
  block.keys = std::move(keys);
  block.key_chosen = block.all_keys_chosen ? std::vector<uint8_t>() : std::move(key_chosen);
  if (std::all_of(block.hole.begin(), block.hole.end(), [](uint8_t hole) { return hole == 0; })) block.hole.clear();
}

void EraseFilter::clear_holes(EventBlock& block) {
  std::vector<std::string_view> types;
  std::vector<uint16_t> codes(block.row_count, 0);
  for (uint32_t row = 0; row < block.row_count; ++row) {
    if (!block.hole.empty() && block.hole[row] != 0) {
      block.src[row] = 0;
      block.dst[row] = 0;
      block.valid_from[row] = 0;
      block.valid_to[row] = 1;
      continue;
    }
    const std::string_view type = block.types[block.type_code.empty() ? 0 : block.type_code[row]];
    const auto found = std::find(types.begin(), types.end(), type);
    codes[row] = static_cast<uint16_t>(found - types.begin());
    if (found == types.end()) types.push_back(type);
  }
  if (types.empty()) types.emplace_back();  // a list of types is never empty; no row points at this one
  block.types = std::move(types);
  block.type_code = block.types.size() > 1 ? std::move(codes) : std::vector<uint16_t>();

  std::vector<PropColumn> props;
  for (const PropColumn& column : block.props) {
    PropColumn kept{column.name, column.kind, std::vector<uint8_t>(block.row_count, 0), {}, {}, {}};
    size_t value = 0;
    for (uint32_t row = 0; row < block.row_count; ++row) {
      if (column.present[row] == 0) continue;
      const size_t at = value++;
      if (!block.hole.empty() && block.hole[row] != 0) continue;
      kept.present[row] = 1;
      if (!column.ints.empty()) kept.ints.push_back(column.ints[at]);
      if (!column.doubles.empty()) kept.doubles.push_back(column.doubles[at]);
      if (!column.texts.empty()) kept.texts.push_back(column.texts[at]);
    }
    if (std::find(kept.present.begin(), kept.present.end(), uint8_t{1}) != kept.present.end()) {
      props.push_back(std::move(kept));
    }
  }
  block.props = std::move(props);
}

std::vector<uint8_t> EraseFilter::without_unnamed(std::span<const uint8_t> bytes, NodeNumber first_node) const {
  auto block = decode_block(bytes, kBlockRowLimit);
  std::vector<uint8_t> out;
  if (!block.is_ok()) return out;
  bool is_changed = false;
  std::vector<std::string_view>& uids = block.value().new_uids;
  for (size_t i = 0; i < uids.size(); ++i) {
    if (uids[i].empty() || is_marked(first_node + static_cast<NodeNumber>(i))) continue;
    uids[i] = {};
    is_changed = true;
  }
  if (is_changed) encode_block(block.value(), out);
  return out;
}

std::vector<uint32_t> EraseFilter::spent_keys() const {
  std::vector<uint32_t> keys;
  for (const uint32_t number : chosen_) {
    if (number > tables_.edges.count()) keys.push_back(number);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void EraseFilter::keep() {
  new_ones_.clear();
  kept_target_number_ = target_number_;
  kept_chosen_ = chosen_.size();
}

void EraseFilter::rewind() {
  for (const std::string& identity : new_ones_) numbered_.erase(identity);
  new_ones_.clear();
  target_number_ = kept_target_number_;
  chosen_.resize(kept_chosen_);
}

}  // namespace palimpsest
