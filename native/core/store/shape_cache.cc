#include "core/store/shape_cache.h"

namespace palimpsest {

namespace {
constexpr size_t kKeptAnswers = 64;
constexpr uint64_t kKeptUses = uint64_t{1} << 20;  // stores of few shapes have a handful in each answer
}  // namespace

std::shared_ptr<const ShapeCache::Found> ShapeCache::find(const Question& question, Tx tx) {
  const std::lock_guard lock(mutex_);
  auto best = kept_.end();
  for (auto entry = kept_.begin(); entry != kept_.end(); ++entry) {
    if (entry->found->tx > tx || !(entry->question == question)) continue;
    if (best == kept_.end() || entry->found->tx > best->found->tx) best = entry;
  }
  if (best == kept_.end()) return nullptr;
  Entry entry = std::move(*best);
  kept_.erase(best);
  kept_.push_front(std::move(entry));
  return kept_.front().found;
}

void ShapeCache::keep(const Question& question, std::shared_ptr<const Found> found) {
  if (found->uses.size() > kKeptUses) return;
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : kept_) {
    if (entry.found->tx == found->tx && entry.question == question) return;
  }
  use_count_ += found->uses.size();
  kept_.push_front({question, std::move(found)});
  while (kept_.size() > kKeptAnswers || use_count_ > kKeptUses) {
    use_count_ -= kept_.back().found->uses.size();
    kept_.pop_back();
  }
}

uint64_t ShapeCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return use_count_ * sizeof(Use) + kept_.size() * sizeof(Entry);
}

}  // namespace palimpsest
