// What a reader sees: an immutable view of the store at one published commit, and a pin at any commit up to it.
// Kernels take a `Pin` and reach every column through it; they hold no lock and wait for nobody.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/reclaim.h"
#include "core/store/edge_table.h"
#include "core/store/end_order.h"
#include "core/store/event_toggles.h"
#include "core/store/incidence.h"
#include "core/store/text_table.h"
#include "core/store/time_runs.h"
#include "core/store/version_index.h"
#include "core/store/versions.h"

namespace palimpsest {

/// Who wrote a version and why; text numbers in `Tables::texts`, kNone where not given.
struct Annotation {
  TextNumber source = kNone;
  TextNumber provenance_ref = kNone;
  TextNumber reason = kNone;
  auto operator<=>(const Annotation&) const = default;
};

/// One commit. Record 0 is the empty store. Counts are of operations; `ingested` counts events.
struct Commit {
  Micros tx_time = 0;
  Row first_edge_row = 0;  // the rows of commit n are [record n .first, record n + 1 .first)
  Row first_node_row = 0;
  uint32_t first_edge_closing = 0;
  uint32_t first_node_closing = 0;
  uint32_t first_event_toggle = 0;
  uint32_t known_nodes = 0;  // uids that some surviving version names, after this commit
  uint32_t known_edges = 0;
  uint32_t believed_edges = 0;  // edge versions believed after this commit
  uint32_t believed_nodes = 0;
  uint32_t operations = 0;
  uint32_t asserted = 0;
  uint32_t retracted = 0;
  uint32_t corrected = 0;
  uint64_t ingested = 0;
};

/// A commit that erased an identity, and the commit that first wrote something it removed.
struct Erasure {
  Tx tx = 0;
  Tx first_tx = 0;
};

class DerivedCache;
class EventCache;
class NameCache;
class ShapeCache;

/// Everything that only grows. Readers stay below the sizes that their view names.
struct Tables {
  explicit Tables(Garbage& garbage);
  ~Tables();
  std::span<const TextNumber> label_set(uint32_t number) const { return *label_sets.get(number); }
  /// The writer's.
  uint64_t bytes() const;
  /// The temporal index: made from the rest when first asked for.
  EventCache& event_cache() const { return *event_cache_; }
  NameCache& name_cache() const { return *name_cache_; }
  /// What kernels made of whole commits.
  DerivedCache& derived_cache() const { return *derived_cache_; }
  ShapeCache& shape_cache() const { return *shape_cache_; }

  TextTable uids;   // node number = text number
  TextTable types;  // type number = text number
  TextTable labels;
  TextTable prop_names;
  TextTable texts;  // string and JSON values, sources, provenance references, reasons
  EdgeTable edges;
  VersionTable edge_versions{Kind::kEdge};
  VersionTable node_versions{Kind::kNode};
  VersionIndex edge_index;  // edge number -> rows
  VersionIndex node_index;  // node number -> rows
  Incidence incidence;
  EndOrder edge_ends;
  EventToggles event_toggles;
  ChunkedColumn<Tx> known_tx{kNeverTx};  // per node: the commit that first named it in a surviving version
  ChunkedColumn<Tx> type_tx{kNeverTx};   // per type, per label set: the same
  ChunkedColumn<Tx> label_set_tx{kNeverTx};
  ChunkedColumn<Annotation> annotations;                              // number 0 is the empty one
  ChunkedColumn<const std::vector<TextNumber>*> label_sets{nullptr};  // labels sorted by code point; number 0 is empty
  ChunkedColumn<Commit> commits;
  ChunkedColumn<std::array<uint8_t, 32>> chains;  // of each commit's last frame, written when it is published
  uint32_t label_set_count = 0;                   // the writer's
  ChunkedColumn<Erasure> erasures;
  uint32_t erasure_count = 0;  // the writer's

