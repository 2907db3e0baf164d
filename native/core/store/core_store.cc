#include "core/store/core_store.h"

#include <algorithm>

namespace palimpsest {

namespace {
// Joining this many rows takes under a millisecond, so it may happen where the batch is sealed.
constexpr uint64_t kInlineMergeRows = 32'768;
}  // namespace

CoreStore::CoreStore() : tables_(std::make_shared<Tables>(garbage_)), stage_(*tables_) {
  auto view = std::make_shared<StoreView>();
  view->tables = tables_;
  newest_sealed_ = view;
  published_ = std::move(view);
}

CoreStore::~CoreStore() {
  // Views may outlive the store, and a reader of one may be looking at what was replaced last.
  newest_sealed_->garbage.take(garbage_);
}

std::shared_ptr<const StoreView> CoreStore::view() const {
  std::lock_guard lock(mutex_);
  return published_;
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
  stage_.abort();
  if (has_sealed()) poison();
  std::lock_guard lock(mutex_);
  writer_ = nullptr;
  set_writer_handle(false);
}

Tx CoreStore::seal(Micros tx_time) {
  const Tx tx = staged_tx() + 1;
  const SealedBatch batch = stage_.seal(tx, tx_time);
  auto view = std::make_shared<StoreView>();
  view->tables = tables_;
  view->tx = tx;
  view->edge_rows = batch.edge_rows;
  view->node_rows = batch.node_rows;
  view->edge_count = tables_->edges.count();
  view->node_count = tables_->uids.count();
  view->label_set_count = tables_->label_set_count;
  view->runs = newest_sealed_->runs.extended(tables_->edge_versions, batch.edge_rows);
  if (view->runs.runs.size() != newest_sealed_->runs.runs.size()) {
    view->runs = view->runs.compacted(tables_->edge_versions, kInlineMergeRows);
  }
  newest_sealed_->garbage.take(garbage_);
  newest_sealed_->next = view;
  newest_sealed_ = view;
  sealed_.push_back(std::move(view));
  staged_tx_.store(tx, std::memory_order_release);
  return tx;
}

void CoreStore::publish(std::span<const uint8_t, 32> chain) {
  std::shared_ptr<const StoreView> view = std::move(sealed_.front());
  sealed_.pop_front();
  std::copy(chain.begin(), chain.end(), tables_->commits.slot(view->tx)->chain.begin());
  // A joined copy of the same commit (see maintain) is published with it.
  while (!sealed_.empty() && sealed_.front()->tx == view->tx) {
    view = std::move(sealed_.front());
    sealed_.pop_front();
  }
  const Tables& t = *tables_;
  bytes_.store(t.uids.bytes() + t.types.bytes() + t.labels.bytes() + t.prop_names.bytes() + t.texts.bytes() +
                   t.edges.bytes() + t.edge_versions.bytes() + t.node_versions.bytes() + t.edge_index.bytes() +
                   t.node_index.bytes() + t.incidence.bytes() + t.known_tx.bytes() + t.commits.bytes(),
               std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  published_.swap(view);
  for (const auto& [number, listener] : listeners_) listener(published_->tx);
}

bool CoreStore::needs_maintenance() const { return newest_sealed_->runs.joinable_rows() > 0; }

void CoreStore::maintain() {
  // Runs are immutable, and the view that gets the joined ones is a sealed copy of the newest with the same tx.
  TimeRuns joined = newest_sealed_->runs.compacted(tables_->edge_versions, UINT64_MAX);
  auto view = std::make_shared<StoreView>();
  view->tables = tables_;
  view->tx = newest_sealed_->tx;
  view->edge_rows = newest_sealed_->edge_rows;
  view->node_rows = newest_sealed_->node_rows;
  view->edge_count = newest_sealed_->edge_count;
  view->node_count = newest_sealed_->node_count;
  view->label_set_count = newest_sealed_->label_set_count;
  view->runs = std::move(joined);
  newest_sealed_->garbage.take(garbage_);
  newest_sealed_->next = view;
  newest_sealed_ = view;
  if (!sealed_.empty()) {
    sealed_.push_back(std::move(view));
    return;
  }
  std::shared_ptr<const StoreView> published = std::move(view);
  std::lock_guard lock(mutex_);
  published_.swap(published);
}

}  // namespace palimpsest
