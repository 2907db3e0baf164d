#include "core/kernels/aggregate/event_feed.h"

#include <algorithm>

namespace palimpsest::aggregate {

namespace {
constexpr uint8_t kIntKinds[kMostEntries] = {};
static_assert(static_cast<uint8_t>(PropKind::kInt64) == 0);
}  // namespace

EventFeed::EventFeed(const Pin& pin, const Filter& filter, const Question& question, const PairSet* reciprocal)
    : pin_(pin),
      filter_(filter),
      reciprocal_(reciprocal),
      counted_(question.counted),
      skipped_(question.counted.size(), 0),
      entries_(std::make_unique<Entries>()) {
  const auto is_node = [](const Dim& dim) { return dim.kind == DimKind::kNode; };
  if (std::count_if(question.dims.begin(), question.dims.end(), is_node) == 1) {
    node_end_ = std::find_if(question.dims.begin(), question.dims.end(), is_node)->of;
  } else {
    // With several, one may still be of either end; then nothing asks for the far end, but the event counts twice.
    const auto is_either = [&](const Dim& dim) { return is_node(dim) && dim.of == Of::kEither; };
    if (std::any_of(question.dims.begin(), question.dims.end(), is_either)) node_end_ = Of::kEither;
  }
  for (const Counted& counted : counted_) counted_sources_.push_back(source(Of::kProp, counted.name));
}

uint32_t EventFeed::source(Of of, PropNumber name) {
  const Source wanted{of, of == Of::kProp ? name : kNone};
  for (uint32_t i = 0; i < values_.size(); ++i) {
    if (values_[i]->source == wanted) return i;
  }
  values_.push_back(std::make_unique<Values>());
  values_.back()->source = wanted;
  columns_.resize(values_.size());
  return static_cast<uint32_t>(values_.size() - 1);
}

bool EventFeed::passes(const EventSlice& block, uint32_t at) const {
  if (!filter_.passes_type(block.type[at])) return false;
  const Row row = block.row[at];
  if (filter_.has_keys() && !filter_.passes_key(pin_.tables().edge_versions.owner(row))) return false;
  if (!filter_.passes_edge_predicates(row)) return false;
  if (!filter_.passes_ends(block.src[at], block.dst[at], block.at[at])) return false;
  return reciprocal_ == nullptr || reciprocal_->has_both(block.src[at], block.dst[at]);
}

void EventFeed::select(const EventSlice& block) {
  if (filter_.is_trivial() && reciprocal_ == nullptr) {
    batch_ = {block.count, block.at, block.src, block.dst, nullptr, nullptr, block.type, block.row};
    return;
  }
  Entries& to = *entries_;
  uint32_t count = 0;
  for (uint32_t i = 0; i < block.count; ++i) {
    if (!passes(block, i)) continue;
    to.at[count] = block.at[i];
    to.src[count] = block.src[i];
    to.dst[count] = block.dst[i];
    to.type[count] = block.type[i];
    to.row[count] = block.row[i];
    ++count;
  }
  batch_ = {count, to.at, to.src, to.dst, nullptr, nullptr, to.type, to.row};
}

const Batch& EventFeed::read(const EventSlice& block) {
  select(block);
  event_count_ += batch_.count;
  for (const auto& values : values_) read_values(*values);
  count_skipped();
  if (node_end_ == Of::kEither) {
    double_ends();
  } else if (node_end_) {
    batch_.node = node_end_ == Of::kSrc ? batch_.src : batch_.dst;
    batch_.other = node_end_ == Of::kSrc ? batch_.dst : batch_.src;
  }
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i]->source.of == Of::kAt) {
      columns_[i] = {kIntKinds, reinterpret_cast<const uint64_t*>(batch_.at)};
    } else {
      columns_[i] = {values_[i]->kinds, values_[i]->bits};
    }
  }
  batch_.values = columns_.data();
  return batch_;
}

void EventFeed::read_values(Values& values) {
  if (values.source.of == Of::kAt) return;  // stands in the batch
  if (values.source.of == Of::kProp) return read_property(values);
  for (uint32_t i = 0; i < batch_.count; ++i) {
    const Micros end = pin_.spell_end(Kind::kEdge, batch_.row[i]);
    values.kinds[i] = end == kOpenEnd ? kNoValue : static_cast<uint8_t>(PropKind::kInt64);
    values.bits[i] = end == kOpenEnd ? 0 : static_cast<uint64_t>(end - batch_.at[i]);
  }
}

void EventFeed::read_property(Values& values) {
  if (values.source.name == kNone) {
    std::fill_n(values.kinds, batch_.count, kNoValue);
    return;
  }
  const Properties& properties = pin_.tables().edge_versions.properties();
  for (uint32_t i = 0; i < batch_.count; ++i) {
    const ShapeNumber shape = properties.shape(batch_.row[i]);
    if (shape != values.shape) {
      values.shape = shape;
      values.column = kNone;
      for (const uint32_t column : properties.columns(shape)) {
        const PropColumnKey key = properties.key(column);
        if (key.name != values.source.name) continue;
        values.column = column;
        values.kind = key.kind;
      }
    }
    const bool is_there = values.column != kNone;
    values.kinds[i] = is_there ? static_cast<uint8_t>(values.kind) : kNoValue;
    values.bits[i] = is_there ? properties.bits(values.column, batch_.row[i]) : 0;
  }
}

void EventFeed::count_skipped() {
  for (size_t c = 0; c < counted_.size(); ++c) {
    const uint8_t* kinds = values_[counted_sources_[c]]->kinds;
    uint64_t unusable = 0;
    for (uint32_t i = 0; i < batch_.count; ++i) {
      const bool is_usable =
          counted_[c].needs_number ? is_number(static_cast<PropKind>(kinds[i])) : kinds[i] != kNoValue;
      unusable += is_usable ? 0 : 1;
    }
    skipped_[c] += unusable;
  }
}

/// Each event once per end, src first; a self-loop once. From the back, as entries may stand in place already.
void EventFeed::double_ends() {
  Entries& to = *entries_;
  uint32_t total = 0;
  for (uint32_t i = 0; i < batch_.count; ++i) total += batch_.src[i] == batch_.dst[i] ? 1 : 2;
  uint32_t entry = total;
  const auto put = [&](uint32_t i, NodeNumber node, NodeNumber other) {
    --entry;
    for (const auto& values : values_) {
      if (values->source.of == Of::kAt) continue;
      values->kinds[entry] = values->kinds[i];
      values->bits[entry] = values->bits[i];
    }
    to.at[entry] = batch_.at[i];
    to.src[entry] = batch_.src[i];
    to.dst[entry] = batch_.dst[i];
    to.node[entry] = node;
    to.other[entry] = other;
    to.type[entry] = batch_.type[i];
    to.row[entry] = batch_.row[i];
  };
  for (uint32_t i = batch_.count; i-- > 0;) {
    const NodeNumber src = batch_.src[i];
    const NodeNumber dst = batch_.dst[i];
    if (src != dst) put(i, dst, src);
    put(i, src, dst);
  }
  batch_ = {total, to.at, to.src, to.dst, to.node, to.other, to.type, to.row};
}

}  // namespace palimpsest::aggregate
