// The request object of a scan, as src/native/tables.ts makes it: which rows, which page, how they are cut.
// Checked, never trusted.
#pragma once

#include <napi.h>

#include "core/kernels/scan.h"
#include "core/kernels/version_log.h"

namespace palimpsest::node {

class ScanRequest {
 public:
  explicit ScanRequest(const Napi::Value& value);
  Napi::Value get(const char* name) const { return object_.Get(name); }
  bool has(const char* name) const { return !get(name).IsNull(); }
  bool is(const char* name) const { return get(name).ToBoolean(); }
  ValidWindow window() const;
  PageSpan page() const;
  RowFetcher::Clamp clamp() const;
  /// Of a base table: its field `table`.
  ScanQuery table_query() const;
  /// Of the belief log of one kind: its fields `kind`, `txAt`, `txFrom`, `txTo`.
  LogQuery versions_query(const Pin& pin) const;

 private:
  Napi::Object object_;
};

}  // namespace palimpsest::node
