#include "core/kernels/digest_lines.h"

#include <algorithm>

#include "core/kernels/rows/instant_text.h"
#include "core/kernels/rows/json_text.h"
#include "core/kernels/rows/json_value.h"

namespace palimpsest {

namespace {
std::string_view manner(EndedBy ended_by) {
  switch (ended_by) {
    case EndedBy::kNotEnded:
      break;
    case EndedBy::kOverwritten:
      return "\"overwritten\"";
    case EndedBy::kRetracted:
      return "\"retracted\"";
    case EndedBy::kCorrected:
      return "\"corrected\"";
  }
  return "null";
}

void add_instant(Micros instant, std::string& out) {
  out.push_back('"');
  append_instant(instant, out);
  out.push_back('"');
}
}  // namespace

Status DigestLines::next(size_t chunk_bytes, const StopToken& stop, std::string& out) {
  out.clear();
  StepCounter steps(stop);
  if (!order_.is_begun()) order_.begin();
  const std::vector<NodeNumber>& nodes = order_.nodes();
  while (out.size() < chunk_bytes) {
    if (position_ == nodes.size()) {
      if (is_among_edges_) break;
      is_among_edges_ = true;
      position_ = 0;
      continue;
    }
    const NodeNumber node = nodes[position_++];
    if (!steps.add(1)) return steps.status();
    if (is_among_edges_) {
      add_edges(node, steps, out);
    } else {
      add_node(node, out);
    }
  }
  return Status::ok();
}

void DigestLines::add_node(NodeNumber node, std::string& out) {
  const Tables& tables = pin_.tables();
  const VersionTable& versions = tables.node_versions;
  order_.node_rows(node, rows_);
  for (const Row row : rows_) {
    const Facts facts = facts_of(Kind::kNode, row);
    out.push_back('{');
    add_belief(Kind::kNode, facts, out);
    out.append(",\"kind\":\"node\",\"labels\":[");
    bool is_first = true;
    for (const TextNumber label : tables.label_set(versions.label_set(row))) {
      if (!is_first) out.push_back(',');
      is_first = false;
      append_json_string(tables.labels.get(label), out);
    }
    out.append("],");
    add_props(Kind::kNode, facts, out);
    add_origin(facts, out);
    add_tx_times(facts, out);
    out.append(",\"uid\":");
    add_uid(node, out);
    add_valid_times(facts, out);
    out.append("}\n");
  }
}

DigestLines::Facts DigestLines::facts_of(Kind kind, Row row) const {
  const VersionTable& versions = pin_.versions(kind);
  return {row,
          pin_.tx_of(kind, row),
          versions.closed_tx(row),
          versions.annotation(row),
          versions.properties().shape(row),
          versions.valid_from(row),
          versions.valid_to(row)};
}

void DigestLines::add_edges(NodeNumber src, StepCounter& steps, std::string& out) {
  order_.edge_rows(src, steps, edge_rows_);
  facts_.clear();
  for (const DigestOrder::EdgeRow& entry : edge_rows_) facts_.push_back(facts_of(Kind::kEdge, entry.row));
  for (size_t i = 0; i < facts_.size(); ++i) add_edge(src, edge_rows_[i].edge, facts_[i], out);
}

void DigestLines::add_edge(NodeNumber src, EdgeNumber edge, const Facts& facts, std::string& out) {
  const Tables& tables = pin_.tables();
  out.append("{\"dst\":");
  add_uid(tables.edges.dst(edge), out);
  out.push_back(',');
  add_belief(Kind::kEdge, facts, out);
  key_.clear();
  tables.edges.append_key(edge, key_);
  out.append(",\"key\":");
  append_json_string(key_, out);
  out.append(",\"kind\":\"edge\",");
  add_props(Kind::kEdge, facts, out);
  add_origin(facts, out);
  out.append(",\"src\":");
  add_uid(src, out);
  add_tx_times(facts, out);
  out.append(",\"type\":");
  append_json_string(tables.types.get(tables.edges.type(edge)), out);
  add_valid_times(facts, out);
  out.append("}\n");
}

/// `"ended_by":…,"ended_reason":…`; what the pin does not know reads as null.
void DigestLines::add_belief(Kind kind, const Facts& facts, std::string& out) {
  if (facts.closed > pin_.tx()) {
    out.append("\"ended_by\":null,\"ended_reason\":null");
    return;
  }
  const VersionTable& versions = pin_.versions(kind);
  const Closing closing = versions.closing(versions.closing_number(facts.row));
  out.append("\"ended_by\":");
  out.append(manner(closing.ended_by));
  out.append(",\"ended_reason\":");
  add_text_or_null(closing.reason, out);
}

/// `"props":{…}`, names by UTF-16 unit.
void DigestLines::add_props(Kind kind, const Facts& facts, std::string& out) {
  if (facts.shape == 0) {
    out.append("\"props\":{}");
    return;
  }
  const Tables& tables = pin_.tables();
  const Properties& properties = pin_.versions(kind).properties();
  std::vector<uint32_t> columns;
  const auto shape = properties.columns(facts.shape);
  columns.assign(shape.begin(), shape.end());
  const auto name_of = [&](uint32_t column) { return tables.prop_names.get(properties.key(column).name); };
  std::sort(columns.begin(), columns.end(),
            [&](uint32_t a, uint32_t b) { return is_utf16_less(name_of(a), name_of(b)); });
  out.append("\"props\":{");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out.push_back(',');
    append_json_string(name_of(columns[i]), out);
    out.push_back(':');
    append_json_value(properties.key(columns[i]).kind, properties.bits(columns[i], facts.row), tables, out);
  }
  out.push_back('}');
}

