// The window of a question cut where its buckets begin, each part swept on its own, several at once.
// Groups of different buckets differ, so the groups of the whole are those of the parts, one after the other.
#pragma once

#include <memory>
#include <vector>

#include "core/kernels/aggregate/sweep.h"

namespace palimpsest::aggregate {

class Parts {
 public:
  /// All arguments outlive the parts. A question without buckets has one part.
  Status run(const Pin& pin, const Filter& filter, const Question& question, const PairSet* reciprocal,
             const EventSource& events, ValidWindow window, StepCounter& steps, HeldBytes& held);

  uint32_t group_count() const { return firsts_.back(); }
  Cell cell(uint32_t group, uint32_t column) const {
    size_t part = 0;
    while (group >= firsts_[part + 1]) ++part;
    return sweeps_[part]->cell(group - firsts_[part], column);
  }
  uint64_t event_count() const;
  std::vector<uint64_t> skipped() const;

 private:
  std::vector<std::unique_ptr<Sweep>> sweeps_;
  std::vector<uint32_t> firsts_{0};  // the first group of each part, and behind the last one
};

}  // namespace palimpsest::aggregate
