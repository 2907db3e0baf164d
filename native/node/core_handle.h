// A core store for JavaScript. One per (device, inode) in the process; handles of any env attach to it.
// Thin: TypeScript validates, queues and logs; here sizes and types are checked again.
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <vector>

#include "core/store/core_store.h"
#include "core/store/erase_filter.h"
#include "node/writer_lease.h"

namespace palimpsest::node {

class CoreHandle : public Napi::ObjectWrap<CoreHandle> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit CoreHandle(const Napi::CallbackInfo& info);
  ~CoreHandle() override;

 private:
  CoreStore& core(Napi::Env env) const;
  /// The store for staging: by the handle that has the right to, and only while none of its work runs on the pool.
  CoreStore& staging(Napi::Env env) const;
  /// What was posted for it and not yet called finds it gone.
  void drop_listener();
  void detach();

  // --- core_handle.cc: who holds the store, what is published, and what it says of itself ---

  Napi::Value close(const Napi::CallbackInfo& info);
  /// acquireWriter(): true when this handle may stage from now on.
  Napi::Value acquire_writer(const Napi::CallbackInfo& info);
  /// announceWriter(): this handle, which may stage, is a writer and no follower.
  Napi::Value announce_writer(const Napi::CallbackInfo& info);
  Napi::Value has_writer_handle(const Napi::CallbackInfo& info);
  Napi::Value release_writer(const Napi::CallbackInfo& info);
  /// publish(chain): makes the oldest sealed commit visible and tells every subscriber.
  Napi::Value publish(const Napi::CallbackInfo& info);
  /// raiseClockFloor(us): later commits take later times.
  Napi::Value raise_clock_floor(const Napi::CallbackInfo& info);
  /// announceCommit(us): settles the time of the next commit; false when it is not above the floor.
  Napi::Value announce_commit(const Napi::CallbackInfo& info);
  Napi::Value poison(const Napi::CallbackInfo& info);
  Napi::Value maintain(const Napi::CallbackInfo& info);
  /// view(tx | null): the newest published view, read as of commit `tx`.
  Napi::Value view(const Napi::CallbackInfo& info);
  /// stagedView(tx | null): the newest sealed view, of commits that may not be published yet.
  Napi::Value staged_view(const Napi::CallbackInfo& info);
  static Napi::Value view_of(const Napi::CallbackInfo& info, std::shared_ptr<const StoreView> newest);
  /// subscribe(callback | null): called with the newest published tx after each publication, by whichever env.
  Napi::Value subscribe(const Napi::CallbackInfo& info);
  Napi::Value needs_maintenance(const Napi::CallbackInfo& info);
  Napi::Value staged_tx(const Napi::CallbackInfo& info);
  Napi::Value published_tx(const Napi::CallbackInfo& info);
  Napi::Value clock_floor(const Napi::CallbackInfo& info);
  Napi::Value announced_tx(const Napi::CallbackInfo& info);
  Napi::Value announced_time(const Napi::CallbackInfo& info);
  Napi::Value bytes(const Napi::CallbackInfo& info);
  Napi::Value is_poisoned(const Napi::CallbackInfo& info);

  // --- core_handle_staging.cc: batches, from checking to sealing ---

  /// stageOps(buffer, firstOperation): nothing, or a promise when the buffer is large. Throws E_NOT_FOUND and E_LIMIT
  /// with the operation's position; the caller then aborts.
  Napi::Value stage_ops(const Napi::CallbackInfo& info);
  /// replayOps(buffer, firstOperation): positions of operations that found nothing to correct or retract, which is no
  /// error here; or a promise of them.
  Napi::Value replay_ops(const Napi::CallbackInfo& info);
  /// checkEvents(columns): a promise; E_SCHEMA, E_INVALID_ARG and E_PERIOD_ORDER carry the row.
  Napi::Value check_events(const Napi::CallbackInfo& info);
  /// stageEvents(header, columns): applies checked columns and gives their blocks for the log as {bytes, ends}.
  Napi::Value stage_events(const Napi::CallbackInfo& info);
  /// stageBlocks(header, blocks): the same operation from the log, on replay. E_LOG_CORRUPT when a block is not one.
  Napi::Value stage_blocks(const Napi::CallbackInfo& info);
  /// seal(txTime): the commit's number, or a promise of it when the batch is large.
  Napi::Value seal(const Napi::CallbackInfo& info);
  Napi::Value abort(const Napi::CallbackInfo& info);

  // --- core_handle_erasing.cc: a core of its own takes in the log without one identity ---

  /// stageErasure(firstTx, spentKeys): the operation that erased an identity, on replay.
  Napi::Value stage_erasure(const Napi::CallbackInfo& info);
  /// adopt(core): goes on with what another core of the same store holds, which may be closed then.
  Napi::Value adopt(const Napi::CallbackInfo& info);
  EraseFilter& filter(Napi::Env env) const;
  /// filterOut(names): what is staged from now on is looked through for this identity.
  Napi::Value filter_out(const Napi::CallbackInfo& info);
  /// numberErased(names): {edgeNumbers, uids} that an assertion of the identity used up; a null uid is the identity's.
  Napi::Value number_erased(const Napi::CallbackInfo& info);
  /// nameUid(uid): something that stays names it.
  Napi::Value name_uid(const Napi::CallbackInfo& info);
  Napi::Value is_named_uid(const Napi::CallbackInfo& info);
  /// stageFiltered(header, blocks): a bulk operation without the rows of the identity. What became of each block.
  Napi::Value stage_filtered(const Napi::CallbackInfo& info);
  /// withoutUnnamed(block, firstNode): the block without the new uids that nothing names; null when it has none.
  Napi::Value without_unnamed(const Napi::CallbackInfo& info);
  /// spentKeys(): see EraseFilter.
  Napi::Value spent_keys(const Napi::CallbackInfo& info);
  /// stageErased(edgeNumbers, nodeUids): the numbers that an erased operation used up; a uid that others still name
  /// keeps its number, null stands for one that is gone.
  Napi::Value stage_erased(const Napi::CallbackInfo& info);

  static constexpr napi_type_tag kTypeTag = {0x5e0f4a1cb7d23986, 0x83c6d94e1f70a52b};

  std::shared_ptr<CoreStore> core_;
  std::shared_ptr<EraseFilter> filter_;
  std::shared_ptr<WriterLease> lease_;  // counts this handle and its work on the pool; touched on this thread only
  uint64_t listener_ = 0;
  std::shared_ptr<Napi::FunctionReference> callback_;
};

}  // namespace palimpsest::node
