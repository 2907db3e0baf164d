// O12 `resolve_entities`: from a name to nodes. Folded lists nominate nodes; each is then judged by its texts at the
// pin. Gives nodes and the match of each that is shown; what a row looks like is the glue's.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/stop.h"
#include "core/kernels/entities/matching.h"
#include "core/kernels/rows/page_selector.h"
#include "core/store/store_view.h"

namespace palimpsest::entities {

/// In the order of rows; that of TIERS in src/native/entities.ts.
enum class Tier : uint8_t { kExact = 0, kPrefix, kSubstring, kFuzzy, kAlias };
inline constexpr uint32_t kTierCount = 5;

enum class NameKind : uint8_t { kCurrent = 0, kFormer, kCorrected };

struct Question {
  std::string query;
  std::vector<PropNumber> names;  // in order; kNone for one that no version ever had
  std::vector<TextNumber> labels = {};
  bool has_unknown_label = false;  // among `labels`, so that nothing is found
  std::optional<Micros> at = {};
  Tier min_tier = Tier::kAlias;
  std::optional<uint32_t> max_distance = {};
};

/// What a node is found by.
struct Match {
  NodeNumber node;
  Row state;         // the version that shows what the node is, kNone where there is none
  Row row;           // the version whose text it is, kNone for the uid
  uint8_t name = 0;  // position among the question's names
  NameKind kind = NameKind::kCurrent;
  Meeting meeting{How::kExact, 0};

  Tier tier() const { return kind == NameKind::kCurrent ? static_cast<Tier>(meeting.how) : Tier::kAlias; }
};

struct Answer {
  std::array<uint64_t, kTierCount> tiers{};
  uint64_t row_count = 0;
  std::vector<Match> rows;  // the page
};

/// True when all that the question reads is folded, and so little that it can run at once.
bool is_small(const Pin& pin, const Question& question);

/// Of each text whether some node has it in the tier `exact`, as its uid or under one of the names.
/// @return as `resolve_entities`
Status known_names(const Pin& pin, const std::vector<PropNumber>& names, std::span<const std::string> texts,
                   StepCounter& steps, std::vector<uint8_t>& known);
/// True when that can run at once.
bool is_small(const Pin& pin, const std::vector<PropNumber>& names, std::span<const std::string> texts);

/// @return kCost or kCancelled when `steps` said so; never fails otherwise
Status resolve_entities(const Pin& pin, const Question& question, PageSpan page, StepCounter& steps, Answer& answer);

}  // namespace palimpsest::entities
