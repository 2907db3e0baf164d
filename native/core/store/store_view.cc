#include "core/store/store_view.h"

#include "core/store/derived_cache.h"
#include "core/store/event_cache.h"
#include "core/store/name_cache.h"
#include "core/store/shape_cache.h"

namespace palimpsest {

Tables::Tables(Garbage& garbage)
    : uids(garbage),
      types(garbage),
      labels(garbage),
      prop_names(garbage),
      texts(garbage),
      edges(garbage),
      edge_index(garbage),
      node_index(garbage),
      incidence(garbage),
      event_cache_(std::make_unique<EventCache>()),
      name_cache_(std::make_unique<NameCache>()),
      derived_cache_(std::make_unique<DerivedCache>()),
      shape_cache_(std::make_unique<ShapeCache>()) {
  annotations.set(0, Annotation{});
  label_sets.set(label_set_count++, new std::vector<TextNumber>());
  commits.set(0, Commit{});
}

Tables::~Tables() {
  for (uint32_t number = 0; number < label_set_count; ++number) delete label_sets.get(number);
}

uint64_t Tables::bytes() const {
  // Without the chains: publishing may be adding one at this moment.
  return uids.bytes() + types.bytes() + labels.bytes() + prop_names.bytes() + texts.bytes() + edges.bytes() +
         edge_versions.bytes() + node_versions.bytes() + edge_index.bytes() + node_index.bytes() + incidence.bytes() +
         edge_ends.bytes() + event_toggles.bytes() + known_tx.bytes() + commits.bytes();
}

StoreView::~StoreView() {
  // A reader may have held back thousands of views: each hands the next one to the outermost destructor, which lets
  // them go one by one, not by recursion.
  thread_local std::shared_ptr<StoreView>* handed_over = nullptr;
  if (handed_over != nullptr) {
    *handed_over = std::move(next);
    return;
  }
  std::shared_ptr<StoreView> following = std::move(next);
  std::shared_ptr<StoreView> after;
  handed_over = &after;
  while (following != nullptr) {
    following.reset();
    following = std::move(after);
  }
  handed_over = nullptr;
}

Pin::Pin(std::shared_ptr<const StoreView> view, Tx tx) : view_(std::move(view)), tx_(tx) {
  if (tx_ == view_->tx) {
    edge_cut_ = view_->edge_rows;
    node_cut_ = view_->node_rows;
    toggle_cut_ = view_->event_toggle_count;
    return;
  }
  const Commit following = tables().commits.get(tx_ + 1);
  edge_cut_ = following.first_edge_row;
  node_cut_ = following.first_node_row;
  toggle_cut_ = following.first_event_toggle;
}

Row Pin::node_version_at(NodeNumber node, Micros instant) const {
  const VersionTable& versions = tables().node_versions;
  Row found = kNone;
  each_believed(Kind::kNode, node, [&](Row row) {
    if (versions.valid_from(row) > instant || versions.valid_to(row) <= instant) return true;
    found = row;
    return false;
  });
  return found;
}

bool Pin::begins_spell(Kind kind, Row row) const {
  const VersionTable& rows = versions(kind);
  const uint32_t identity = rows.owner(row);
  const VersionIndex& index = kind == Kind::kEdge ? tables().edge_index : tables().node_index;
  if (index.is_single(identity)) return true;
  const Micros from = rows.valid_from(row);
  bool begins = true;
  each_believed(kind, identity, [&](Row other) {
    begins = rows.valid_to(other) != from;
    return begins;
  });
  return begins;
}

Micros Pin::spell_end(Kind kind, Row row) const {
  const VersionTable& rows = versions(kind);
  const uint32_t identity = rows.owner(row);
  Micros end = rows.valid_to(row);
  for (bool grew = true; grew && end != kOpenEnd;) {
    grew = false;
    each_believed(kind, identity, [&](Row other) {
      if (rows.valid_from(other) != end) return true;
      end = rows.valid_to(other);
      grew = true;
      return false;
    });
  }
  return end;
}

NodeNumber Pin::known_node(std::string_view uid) const {
  const NodeNumber node = tables().uids.find(uid);
  return node != kNone && is_known_node(node) ? node : kNone;
}

EdgeNumber Pin::known_edge(std::string_view src, std::string_view type, std::string_view dst,
                           std::string_view key) const {
  const NodeNumber src_node = tables().uids.find(src);
  const NodeNumber dst_node = tables().uids.find(dst);
  const TextNumber type_text = tables().types.find(type);
  if (src_node == kNone || dst_node == kNone || type_text == kNone) return 0;
  const EdgeNumber edge =
      tables().edges.find(src_node, static_cast<TypeNumber>(type_text), dst_node, key, view_->edge_count);
  if (edge == 0) return 0;
  const Row first = tables().edge_index.first(edge);
  return first != kNone && first < edge_cut_ ? edge : 0;
}

Tx Pin::tx_of(Kind kind, Row row) const {
  // The last commit whose first row is not above this one: later commits without rows of the kind share that first row.
  Tx low = 1;
  Tx high = tx_;
  while (low < high) {
    const Tx middle = low + (high - low + 1) / 2;
    const Commit record = tables().commits.get(middle);
    const Row first = kind == Kind::kEdge ? record.first_edge_row : record.first_node_row;
    if (first <= row) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Tx Pin::tx_at(Micros instant) const {
  Tx low = 0;
  Tx high = view_->tx;
  while (low < high) {
    const Tx middle = low + (high - low + 1) / 2;
    if (tables().commits.get(middle).tx_time <= instant) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace palimpsest
