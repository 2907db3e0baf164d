#include "core/store/core_store.h"

#include <algorithm>

#include "core/store/derived_cache.h"
#include "core/store/event_cache.h"
#include "core/store/name_cache.h"
#include "core/store/shape_cache.h"

namespace palimpsest {

namespace {
// Joining this many rows takes under a millisecond, so it may happen where the batch is sealed.
constexpr uint64_t kInlineMergeRows = 32'768;
// Larger batches are sealed off the JavaScript thread, where there is time to sort; smaller ones leave it to
// `maintain`.
constexpr Row kLargeBatchRows = 4'096;
}  // namespace

CoreStore::CoreStore()
    : garbage_(std::make_unique<Garbage>()),
      tables_(std::make_shared<Tables>(*garbage_)),
      stage_(std::make_unique<Stage>(*tables_)) {
  auto view = std::make_shared<StoreView>();
  view->tables = tables_;
  newest_sealed_ = view;
  published_ = std::move(view);
}

CoreStore::~CoreStore() {
  // Views may outlive the store, and a reader of one may be looking at what was replaced last.
  newest_sealed_->garbage.take(*garbage_);
}

std::shared_ptr<const StoreView> CoreStore::view() const {
  std::lock_guard lock(mutex_);
  return published_;
}

std::shared_ptr<const StoreView> CoreStore::staged_view() const {
  std::lock_guard lock(mutex_);
  return sealed_.empty() ? published_ : sealed_.back();
}

uint64_t CoreStore::bytes() const {
  std::shared_ptr<const Tables> tables;
  {
    std::lock_guard lock(mutex_);
    tables = tables_;
  }
  return bytes_.load(std::memory_order_relaxed) + tables->event_cache().bytes() + tables->derived_cache().bytes() +
         tables->name_cache().bytes() + tables->shape_cache().bytes();
}

Micros CoreStore::clock_floor() const {
  std::lock_guard lock(mutex_);
  return clock_floor_;
}

void CoreStore::raise_clock_floor(Micros instant) {
  std::lock_guard lock(mutex_);
  clock_floor_ = std::max(clock_floor_, instant);
}

Tx CoreStore::announced_tx() const {
  std::lock_guard lock(mutex_);
  return std::max(announced_tx_, staged_tx());
}

Micros CoreStore::announced_time() const {
  std::lock_guard lock(mutex_);
  return announced_time_;
}

bool CoreStore::announce_commit(Micros tx_time) {
  std::lock_guard lock(mutex_);
  if (tx_time <= clock_floor_) return false;
  announced_tx_ = staged_tx() + 1;
  announced_time_ = tx_time;
  return true;
}

uint64_t CoreStore::add_listener(std::function<void(Tx)> listener) {
  std::lock_guard lock(mutex_);
  listeners_.emplace(++last_listener_, std::move(listener));
  return last_listener_;
}

void CoreStore::remove_listener(uint64_t number) {
  std::lock_guard lock(mutex_);
  listeners_.erase(number);
}

bool CoreStore::try_acquire_writer(const void* owner) {
  std::lock_guard lock(mutex_);
  if (writer_ != nullptr) return writer_ == owner;
  writer_ = owner;
  return true;
}

void CoreStore::release_writer(const void* owner) {
  {
    std::lock_guard lock(mutex_);
    if (writer_ != owner) return;
  }
  stage_->abort();
  if (has_sealed()) poison();
  std::lock_guard lock(mutex_);
  announced_tx_ = 0;
  writer_ = nullptr;
  set_writer_handle(false);
}

/// A view of what is in the tables as commit `tx`.
void CoreStore::add_sealed(Tx tx, TimeRuns runs) {
  auto view = std::make_shared<StoreView>();
  view->tables = tables_;
  view->tx = tx;
  view->edge_rows = tables_->edge_versions.row_count();
  view->node_rows = tables_->node_versions.row_count();
  view->erasure_count = tables_->erasure_count;
  view->edge_count = tables_->edges.count();
  view->node_count = tables_->uids.count();
  view->label_set_count = tables_->label_set_count;
  view->event_toggle_count = tables_->event_toggles.count();
  view->runs = std::move(runs);
  newest_sealed_->garbage.take(*garbage_);
  newest_sealed_->next = view;
  newest_sealed_ = view;
  std::shared_ptr<const StoreView> replaced = std::move(view);
  std::lock_guard lock(mutex_);
  // A copy of the commit that is published already takes its place at once.
  if (tx == published_->tx) {
    published_.swap(replaced);
  } else {
    sealed_.push_back(std::move(replaced));
  }
}

Tx CoreStore::seal(Micros tx_time) {
  const Tx tx = staged_tx() + 1;
  const VersionTable& edges = tables_->edge_versions;
  const Row first = edges.row_count();
  stage_->seal(tx, tx_time);
  if (edges.row_count() - first >= kLargeBatchRows) tables_->edge_ends.extend(edges, edges.row_count());
  TimeRuns runs = newest_sealed_->runs.extended(edges, edges.row_count());
  if (runs.runs.size() != newest_sealed_->runs.runs.size()) runs = runs.compacted(edges, kInlineMergeRows);
  bytes_.store(tables_->bytes(), std::memory_order_relaxed);
  // Before the view can be published: who hears of a commit must not find that it has no number yet.
  staged_tx_.store(tx, std::memory_order_release);
  add_sealed(tx, std::move(runs));
  return tx;
}

bool CoreStore::has_sealed() const {
  std::lock_guard lock(mutex_);
  return !sealed_.empty();
}

void CoreStore::publish(std::span<const uint8_t, 32> chain) {
  // Declared before the lock: what the old view held is freed after it.
  std::shared_ptr<const StoreView> view;
  std::lock_guard lock(mutex_);
  const Tx tx = sealed_.front()->tx;
  std::copy(chain.begin(), chain.end(), tables_->chains.slot(tx)->begin());
  // A joined copy of the same commit (see maintain) is published with it.
  for (; !sealed_.empty() && sealed_.front()->tx == tx; sealed_.pop_front()) view = std::move(sealed_.front());
  published_.swap(view);
  for (const auto& [number, listener] : listeners_) listener(tx);
}

void CoreStore::adopt(CoreStore& other) {
  stage_->abort();
  other.stage_->abort();
  std::scoped_lock lock(mutex_, other.mutex_);
  garbage_.swap(other.garbage_);
  tables_.swap(other.tables_);
  stage_.swap(other.stage_);
  newest_sealed_.swap(other.newest_sealed_);
  sealed_.swap(other.sealed_);
  published_.swap(other.published_);
  const Tx tx = other.staged_tx();
  other.staged_tx_.store(staged_tx(), std::memory_order_release);
  staged_tx_.store(tx, std::memory_order_release);
  const uint64_t bytes = other.bytes_.load(std::memory_order_relaxed);
  other.bytes_.store(bytes_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  bytes_.store(bytes, std::memory_order_relaxed);
  for (const auto& [number, listener] : listeners_) listener(published_->tx);
}

bool CoreStore::needs_maintenance() const {
  return newest_sealed_->runs.joinable_rows() > 0 || tables_->edge_ends.is_behind(tables_->edge_versions.row_count());
}

void CoreStore::maintain() {
  tables_->edge_ends.extend(tables_->edge_versions, tables_->edge_versions.row_count());
  // Runs are immutable, and the view that gets the joined ones is a sealed copy of the newest with the same tx.
  add_sealed(newest_sealed_->tx, newest_sealed_->runs.compacted(tables_->edge_versions, UINT64_MAX));
}

}  // namespace palimpsest
