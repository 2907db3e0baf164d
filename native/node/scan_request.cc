#include "node/scan_request.h"

#include "node/kernel_args.h"
#include "node/values.h"

namespace palimpsest::node {

ScanRequest::ScanRequest(const Napi::Value& value) : object_(object_arg(value)) {}

ValidWindow ScanRequest::window() const { return window_arg(get("from"), get("to")); }

PageSpan ScanRequest::page() const { return page_arg(get("ordinal"), get("limit")); }

RowFetcher::Clamp ScanRequest::clamp() const {
  const ValidWindow cut = is("clamp") ? window() : ValidWindow{};
  return {cut.from, cut.to};
}

ScanQuery ScanRequest::table_query() const {
  const uint32_t table = number_arg(get("table"), static_cast<uint32_t>(ScanTable::kEndpoints));
  return {static_cast<ScanTable>(table), window(), page(), is("ordered")};
}

LogQuery ScanRequest::versions_query(const Pin& pin) const {
  LogQuery query;
  query.has_nodes = kind_arg(get("kind")) == Kind::kNode;
  query.has_edges = !query.has_nodes;
  query.window = window();
  query.page = page();
  if (has("txAt")) {
    // Believed at that commit: written at or before it, and not ended there.
    query.ended_after = number_arg(get("txAt"), kNeverTx);
    query.written.to = query.ended_after == kNeverTx ? kNeverTx : query.ended_after + 1;
  } else if (has("txFrom") || has("txTo")) {
    const ValidWindow times = window_arg(get("txFrom"), get("txTo"));
    query.written.to = commits_between(pin, INT64_MIN, times.to).to;
    query.ended_after = times.from == INT64_MIN ? 0 : pin.tx_at(times.from);
  }
  return query;
}

}  // namespace palimpsest::node
