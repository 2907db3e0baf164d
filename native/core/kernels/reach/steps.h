// The steps out of a node, read from the store at a pin: spans that pass the filter, cut to the window and to the
// instants at which both ends pass. Made when a search first asks for a node and kept for the next subject where that
// is the same.
#pragma once

#include <deque>

#include "core/kernels/reach/passing.h"
#include "core/kernels/reach/question.h"

namespace palimpsest::reach {

class StoreSteps : public StepSource {
 public:
  StoreSteps(const Pin& pin, const Filter& filter, const Question& question, StepCounter& counter);

  /// Must be called before the first list of a subject is asked for: `where.node` spares it.
  void begin_subject(NodeNumber subject);
  /// Empty lists once the counter has stopped.
  const StepList& out_of(NodeNumber node) override;

 private:
  struct End {
    NodeNumber node;
    bool is_src;
  };
  StepList read(NodeNumber node);
  void add_instants(Row row, Micros from, End tail, End head, std::vector<Step>& steps);
  void add_ride(Row row, Micros from, End tail, End head, std::vector<Step>& steps);
  Micros end_of_passing_spell(Row row) const;
  void push(Micros first, Micros last, NodeNumber other, std::vector<Step>& steps) const;

  const Pin& pin_;
  const Filter& filter_;
  const Question& question_;
  StepCounter& counter_;
  PassingInstants passing_;
  NodeSet places_;
  std::deque<StepList> lists_;
  const StepList nothing_;
};

}  // namespace palimpsest::reach
