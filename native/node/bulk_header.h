// The header of a bulk operation as JavaScript gives it, owning its texts.
#pragma once

#include <napi.h>

#include <optional>
#include <string>
#include <vector>

#include "core/store/stage.h"

namespace palimpsest::node {

struct BulkHeader {
  std::vector<std::string> labels;
  std::optional<std::string> source, provenance_ref, reason;

  static BulkHeader from(const Napi::Value& value);
  EventsHeader view() const;
};

}  // namespace palimpsest::node
