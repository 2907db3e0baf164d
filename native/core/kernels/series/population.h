// What series, bursts and bucket extents count: events and edge versions that pass a filter, anywhere or at one node.
// At a node everything is read from its incidence list; elsewhere events come from the temporal index.
#pragma once

#include <algorithm>

#include "core/kernels/events/event_source.h"
#include "core/kernels/filter/filter.h"
#include "core/kernels/series/spell_ends.h"
#include "core/kernels/window.h"

namespace palimpsest::series {

enum class NodeRole : uint8_t { kSrc = 0, kDst = 1, kEither = 2 };

/// `node` is spared by `where.node`; kNone: events anywhere.
struct Population {
  const Filter* filter;
  bool has_node = false;
  NodeNumber node = kNone;
  NodeRole role = NodeRole::kEither;

  bool is_at_node(NodeNumber src, NodeNumber dst) const {
    return !has_node || (role != NodeRole::kDst && src == node) || (role != NodeRole::kSrc && dst == node);
  }
};

struct Event {
  Micros at;
  NodeNumber src;
  NodeNumber dst;
  Row row;  // of the spell's first version
};

class PassingEvents {
 public:
  static Status open(const Pin& pin, const Population& population, StepCounter& steps, PassingEvents& out);
  /// True when `open` takes a moment only.
  static bool is_ready(const Pin& pin, const Population& population) {
    return population.has_node || EventSource::is_ready(pin);
  }

  /// Whether `count` may be asked: every event passes.
  bool is_countable() const { return !population_.has_node && population_.filter->is_trivial(); }
  uint64_t count(ValidWindow window) const { return source_.count(window); }

  /// Calls `visit(const Event&)` for the passing events of the window in event order, until it gives false. False when
  /// the counter said stop.
  template <typename Visit>
  bool each(ValidWindow window, StepCounter& steps, Visit&& visit) const;
  /// The same from the last to the first.
  template <typename Visit>
  bool each_backward(ValidWindow window, StepCounter& steps, Visit&& visit) const;

 private:
  bool passes(const Event& event) const {
    return passes_event(*population_.filter, event.row, event.src, event.dst, event.at, population_.node);
  }
  template <typename Visit>
  bool visit_at(const EventSlice& slice, uint32_t i, Visit& visit) const;
  template <typename Visit>
  bool visit_slot(const Slot& slot, ValidWindow window, SpellEnds& spells, Visit& visit) const;

  const Pin* pin_ = nullptr;  // the caller's, which outlives this
  Population population_ = {};
  EventSource source_;
};

/// Calls `visit(Row, NodeNumber src, NodeNumber dst)` for the believed edge versions of the population that touch the
/// window and whose own content passes; their ends are the caller's to judge. False when the counter said stop.
template <typename Visit>
bool each_version(const Pin& pin, const Population& population, ValidWindow window, StepCounter& steps, Visit&& visit);

}  // namespace palimpsest::series

#include "core/kernels/series/population_visits.h"
