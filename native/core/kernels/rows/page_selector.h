// The rows [ordinal, ordinal + limit) of a total order over rows that come in any order, without sorting them all.
// Keeps about twice as many rows as the page's end needs; most rows are refused by one comparison of keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace palimpsest {

struct PageSpan {
  uint64_t ordinal = 0;
  uint64_t limit = 0;
};

/// `Less` is a total order of items that agrees with their keys: a lesser key is a lesser item.
template <typename Item, typename Less>
class PageSelector {
 public:
  PageSelector(PageSpan page, Less less) : page_(page), need_(page.ordinal + page.limit), less_(std::move(less)) {}

  void add(uint64_t key, const Item& item) {
    ++total_;
    const Entry entry{key, item};
    if (is_bounded_ && !is_before(entry, bound_)) return;
    kept_.push_back(entry);
    if (kept_.size() >= 2 * need_ + kSlack) shrink();
  }
  uint64_t total() const { return total_; }
  /// The page, in order. The selector is spent afterwards.
  std::vector<Item> take() {
    shrink();
    std::vector<Item> items;
    if (page_.ordinal >= kept_.size()) return items;
    const auto first = kept_.begin() + static_cast<ptrdiff_t>(page_.ordinal);
    const auto before = [this](const Entry& a, const Entry& b) { return is_before(a, b); };
    std::nth_element(kept_.begin(), first, kept_.end(), before);
    std::sort(first, kept_.end(), before);
    items.reserve(static_cast<size_t>(kept_.end() - first));
    for (auto entry = first; entry != kept_.end(); ++entry) items.push_back(entry->item);
    return items;
  }

 private:
  static constexpr size_t kSlack = 1024;
  struct Entry {
    uint64_t key;
    Item item;
  };

  bool is_before(const Entry& a, const Entry& b) const {
    return a.key != b.key ? a.key < b.key : less_(a.item, b.item);
  }
  void shrink() {
    if (kept_.size() <= need_) return;
    if (need_ == 0) {
      kept_.clear();
      return;
    }
    const auto last = kept_.begin() + static_cast<ptrdiff_t>(need_ - 1);
    std::nth_element(kept_.begin(), last, kept_.end(),
                     [this](const Entry& a, const Entry& b) { return is_before(a, b); });
    bound_ = *last;
    is_bounded_ = true;
    kept_.resize(need_);
  }

  PageSpan page_;
  uint64_t need_;
  Less less_;
  std::vector<Entry> kept_;
  Entry bound_{};
  bool is_bounded_ = false;
  uint64_t total_ = 0;
};

}  // namespace palimpsest
