// The facts that leave one node, as P6 takes them: spells that are believed, and what was believed and is no more.
// From the node's incidence list and the versions of its edges; judges nothing but the type.
#pragma once

#include <functional>
#include <vector>

#include "core/base/stop.h"
#include "core/store/store_view.h"

namespace palimpsest::freshness {

struct Fact {
  Micros from;
  Micros to;
  EdgeNumber edge;
  Row content;  // the spell's first version; of a retracted fact the one closed last (then the latest to begin)
  Row begun;    // the version that began last at or before the question's instant, kNone where none did
  bool is_retracted;

  bool holds(Micros at) const { return !is_retracted && from <= at && at < to; }
};

/// Facts of edges whose type passes, those of one edge side by side: its spells by time, then what is retracted of it.
Status read_facts(const Pin& pin, NodeNumber src, const std::function<bool(TypeNumber)>& passes_type, Micros at,
                  StepCounter& steps, std::vector<Fact>& facts);

}  // namespace palimpsest::freshness
