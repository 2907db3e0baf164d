// Work of one env on the engine's pool: promises, stop tokens, errors, and an orderly end when the env goes away.
// Knows nothing of stores or kernels.
#pragma once

#include <napi.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "core/base/status.h"
#include "core/base/stop.h"

namespace palimpsest::node {

enum class RunMode { kInline, kPool };

/// What one env owns: its constructors, its running work, and the way back to its thread.
class Runtime {
 public:
  explicit Runtime(Napi::Env env);
  ~Runtime();
  static Runtime& of(Napi::Env env) { return *env.GetInstanceData<Runtime>(); }

  struct Job {
    Job(Napi::Env env, std::shared_ptr<StopToken> token) : deferred(env), stop(std::move(token)) {}
    Napi::Promise::Deferred deferred;
    std::shared_ptr<StopToken> stop;
    std::function<Status(StopToken&)> work;
    std::function<Napi::Value(Napi::Env)> finish;
    Napi::ObjectReference keep;
    Status status;
  };
  void start(std::unique_ptr<Job> job);
  /// Runs `call` on this env's thread some time later; nothing happens when the env is gone. Any thread.
  void post(std::function<void(Napi::Env)> call);

  Napi::FunctionReference core_class;
  Napi::FunctionReference view_class;
  Napi::FunctionReference stop_class;

 private:
  void finished(Job* job);
  void drain(Napi::Env env);
  static void settle(Napi::Env env, Job& job);
  void close();
  void wake();

  napi_env env_;
  napi_threadsafe_function to_env_ = nullptr;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::unordered_set<Job*> running_;
  std::vector<std::unique_ptr<Job>> done_;
  std::vector<std::function<void(Napi::Env)>> posted_;
  size_t unsettled_ = 0;  // JavaScript thread only: keeps the process alive while above 0
  bool is_closed_ = false;
};

/// Work on an env's thread that Node called for: nothing may unwind through Node, also not while the env is terminated.
void in_env(Napi::Env env, const std::function<void()>& work);

/// An Error with `code` (E_…), `position` (operation or row, where there is one) and the text of the status.
Napi::Error error_of(Napi::Env env, const Status& status);
inline void check(Napi::Env env, const Status& status) {
  if (!status.is_ok()) throw error_of(env, status);
}

/// Inline: runs at once and gives `finish`'s value, or throws. Pool: gives a promise of the same. `keep` stays
/// referenced until the end. Whatever `work` throws becomes E_LIMIT (memory) or E_INTERNAL.
Napi::Value run_kernel(Napi::Env env, RunMode mode, std::shared_ptr<StopToken> stop,
                       std::function<Status(StopToken&)> work, std::function<Napi::Value(Napi::Env)> finish,
                       Napi::Value keep = {});

/// The token behind a JavaScript stop handle; a fresh one that never stops for null and undefined.
std::shared_ptr<StopToken> stop_of(const Napi::Value& handle);

/// Sets `exports.createStop(deadlineMs | null, stepCeiling | null, memoryBytes | null)`: an object with `cancel()` and
/// `countedSteps`; `exports.preferThreads(count)` and `exports.cpuLevel()`.
void register_async(Napi::Env env, Napi::Object exports);

}  // namespace palimpsest::node
