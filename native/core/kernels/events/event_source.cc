#include "core/kernels/events/event_source.h"

#include <algorithm>

namespace palimpsest {

Status EventSource::open(const Pin& pin, StepCounter& steps, EventSource& out) {
  out = EventSource(pin);
  return steps.status();
}

bool EventSource::is_ready(const Pin&) { return true; }

uint64_t EventSource::count(ValidWindow window) const { return rows_in(window).size(); }

std::vector<Row> EventSource::rows_in(ValidWindow window) const {
  const Pin& pin = *pin_;
  std::vector<Row> rows;
  pin.view().runs.each_begun(pin.tables().edge_versions, pin.row_cut(Kind::kEdge), window.from, window.to,
                             [&](Row row) {
                               if (pin.is_believed_edge(row) && pin.begins_spell(Kind::kEdge, row)) rows.push_back(row);
                               return true;
                             });
  return rows;
}

EventBlock EventSource::fill(const std::vector<Row>& rows, size_t first, Scratch& scratch) const {
  const VersionTable& versions = pin_->tables().edge_versions;
  const EdgeTable& edges = pin_->tables().edges;
  const auto count = static_cast<uint32_t>(std::min<size_t>(EventBlock::kMostEvents, rows.size() - first));
  for (uint32_t i = 0; i < count; ++i) {
    const Row row = rows[first + i];
    const EdgeNumber edge = versions.owner(row);
    scratch.at[i] = versions.valid_from(row);
    scratch.src[i] = edges.src(edge);
    scratch.dst[i] = edges.dst(edge);
    scratch.type[i] = edges.type(edge);
    scratch.row[i] = row;
  }
  return {count, scratch.at, scratch.src, scratch.dst, scratch.type, scratch.row};
}

}  // namespace palimpsest
