#include "core/kernels/aggregate/dimension.h"

#include <algorithm>

namespace palimpsest::aggregate {

uint32_t ValueCodes::code_of(uint8_t kind, uint64_t bits) {
  const size_t slot = find(kind, bits);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  const auto code = static_cast<uint32_t>(bits_.size());
  kinds_.push_back(kind);
  bits_.push_back(bits);
  slots_[slot] = code + 1;
  if (bits_.size() * 2 > slots_.size()) grow();
  return code;
}

size_t ValueCodes::find(uint8_t kind, uint64_t bits) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = ((bits ^ (uint64_t{kind} << 61)) * 0x9E3779B97F4A7C15u) >> 24 & mask;
  while (slots_[slot] != 0 && (bits_[slots_[slot] - 1] != bits || kinds_[slots_[slot] - 1] != kind)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void ValueCodes::grow() {
  slots_.assign(slots_.size() * 4, 0);
  for (uint32_t code = 0; code < bits_.size(); ++code) slots_[find(kinds_[code], bits_[code])] = code + 1;
}

namespace {

/// Above every type that an edge of the pin has.
uint64_t type_bound(const Pin& pin) {
  const auto& known = pin.tables().type_tx;
  constexpr uint32_t kTypes = uint32_t{1} << 16;
  uint64_t bound = 1;
  for (uint32_t type = 0; type < kTypes; ++type) {
    if (known.chunk(type / known.kChunkRows) == nullptr) {
      type |= known.kChunkMask;
    } else if (known.get_atomic(type) <= pin.tx()) {
      bound = uint64_t{type} + 1;
    }
  }
  return bound;
}

class TypeDimension : public Dimension {
 public:
  explicit TypeDimension(const Pin& pin) : bound_(type_bound(pin)) {}
  std::vector<CodeRange> ranges() const override { return {{bound_, false}}; }
  void read(const Batch& batch, CodesOut out) override { std::copy_n(batch.type, batch.count, out.codes); }
  Cell cell(const uint32_t* key, uint32_t) const override { return Cell::of(CellKind::kType, key[0]); }

 private:
  uint64_t bound_;
};

class NodeDimension : public Dimension {
 public:
  NodeDimension(const Pin& pin, Of end) : bound_(pin.view().node_count), end_(end) {}
  std::vector<CodeRange> ranges() const override { return {{bound_, false}}; }
  void read(const Batch& batch, CodesOut out) override {
    const NodeNumber* nodes = end_ == Of::kSrc ? batch.src : end_ == Of::kDst ? batch.dst : batch.node;
    std::copy_n(nodes, batch.count, out.codes);
  }
  Cell cell(const uint32_t* key, uint32_t) const override { return Cell::of(CellKind::kNode, key[0]); }

 private:
  uint64_t bound_;
  Of end_;
};

class PairDimension : public Dimension {
 public:
  PairDimension(const Pin& pin, bool is_undirected)
      : tables_(pin.tables()), bound_(pin.view().node_count), is_undirected_(is_undirected) {}
  std::vector<CodeRange> ranges() const override { return {{bound_, false}, {bound_, false}}; }
  void read(const Batch& batch, CodesOut out) override {
    std::copy_n(batch.src, batch.count, out.codes);
    std::copy_n(batch.dst, batch.count, out.more);
    if (!is_undirected_) return;
    for (uint32_t i = 0; i < batch.count; ++i) {
      out.codes[i] = std::min(batch.src[i], batch.dst[i]);
      out.more[i] = std::max(batch.src[i], batch.dst[i]);
    }
  }
  /// Undirected pairs are shown in the order of their uids.
  Cell cell(const uint32_t* key, uint32_t column) const override {
    const bool is_turned = is_undirected_ && tables_.uids.get(key[1]) < tables_.uids.get(key[0]);
    return Cell::of(CellKind::kNode, key[is_turned ? 1 - column : column]);
  }

 private:
  const Tables& tables_;
  uint64_t bound_;
  bool is_undirected_;
};

class LabelsDimension : public Dimension {
 public:
  LabelsDimension(const Pin& pin, Of end)
      : pin_(pin), bound_(std::max<uint64_t>(pin.view().label_set_count, 1)), end_(end) {}
  std::vector<CodeRange> ranges() const override { return {{bound_, false}}; }
  void read(const Batch& batch, CodesOut out) override {
    const NodeNumber* nodes = end_ == Of::kSrc ? batch.src : batch.dst;
    for (uint32_t i = 0; i < batch.count; ++i) {
      const Row row = pin_.node_version_at(nodes[i], batch.at[i]);
      out.codes[i] = row == kNone ? 0 : pin_.tables().node_versions.label_set(row);  // 0 is the empty set
    }
  }
  Cell cell(const uint32_t* key, uint32_t) const override { return Cell::of(CellKind::kLabels, key[0]); }

 private:
  const Pin& pin_;
  uint64_t bound_;
  Of end_;
};

class PropDimension : public Dimension {
 public:
  PropDimension(const Pin& pin, const Dim& dim) : pin_(pin), name_(dim.name), of_(dim.of) {}
  std::vector<CodeRange> ranges() const override { return {{0, false}}; }
  void read(const Batch& batch, CodesOut out) override {
    for (uint32_t i = 0; i < batch.count; ++i) {
      PropValue value{};
      const bool is_there = name_ != kNone && find(batch, i, value);
      out.codes[i] = codes_.code_of(is_there ? static_cast<uint8_t>(value.kind) : kNoValue, is_there ? value.bits : 0);
    }
  }
  Cell cell(const uint32_t* key, uint32_t) const override {
    if (codes_.kind(key[0]) == kNoValue) return {};
    return Cell::of_value(static_cast<PropKind>(codes_.kind(key[0])), codes_.bits(key[0]));
  }

 private:
  bool find(const Batch& batch, uint32_t at, PropValue& value) const {
    if (of_ == Of::kEdge) return pin_.tables().edge_versions.properties().find(batch.row[at], name_, value);
    const NodeNumber node = of_ == Of::kSrc ? batch.src[at] : batch.dst[at];
    const Row row = pin_.node_version_at(node, batch.at[at]);
    return row != kNone && pin_.tables().node_versions.properties().find(row, name_, value);
  }

  const Pin& pin_;
  PropNumber name_;
  Of of_;
  ValueCodes codes_;
};

}  // namespace

std::unique_ptr<Dimension> make_dimension(const Pin& pin, const Dim& dim) {
  switch (dim.kind) {
    case DimKind::kType:
      return std::make_unique<TypeDimension>(pin);
    case DimKind::kNode:
      return std::make_unique<NodeDimension>(pin, dim.of);
    case DimKind::kPair:
      return std::make_unique<PairDimension>(pin, dim.is_undirected);
    case DimKind::kLabels:
      return std::make_unique<LabelsDimension>(pin, dim.of);
    case DimKind::kProp:
      return std::make_unique<PropDimension>(pin, dim);
    default:
      return make_time_dimension(dim);
  }
}

}  // namespace palimpsest::aggregate
