// The lines of the store digest (docs/contract.md "Store digest"), in their order, a chunk at a time.
// What a line says is here, where it stands in digest_order.h.
#pragma once

#include <string>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/digest_order.h"
#include "core/store/store_view.h"

namespace palimpsest {

class DigestLines {
 public:
  explicit DigestLines(const Pin& pin) : pin_(pin), order_(pin) {}

  /// Replaces `out` by the next lines, at least `chunk_bytes` of them unless they end; empty at the end.
  Status next(size_t chunk_bytes, const StopToken& stop, std::string& out);

 private:
  /// What a line says beside identity and content, gathered for many rows at once so that the misses overlap.
  struct Facts {
    Row row;
    Tx tx;
    Tx closed;
    uint32_t annotation;
    uint32_t shape;
    Micros valid_from;
    Micros valid_to;
  };
  Facts facts_of(Kind kind, Row row) const;
  void add_node(NodeNumber node, std::string& out);
  void add_edges(NodeNumber src, StepCounter& steps, std::string& out);
  void add_edge(NodeNumber src, EdgeNumber edge, const Facts& facts, std::string& out);
  void add_belief(Kind kind, const Facts& facts, std::string& out);
  void add_props(Kind kind, const Facts& facts, std::string& out);
  void add_origin(const Facts& facts, std::string& out);
  void add_tx_times(const Facts& facts, std::string& out);
  void add_tx_time(Tx tx, std::string& out);
  void add_valid_times(const Facts& facts, std::string& out);
  void add_text_or_null(TextNumber text, std::string& out);
  void add_uid(NodeNumber node, std::string& out);

  Pin pin_;
  DigestOrder order_;
  bool is_among_edges_ = false;
  size_t position_ = 0;
  std::vector<Row> rows_;
  std::vector<DigestOrder::EdgeRow> edge_rows_;
  std::vector<Facts> facts_;
  std::vector<std::string> tx_texts_;  // by commit, quoted; empty until used
  std::string key_;
};

}  // namespace palimpsest
