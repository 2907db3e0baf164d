// `where` of docs/contract.md A6, compiled against a pin: names became numbers, sets became sorted arrays.
// Judges given rows and nodes at given instants; which instants those are, and who is spared, is each kernel's affair.
//
//   filter = nothing (passes everything), or
//            names types, names keys, preds edge, node_filter src, node_filter dst, node_filter node
//   names  = u32 0xFFFFFFFF (no restriction), or u32 count and that many texts (as in op_buffer.h)
//   node_filter = u8 0 (none), or u8 1, names uids, names labels, names any_labels, preds props
//   preds  = u32 count, then predicates
//   pred   = u8 PredOp; kAny: preds; kNot: pred; else text prop, u32 operand count, operands
//   operand = u8 PropKind (5: null), value; a string is two texts: itself, and itself as canonical JSON
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/kernels/filter/number_set.h"
#include "core/kernels/filter/predicate.h"
#include "core/store/store_view.h"

namespace palimpsest {

/// What a node must be. Unknown names stay unknown: they match nothing.
struct NodeFilter {
  std::optional<NumberSet> uids;  // node numbers
  std::vector<TextNumber> labels;
  bool has_unknown_label = false;  // among `labels`, so that no node passes
  std::optional<std::vector<TextNumber>> any_labels;
  std::vector<Predicate> props;

  bool has_content() const { return has_unknown_label || !labels.empty() || any_labels || !props.empty(); }
};

class Filter {
 public:
  /// `bytes` as encodeWhere of filter-buffer.ts makes them. kInternal when they are malformed.
  static Result<Filter> parse(std::span<const uint8_t> bytes, const Pin& pin);

  /// The filter that passes everything.
  static Filter trivial(const Pin& pin) { return Filter(pin); }
  bool is_trivial() const { return !types_ && !keys_ && edge_.empty() && !has_node_part(); }
  /// A filter on src, dst or node is present.
  bool has_node_part() const { return src_ || dst_ || node_; }
  bool has_keys() const { return keys_.has_value(); }
  bool has_src() const { return src_.has_value(); }
  bool has_dst() const { return dst_.has_value(); }
  bool has_node() const { return node_.has_value(); }
  /// The node numbers that a part names, ascending, for kernels that start from them; null where it names none.
  const NumberSet* src_uids() const { return uids_of(src_); }
  const NumberSet* dst_uids() const { return uids_of(dst_); }
  const NumberSet* node_uids() const { return uids_of(node_); }

  /// Where the filter says nothing but types (of edges) or labels of which a node has any: their numbers behind a 1, or
  /// a 0 where it passes everything. Nothing where it says more, or something of the other kind.
  std::optional<std::vector<uint32_t>> names_alone(Kind kind) const;

  /// Types, keys and edge predicates: what an edge version shows by itself.
  bool passes_edge(Row edge_row) const {
    if (!types_ && !keys_ && edge_.empty()) return true;
    const EdgeNumber edge = pin_.tables().edge_versions.owner(edge_row);
    return passes_type(pin_.tables().edges.type(edge)) && passes_key(edge) && passes_edge_predicates(edge_row);
  }
  bool passes_type(TypeNumber type) const { return !types_ || types_->has(type); }
  bool passes_key(EdgeNumber edge) const { return !keys_ || passes_named_key(edge); }
  bool passes_edge_predicates(Row edge_row) const {
    return edge_.empty() || passes_all(edge_, pin_.tables().edge_versions, pin_.tables(), edge_row);
  }

  /// The node as it is at the instant; where it has no version, it has no labels and no properties.
  bool passes_src(NodeNumber node, Micros at) const { return !src_ || passes_at(*src_, node, at); }
  bool passes_dst(NodeNumber node, Micros at) const { return !dst_ || passes_at(*dst_, node, at); }
  bool passes_node(NodeNumber node, Micros at) const { return !node_ || passes_at(*node_, node, at); }
  /// `where.node` on a node version's own content.
  bool passes_node_row(Row node_row) const {
    return !node_ || passes_content(*node_, pin_.tables().node_versions.owner(node_row), node_row);
  }
  /// src, dst and node on the two ends of an edge; `where.node` spares one node.
  bool passes_ends(NodeNumber src, NodeNumber dst, Micros at, NodeNumber spared = kNone) const {
    if (!has_node_part()) return true;
    return passes_src(src, at) && passes_dst(dst, at) && (src == spared || passes_node(src, at)) &&
           (dst == spared || dst == src || passes_node(dst, at));
  }

 private:
  explicit Filter(const Pin& pin) : pin_(pin) {}
  static const NumberSet* uids_of(const std::optional<NodeFilter>& part) {
    return part && part->uids ? &*part->uids : nullptr;
  }
  bool passes_named_key(EdgeNumber edge) const;
  bool passes_at(const NodeFilter& filter, NodeNumber node, Micros at) const;
  bool passes_content(const NodeFilter& filter, NodeNumber node, Row node_row) const;

  Pin pin_;
  std::optional<NumberSet> types_;
  std::optional<NumberSet> keys_;  // key texts, by number
  NumberSet chosen_keys_;          // the n of named keys of the form `#n`
  std::vector<Predicate> edge_;
  std::optional<NodeFilter> src_;
  std::optional<NodeFilter> dst_;
  std::optional<NodeFilter> node_;
};

}  // namespace palimpsest
