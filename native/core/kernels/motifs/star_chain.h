// Chains: stretches of one node's events in which each lies within delta of the one before. No instance around a node
// reaches out of one, so counters work chain by chain, and long lists are cut anywhere.
#pragma once

#include "core/kernels/motifs/event_graph.h"

namespace palimpsest::motifs {

/// Events [begin, end) of one node's list; those before `counted` were counted as last events elsewhere.
struct Chain {
  uint32_t begin;
  uint32_t counted;
  uint32_t end;
  uint32_t length() const { return end - begin; }
};

/// Calls `visit(Chain)` for the chains of the slots [from, to), each last event in exactly one piece of any cut. A
/// chain that began before `from` is taken from the first event within delta of `from`. False when the visit said stop.
template <typename Tick, typename Visit>
bool each_chain(const EventGraph<Tick>& graph, uint32_t from, uint32_t to, Tick delta, Visit&& visit) {
  const EventSlot<Tick>* slots = graph.slots.get();
  uint32_t at = from;
  while (at < to) {
    if (slots[at].is_sentinel()) {
      ++at;
      continue;
    }
    Chain chain{at, at, at + 1};
    if (at == from) {
      while (!slots[chain.begin - 1].is_sentinel() && slots[at].tick - slots[chain.begin - 1].tick <= delta) {
        --chain.begin;
      }
    }
    // The difference to a sentinel is above any delta.
    while (chain.end < to && slots[chain.end].tick - slots[chain.end - 1].tick <= delta) ++chain.end;
    at = chain.end;
    if (chain.length() >= 2 && !visit(static_cast<const Chain&>(chain))) return false;
  }
  return true;
}

}  // namespace palimpsest::motifs
