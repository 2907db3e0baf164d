#include "core/store/name_segments.h"

#include <bit>

#include "core/text/code_points.h"
#include "core/text/folding.h"

namespace palimpsest {

namespace {
constexpr size_t kSegmentBytes = 1 << 20;
constexpr size_t kCopiedBytes = 1 << 16;
constexpr size_t kEntryBytes = 5 * sizeof(uint32_t);  // start, length, next, and up to two buckets
}  // namespace

void NameSegment::add(NodeNumber node, std::string_view text) {
  if (is_plainly_normalized(text)) {
    append_folded(text, bytes);
  } else {
    std::string normalized;
    append_normalized(text, normalized);
    append_folded(normalized, bytes);
  }
  bytes.push_back(kEnd);
  lengths.push_back(static_cast<uint32_t>(count_code_points(std::string_view(bytes).substr(starts.back())) - 1));
  starts.push_back(static_cast<uint32_t>(bytes.size()));
  nodes.push_back(node);
}

void NameSegment::index() {
  firsts_.assign(std::bit_ceil(count()), 0);
  nexts_.resize(count());
  for (size_t entry = count(); entry-- > 0;) {
    uint32_t& first = firsts_[bucket_of(text(entry))];
    nexts_[entry] = first;
    first = static_cast<uint32_t>(entry + 1);
  }
}

void NameSegments::close_last() {
  last_.index();
  bytes_ += last_.bytes.size() + last_.count() * (kEntryBytes + sizeof(NodeNumber));
  closed_.push_back(std::make_shared<NameSegment>(std::move(last_)));
  last_ = NameSegment();
}

void NameSegments::add(NodeNumber node, std::string_view text) {
  last_.add(node, text);
  if (last_.bytes.size() >= kSegmentBytes) close_last();
}

std::shared_ptr<const NameList> NameSegments::publish() {
  if (last_.bytes.size() > kCopiedBytes) close_last();
  auto list = std::make_shared<NameList>(closed_);
  if (last_.count() > 0) {
    const auto copy = std::make_shared<NameSegment>(last_);
    copy->index();
    list->push_back(copy);
  }
  return list;
}

}  // namespace palimpsest