/// `,"provenance_ref":…,"reason":…,"source":…`
void DigestLines::add_origin(const Facts& facts, std::string& out) {
  if (facts.annotation == 0) {
    out.append(",\"provenance_ref\":null,\"reason\":null,\"source\":null");
    return;
  }
  const Annotation annotation = pin_.tables().annotations.get(facts.annotation);
  out.append(",\"provenance_ref\":");
  add_text_or_null(annotation.provenance_ref, out);
  out.append(",\"reason\":");
  add_text_or_null(annotation.reason, out);
  out.append(",\"source\":");
  add_text_or_null(annotation.source, out);
}

/// `,"tx_from":…,"tx_to":…`
void DigestLines::add_tx_times(const Facts& facts, std::string& out) {
  out.append(",\"tx_from\":");
  add_tx_time(facts.tx, out);
  out.append(",\"tx_to\":");
  if (facts.closed > pin_.tx()) {
    out.append("null");
  } else {
    add_tx_time(facts.closed, out);
  }
}

/// Commits are few beside rows, so each time is written once.
void DigestLines::add_tx_time(Tx tx, std::string& out) {
  if (tx_texts_.empty()) tx_texts_.resize(size_t{pin_.tx()} + 1);
  std::string& text = tx_texts_[tx];
  if (text.empty()) add_instant(pin_.tx_time(tx), text);
  out.append(text);
}

/// `,"valid_from":…,"valid_to":…`
void DigestLines::add_valid_times(const Facts& facts, std::string& out) {
  out.append(",\"valid_from\":");
  add_instant(facts.valid_from, out);
  out.append(",\"valid_to\":");
  if (facts.valid_to == kOpenEnd) {
    out.append("null");
  } else {
    add_instant(facts.valid_to, out);
  }
}

void DigestLines::add_text_or_null(TextNumber text, std::string& out) {
  if (text == kNone) {
    out.append("null");
  } else {
    append_json_string(pin_.tables().texts.get(text), out);
  }
}

void DigestLines::add_uid(NodeNumber node, std::string& out) { append_json_string(pin_.tables().uids.get(node), out); }

}  // namespace palimpsest
