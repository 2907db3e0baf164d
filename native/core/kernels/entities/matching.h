// How one text meets a query (docs/contract.md O12): equal, beginning, part, or at most so many edits away.
// Works on forms that are ready to compare; knows no nodes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest::entities {

enum class How : uint8_t { kExact = 0, kPrefix, kSubstring, kFuzzy };

struct Meeting {
  How how;
  uint8_t distance;
  bool operator==(const Meeting&) const = default;
};

/// Optimal string alignment: insert, delete, replace, swap neighbours, no part edited twice.
class EditDistance {
 public:
  /// The distance of two texts, `limit` + 1 as soon as it is above the limit.
  uint32_t measure(const std::vector<char32_t>& a, std::string_view text, uint32_t limit);

 private:
  std::vector<char32_t> letters_;
  std::vector<uint32_t> rows_[3];  // of this letter of a, the one before, and the one before that
};

/// A query in one form.
class Needle {
 public:
  Needle(std::string form, uint32_t max_distance);

  std::string_view text() const { return text_; }
  uint32_t max_distance() const { return max_distance_; }
  /// In code points.
  size_t length() const { return letters_.size(); }
  /// Whether a text of so many code points can be near enough.
  bool has_near_length(size_t length) const {
    return length <= letters_.size() + max_distance_ && letters_.size() <= length + max_distance_;
  }
  /// The strongest way in which the text meets the query.
  std::optional<Meeting> meet(std::string_view text, EditDistance& edits) const;
  bool is_near(std::string_view text, EditDistance& edits) const {
    return edits.measure(letters_, text, max_distance_) <= max_distance_;
  }

 private:
  std::string text_;
  std::vector<char32_t> letters_;
  uint32_t max_distance_;
};

}  // namespace palimpsest::entities