 private:
  std::unique_ptr<EventCache> event_cache_;
  std::unique_ptr<NameCache> name_cache_;
  std::unique_ptr<DerivedCache> derived_cache_;
  std::unique_ptr<ShapeCache> shape_cache_;
};

/// Published by one store; kept alive by its readers; keeps alive what they may still look at.
struct StoreView {
  std::shared_ptr<const Tables> tables;
  Tx tx = 0;
  Row edge_rows = 0;
  Row node_rows = 0;
  uint32_t erasure_count = 0;
  EdgeNumber edge_count = 0;
  NodeNumber node_count = 0;
  uint32_t label_set_count = 0;
  uint32_t event_toggle_count = 0;
  TimeRuns runs;
  // What was replaced after this view was made; the next view is held so that older readers keep newer garbage too.
  Garbage garbage;
  std::shared_ptr<StoreView> next;

  ~StoreView();
};

/// A view read as of commit T <= view.tx. Cheap to copy; valid on any thread for as long as it is held.
class Pin {
 public:
  Pin(std::shared_ptr<const StoreView> view, Tx tx);

  const StoreView& view() const { return *view_; }
  const std::shared_ptr<const StoreView>& shared_view() const { return view_; }
  const Tables& tables() const { return *view_->tables; }
  Tx tx() const { return tx_; }
  /// The same view read as of another commit up to its own.
  Pin at(Tx tx) const { return Pin(view_, tx); }
  bool is_latest() const { return tx_ == view_->tx; }

  const VersionTable& versions(Kind kind) const {
    return kind == Kind::kEdge ? tables().edge_versions : tables().node_versions;
  }
  /// Rows at or above this were written after the pin (or are not published).
  Row row_cut(Kind kind) const { return kind == Kind::kEdge ? edge_cut_ : node_cut_; }
  /// Event toggles at or above this number are of later commits.
  uint32_t toggle_cut() const { return toggle_cut_; }
  bool is_believed(Kind kind, Row row) const { return row < row_cut(kind) && tx_ < versions(kind).closed_tx(row); }
  bool is_believed_edge(Row row) const { return row < edge_cut_ && tx_ < tables().edge_versions.closed_tx(row); }
  bool is_believed_node(Row row) const { return row < node_cut_ && tx_ < tables().node_versions.closed_tx(row); }

  /// Calls `visit(Row)` for each version of an identity believed at the pin, oldest row first (not in time order).
  template <typename Visit>
  void each_believed(Kind kind, uint32_t identity, Visit&& visit) const {
    const VersionIndex& index = kind == Kind::kEdge ? tables().edge_index : tables().node_index;
    index.each(identity, row_cut(kind), [&](Row row) { return !is_believed(kind, row) || visit(row); });
  }
  /// The believed node version that is valid at `instant`, kNone where there is none.
  Row node_version_at(NodeNumber node, Micros instant) const;
  /// True when no version of the same identity believed at the pin ends where this believed row begins (A5).
  bool begins_spell(Kind kind, Row row) const;
  /// The end of the spell that holds this believed row: kOpenEnd when open.
  Micros spell_end(Kind kind, Row row) const;

  /// The node number of a uid that is known at the pin (A4), else kNone.
  NodeNumber known_node(std::string_view uid) const;
  bool is_known_node(NodeNumber node) const { return tables().known_tx.get_atomic(node) <= tx_; }
  /// The edge number of an identity that some version written at or before the pin names, else 0.
  EdgeNumber known_edge(std::string_view src, std::string_view type, std::string_view dst, std::string_view key) const;
  /// Type, label and property numbers; kNone for a name that the store has never seen.
  TextNumber type_number(std::string_view name) const { return tables().types.find(name); }

  /// The commit that wrote a row: its number, found by the commits' row ranges.
  Tx tx_of(Kind kind, Row row) const;
  Micros tx_time(Tx tx) const { return tables().commits.get(tx).tx_time; }
  Commit commit(Tx tx) const { return tables().commits.get(tx); }
  /// The hash over the log up to the commit's last frame.
  std::array<uint8_t, 32> chain(Tx tx) const { return tables().chains.get(tx); }
  /// The greatest commit up to the view's whose time is not later; 0 when there is none.
  Tx tx_at(Micros instant) const;

 private:
  std::shared_ptr<const StoreView> view_;
  Tx tx_;
  Row edge_cut_;
  Row node_cut_;
  uint32_t toggle_cut_;
};

}  // namespace palimpsest
