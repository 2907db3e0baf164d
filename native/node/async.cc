#include "node/async.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <system_error>

#include "core/base/pool.h"
#include "core/loops/loops.h"
#include "node/values.h"

namespace palimpsest::node {

namespace {

const char* code_text(Code code) {
  switch (code) {
    case Code::kOk:
      break;
    case Code::kSchema:
      return "E_SCHEMA";
    case Code::kInvalidArg:
      return "E_INVALID_ARG";
    case Code::kPeriodOrder:
      return "E_PERIOD_ORDER";
    case Code::kNotFound:
      return "E_NOT_FOUND";
    case Code::kLimit:
      return "E_LIMIT";
    case Code::kState:
      return "E_STATE";
    case Code::kCancelled:
      return "E_CANCELLED";
    case Code::kCost:
      return "E_COST";
    case Code::kIo:
      return "E_IO";
    case Code::kLogCorrupt:
      return "E_LOG_CORRUPT";
    case Code::kFormat:
      return "E_FORMAT";
    case Code::kInternal:
      break;
  }
  return "E_INTERNAL";
}

Status guarded(const std::function<Status(StopToken&)>& work, StopToken& stop) {
  try {
    return work(stop);
  } catch (const std::bad_alloc&) {
    return Status(Code::kLimit, "the process is out of memory");
  } catch (const std::exception& error) {
    return Status(Code::kInternal, error.what());
  }
}

constexpr napi_type_tag kStopTag = {0x5c1f83e64ab970d2, 0x8e07b95d23f1c64a};

// At or above these there is no limit: Infinity is one of them, and they are what a conversion can hold.
constexpr double kEndlessMs = 1e12;
constexpr double kEndless = 1e18;
constexpr uint32_t kMostThreads = 64;

class StopHandle : public Napi::ObjectWrap<StopHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(
        env, "Stop",
        {InstanceMethod<&StopHandle::cancel>("cancel"), InstanceAccessor<&StopHandle::counted_steps>("countedSteps")});
  }
  explicit StopHandle(const Napi::CallbackInfo& info) : ObjectWrap(info), token_(std::make_shared<StopToken>()) {
    info.This().As<Napi::Object>().TypeTag(&kStopTag);
    if (info[0].IsNumber()) {
      const double ms = info[0].As<Napi::Number>().DoubleValue();
      if (std::isnan(ms)) throw error_of(info.Env(), Status(Code::kInternal, "a deadline is a number of milliseconds"));
      if (ms < kEndlessMs) {
        const auto from_now = std::chrono::duration<double, std::milli>(std::max(0.0, ms));
        token_->set_deadline(StopToken::Clock::now() +
                             std::chrono::duration_cast<StopToken::Clock::duration>(from_now));
      }
    }
    if (info[1].IsNumber()) {
      const double steps = info[1].As<Napi::Number>().DoubleValue();
      if (std::isnan(steps)) throw error_of(info.Env(), Status(Code::kInternal, "a ceiling is a number of steps"));
      if (steps < kEndless) token_->set_step_ceiling(static_cast<uint64_t>(std::max(0.0, steps)));
    }
    if (info[2].IsNumber()) {
      const double bytes = info[2].As<Napi::Number>().DoubleValue();
      if (std::isnan(bytes)) throw error_of(info.Env(), Status(Code::kInternal, "a ceiling is a number of bytes"));
      if (bytes < kEndless) token_->set_memory_ceiling(static_cast<uint64_t>(std::max(0.0, bytes)));
    }
  }
  std::shared_ptr<StopToken> token() const { return token_; }

 private:
  Napi::Value cancel(const Napi::CallbackInfo& info) {
    token_->cancel();
    return info.Env().Undefined();
  }
  Napi::Value counted_steps(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), static_cast<double>(token_->counted_steps()));
  }
  std::shared_ptr<StopToken> token_;
};

}  // namespace

Runtime::Runtime(Napi::Env env) : env_(env) {
  const auto call_js = [](napi_env raw, napi_value, void* context, void*) {
    if (raw == nullptr) return;
    Napi::HandleScope scope(raw);
    static_cast<Runtime*>(context)->drain(raw);
  };
  const napi_status status = napi_create_threadsafe_function(
      env, nullptr, nullptr, Napi::String::New(env, "palimpsest"), 0, 1, nullptr, nullptr, this, call_js, &to_env_);
  if (status != napi_ok) throw Napi::Error::New(env, "cannot make a threadsafe function");
  napi_unref_threadsafe_function(env, to_env_);
  napi_add_env_cleanup_hook(
      env, [](void* self) { static_cast<Runtime*>(self)->close(); }, this);
}

Runtime::~Runtime() = default;

void Runtime::close() {
  std::unique_lock lock(mutex_);
  is_closed_ = true;
  for (Job* job : running_) job->stop->cancel();
  idle_.wait(lock, [this] { return running_.empty(); });
  // Nobody awaits these any more; their references belong to this env and die here, on its thread.
  Napi::HandleScope scope(env_);
  done_.clear();
  posted_.clear();
  napi_release_threadsafe_function(to_env_, napi_tsfn_abort);
}

