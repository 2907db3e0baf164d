#include "core/kernels/entities/matching.h"

#include <algorithm>

#include "core/text/code_points.h"

namespace palimpsest::entities {

uint32_t EditDistance::measure(const std::vector<char32_t>& a, std::string_view text, uint32_t limit) {
  letters_.clear();
  for (size_t position = 0; position < text.size();) letters_.push_back(next_code_point(text, position));
  const size_t width = letters_.size();
  if (width > a.size() + limit || a.size() > width + limit) return limit + 1;
  auto* current = &rows_[0];
  auto* before = &rows_[1];
  auto* earlier = &rows_[2];
  for (auto* row : {current, before, earlier}) row->assign(width + 1, limit + 1);
  for (size_t j = 0; j <= std::min<size_t>(width, limit); ++j) (*before)[j] = static_cast<uint32_t>(j);
  uint32_t least_before = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    // What lies farther from the diagonal than the limit is above it.
    const size_t first = i > limit ? i - limit : 1;
    const size_t last = std::min(width, i + limit);
    // Of the rows' rests, only what stands beside the diagonal's band is ever read.
    uint32_t least = first == 1 ? static_cast<uint32_t>(std::min<size_t>(i, limit + 1)) : limit + 1;
    (*current)[first - 1] = least;
    if (last < width) (*current)[last + 1] = limit + 1;
    for (size_t j = first; j <= last; ++j) {
      uint32_t steps = (*before)[j - 1] + (a[i - 1] == letters_[j - 1] ? 0u : 1u);
      steps = std::min({steps, (*before)[j] + 1, (*current)[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == letters_[j - 2] && a[i - 2] == letters_[j - 1]) {
        steps = std::min(steps, (*earlier)[j - 2] + 1);
      }
      (*current)[j] = steps;
      least = std::min(least, steps);
    }
    // A swap reaches back over one row.
    if (least > limit && least_before > limit) return limit + 1;
    least_before = least;
    std::swap(earlier, before);
    std::swap(before, current);
  }
  return std::min((*before)[width], limit + 1);
}

Needle::Needle(std::string form, uint32_t max_distance) : text_(std::move(form)), max_distance_(max_distance) {
  for (size_t position = 0; position < text_.size();) letters_.push_back(next_code_point(text_, position));
}

std::optional<Meeting> Needle::meet(std::string_view text, EditDistance& edits) const {
  const size_t found = text.find(text_);
  if (found == 0) return Meeting{text.size() == text_.size() ? How::kExact : How::kPrefix, 0};
  if (found != std::string_view::npos) return Meeting{How::kSubstring, 0};
  if (max_distance_ == 0 || !has_near_length(count_code_points(text))) return std::nullopt;
  const uint32_t distance = edits.measure(letters_, text, max_distance_);
  if (distance > max_distance_) return std::nullopt;
  return Meeting{How::kFuzzy, static_cast<uint8_t>(distance)};
}

}  // namespace palimpsest::entities
