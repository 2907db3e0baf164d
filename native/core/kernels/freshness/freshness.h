// P6 `fact_freshness`: the facts of one node with their status, age and what replaced them, and the facts that
// conflict. Ages are whole numbers here and are compared over half-lives exactly; weights are made where they are
// shown.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/kernels/filter/filter.h"
#include "core/kernels/freshness/subject_facts.h"
#include "core/kernels/rows/page_selector.h"

namespace palimpsest::freshness {

inline constexpr Micros kDay = 86'400'000'000;

/// In the order of rows; that of STATUSES in src/native/freshness.ts.
enum class FactStatus : uint8_t { kCurrent = 0, kSuperseded, kExpired, kRetracted, kFuture };
inline constexpr uint32_t kStatusCount = 5;

/// In days; nothing: the fact never decays.
using HalfLife = std::optional<double>;

struct Question {
  NodeNumber src = kNone;
  std::optional<NumberSet> types = {};
  Micros at = 0;
  HalfLife default_half_life = {};
  std::map<TypeNumber, HalfLife> half_lives = {};
  NumberSet functional = {};     // types with at most one object at a time
  PropNumber confirmed = kNone;  // the property that holds the instant of the last confirmation
  bool has_exact_ages = false;   // else whole days
  uint32_t include = 0;          // bit per status
};

struct ShownFact {
  Fact fact;
  FactStatus status;
  Micros basis;
  bool is_confirmed;
  int64_t age;  // days, or microseconds with exact ages
  std::optional<Fact> superseded_by;
  uint32_t conflicts;
  uint32_t group;  // 0: none
};

struct ConflictRow {
  uint32_t group;
  Fact fact;
};

struct Answer {
  std::array<uint64_t, kStatusCount> totals{};
  uint64_t row_count = 0;
  std::vector<ShownFact> rows;  // the page
  uint64_t conflict_count = 0;
  std::vector<ConflictRow> conflicts;  // the page
};

/// @return kCost or kCancelled when `steps` said so; never fails otherwise
Status fact_freshness(const Pin& pin, const Filter& filter, const Question& question, PageSpan rows, PageSpan conflicts,
                      StepCounter& steps, Answer& answer);

}  // namespace palimpsest::freshness