void Runtime::start(std::unique_ptr<Job> job) {
  if (unsettled_++ == 0) napi_ref_threadsafe_function(env_, to_env_);
  Job* raw = job.release();
  {
    std::lock_guard lock(mutex_);
    running_.insert(raw);
  }
  try {
    Pool::shared().submit([this, raw] {
      raw->status = guarded(raw->work, *raw->stop);
      finished(raw);
    });
  } catch (const std::system_error&) {
    raw->status = Status(Code::kLimit, "the system gives no thread to work on");
    finished(raw);
  }
}

void Runtime::finished(Job* job) {
  std::lock_guard lock(mutex_);
  done_.emplace_back(job);
  running_.erase(job);
  if (is_closed_) {
    idle_.notify_all();
    return;
  }
  wake();
}

void Runtime::post(std::function<void(Napi::Env)> call) {
  std::lock_guard lock(mutex_);
  if (is_closed_) return;
  posted_.push_back(std::move(call));
  wake();
}

void Runtime::wake() { napi_call_threadsafe_function(to_env_, nullptr, napi_tsfn_nonblocking); }

void Runtime::drain(Napi::Env env) {
  std::vector<std::unique_ptr<Job>> done;
  std::vector<std::function<void(Napi::Env)>> posted;
  {
    std::lock_guard lock(mutex_);
    done.swap(done_);
    posted.swap(posted_);
  }
  for (auto& job : done) {
    in_env(env, [&] { settle(env, *job); });
    job.reset();  // with what it holds, before anyone is called
    if (--unsettled_ == 0) napi_unref_threadsafe_function(env_, to_env_);
  }
  for (auto& call : posted) {
    in_env(env, [&] {
      try {
        call(env);
      } catch (const Napi::Error& error) {
        // What a listener throws is its owner's uncaught exception.
        napi_fatal_exception(env, error.Value());
      }
    });
  }
}

void Runtime::settle(Napi::Env env, Job& job) {
  try {
    if (job.status.is_ok()) {
      job.deferred.Resolve(job.finish(env));
    } else {
      job.deferred.Reject(error_of(env, job.status).Value());
    }
  } catch (const Napi::Error& error) {
    job.deferred.Reject(error.Value());
  } catch (const std::bad_alloc&) {
    job.deferred.Reject(error_of(env, Status(Code::kLimit, "the process is out of memory")).Value());
  }
}

void in_env(Napi::Env env, const std::function<void()>& work) {
  Napi::HandleScope scope(env);
  try {
    work();
  } catch (const Napi::Error&) {
    // The env is being terminated and runs no JavaScript any more: nobody awaits this.
  }
}

Napi::Error error_of(Napi::Env env, const Status& status) {
  Napi::Error error = Napi::Error::New(env, status.message());
  error.Set("code", Napi::String::New(env, code_text(status.code())));
  if (status.position() >= 0) error.Set("position", Napi::Number::New(env, static_cast<double>(status.position())));
  return error;
}

Napi::Value run_kernel(Napi::Env env, RunMode mode, std::shared_ptr<StopToken> stop,
                       std::function<Status(StopToken&)> work, std::function<Napi::Value(Napi::Env)> finish,
                       Napi::Value keep) {
  if (mode == RunMode::kInline) {
    check(env, guarded(work, *stop));
    return finish(env);
  }
  auto job = std::make_unique<Runtime::Job>(env, std::move(stop));
  job->work = std::move(work);
  job->finish = std::move(finish);
  if (!keep.IsEmpty() && keep.IsObject()) job->keep = Napi::Persistent(keep.As<Napi::Object>());
  Napi::Promise promise = job->deferred.Promise();
  Runtime::of(env).start(std::move(job));
  return promise;
}

std::shared_ptr<StopToken> stop_of(const Napi::Value& handle) {
  if (handle.IsNull() || handle.IsUndefined()) return std::make_shared<StopToken>();
  if (!handle.IsObject() || !handle.As<Napi::Object>().CheckTypeTag(&kStopTag)) {
    throw error_of(handle.Env(), Status(Code::kInternal, "a stop token is expected"));
  }
  return StopHandle::Unwrap(handle.As<Napi::Object>())->token();
}

void register_async(Napi::Env env, Napi::Object exports) {
  Runtime& runtime = Runtime::of(env);
  runtime.stop_class = Napi::Persistent(StopHandle::define(env));
  exports.Set("cpuLevel", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                return Napi::String::New(info.Env(), loops().level);
              }));
  exports.Set("preferThreads", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                Pool::prefer_threads(number_arg(info[0], kMostThreads));
              }));
  exports.Set("createStop", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                return Runtime::of(info.Env()).stop_class.New({info[0], info[1], info[2]});
              }));
}

}  // namespace palimpsest::node
