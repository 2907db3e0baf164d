// The file layer for JavaScript: descriptors as numbers, one I/O thread per env, the mapped header of LOCK, CRC-32C.
// Thin: src/log/native-file-layer.ts turns errors into the contract's and holds the paths. Knows nothing of frames.
#include "node/file_glue.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/codec/crc32c.h"
#include "core/files/io_thread.h"
#include "core/files/lock_header.h"
#include "core/files/os_file.h"
#include "node/async.h"
#include "node/values.h"

namespace palimpsest::node {
namespace {

using files::IoThread;
using files::LockHeader;
using files::OsResult;
using files::WritePiece;

/// A job of the I/O thread on its way there and back. `keep` holds the buffers that it reads or fills.
struct IoJob {
  explicit IoJob(Napi::Env env) : deferred(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise::Deferred deferred;
  Napi::ObjectReference keep;
  OsResult result;
  size_t got = 0;
  bool has_count = false;
};

/// What one env owns. Made when the addon loads; freed by the threadsafe function's finalizer, which runs last.
struct FileState {
  IoThread io;
  napi_threadsafe_function wake = nullptr;
  std::mutex mutex;
  std::vector<IoJob*> done;
  size_t pending_count = 0;                  // JavaScript thread only
  std::unordered_set<int> open_descriptors;  // JavaScript thread only
};

Napi::Error error_of(Napi::Env env, const OsResult& result) {
  Napi::Error error = Napi::Error::New(env, std::strerror(result.error));
  error.Set("errno", Napi::Number::New(env, result.error));
  error.Set("syscall", Napi::String::New(env, result.call));
  return error;
}

void check(Napi::Env env, const OsResult& result) {
  if (!result.is_ok()) throw error_of(env, result);
}

FileState& state_of(const Napi::CallbackInfo& info) { return *static_cast<FileState*>(info.Data()); }

/// One of the descriptors that this env opened and has not closed; any other number is EBADF, whoever it belongs to.
int descriptor_arg(const Napi::CallbackInfo& info) {
  const auto descriptor = static_cast<int>(number_arg(info[0], INT32_MAX));
  if (!state_of(info).open_descriptors.contains(descriptor)) throw error_of(info.Env(), OsResult{EBADF, "use"});
  return descriptor;
}

uint64_t offset_arg(const Napi::CallbackInfo& info, size_t index) { return ordinal_arg(info[index]); }

/// Settles what the I/O thread has finished. On the JavaScript thread; `env` is null when it is going away.
void settle_done(napi_env raw_env, napi_value, void* context, void*) {
  if (raw_env == nullptr) return;
  auto& state = *static_cast<FileState*>(context);
  const Napi::Env env(raw_env);
  std::vector<IoJob*> done;
  {
    const std::lock_guard guard(state.mutex);
    done.swap(state.done);
  }
  for (IoJob* job : done) {
    in_env(env, [&] {
      if (!job->result.is_ok()) {
        job->deferred.Reject(error_of(env, job->result).Value());
      } else if (job->has_count) {
        job->deferred.Resolve(Napi::Number::New(env, static_cast<double>(job->got)));
      } else {
        job->deferred.Resolve(env.Undefined());
      }
    });
    delete job;
  }
  state.pending_count -= done.size();
  if (state.pending_count == 0) napi_unref_threadsafe_function(env, state.wake);
}

/// Runs `work` on the I/O thread; the promise settles on the JavaScript thread. An idle env may end meanwhile.
template <typename Work>
Napi::Value submit(const Napi::CallbackInfo& info, IoJob* job, Work work) {
  FileState& state = state_of(info);
  const Napi::Env env = info.Env();
  if (state.pending_count++ == 0) napi_ref_threadsafe_function(env, state.wake);
  const Napi::Promise promise = job->deferred.Promise();
  state.io.submit([&state, job, work = std::move(work)] {
    job->result = work(*job);
    {
      const std::lock_guard guard(state.mutex);
      state.done.push_back(job);
    }
    napi_call_threadsafe_function(state.wake, nullptr, napi_tsfn_nonblocking);
  });
  return promise;
}

Napi::Value open_file(const Napi::CallbackInfo& info) {
  const auto mode =
      static_cast<files::OpenMode>(number_arg(info[1], static_cast<uint32_t>(files::OpenMode::kCreateNew)));
  int descriptor = -1;
  check(info.Env(), files::open_file(text_arg(info[0]), mode, descriptor));
  state_of(info).open_descriptors.insert(descriptor);
  return Napi::Number::New(info.Env(), descriptor);
}

void close_file(const Napi::CallbackInfo& info) {
  const int descriptor = descriptor_arg(info);
  state_of(info).open_descriptors.erase(descriptor);
  files::close_file(descriptor);
}

Napi::Value file_length(const Napi::CallbackInfo& info) {
  uint64_t length = 0;
  check(info.Env(), files::file_length(descriptor_arg(info), length));
  return Napi::Number::New(info.Env(), static_cast<double>(length));
}

Napi::Value file_identity(const Napi::CallbackInfo& info) {
  uint64_t device = 0;
  uint64_t inode = 0;
  check(info.Env(), files::file_identity(descriptor_arg(info), device, inode));
  return Napi::String::New(info.Env(), std::to_string(device) + ":" + std::to_string(inode));
}

Napi::Value read_file(const Napi::CallbackInfo& info) {
  const int descriptor = descriptor_arg(info);
  const std::span<uint8_t> into = writable_bytes_arg(info[1]);
  const uint64_t offset = offset_arg(info, 2);
  auto* job = new IoJob(info.Env());
  job->keep = Napi::Persistent(info[1].As<Napi::Object>());
  job->has_count = true;
  return submit(info, job, [descriptor, into, offset](IoJob& self) {
    return files::read_at(descriptor, into.data(), into.size(), offset, self.got);
  });
}

Napi::Value write_file(const Napi::CallbackInfo& info) {
  const int descriptor = descriptor_arg(info);
  const Napi::Array parts = array_arg(info[1]);
  const uint64_t offset = offset_arg(info, 2);
  const bool with_sync = info[3].ToBoolean().Value();
  std::vector<WritePiece> pieces;
  pieces.reserve(parts.Length());
  for (uint32_t i = 0; i < parts.Length(); ++i) {
    const std::span<const uint8_t> bytes = bytes_arg(parts.Get(i));
    pieces.push_back({bytes.data(), bytes.size()});
  }
  auto* job = new IoJob(info.Env());
  job->keep = Napi::Persistent(parts.As<Napi::Object>());
  return submit(info, job, [descriptor, pieces = std::move(pieces), offset, with_sync](IoJob&) {
    return files::write_pieces(descriptor, pieces, offset, with_sync);
  });
}

Napi::Value sync_file(const Napi::CallbackInfo& info) {
  const int descriptor = descriptor_arg(info);
  return submit(info, new IoJob(info.Env()), [descriptor](IoJob&) { return files::sync_data(descriptor); });
}

Napi::Value sync_folder(const Napi::CallbackInfo& info) {
  const std::string path = text_arg(info[0]);
  return submit(info, new IoJob(info.Env()), [path](IoJob&) { return files::sync_folder(path); });
}

Napi::Value cut_file(const Napi::CallbackInfo& info) {
  const int descriptor = descriptor_arg(info);
  const uint64_t length = offset_arg(info, 1);
  return submit(info, new IoJob(info.Env()), [descriptor, length](IoJob&) { return files::cut(descriptor, length); });
}

void reserve_space(const Napi::CallbackInfo& info) {
  check(info.Env(), files::reserve(descriptor_arg(info), offset_arg(info, 1), offset_arg(info, 2)));
}

Napi::Value lock_file(const Napi::CallbackInfo& info) {
  const auto kind = info[1].ToBoolean().Value() ? files::LockKind::kExclusive : files::LockKind::kShared;
  bool is_held = false;
  check(info.Env(), files::lock(descriptor_arg(info), kind, is_held));
  return Napi::Boolean::New(info.Env(), is_held);
}

void unlock_file(const Napi::CallbackInfo& info) { check(info.Env(), files::unlock(descriptor_arg(info))); }

Napi::Value map_header(const Napi::CallbackInfo& info) {
  auto header = std::make_unique<LockHeader>();
  check(info.Env(), header->map(descriptor_arg(info), info[1].ToBoolean().Value()));
  return Napi::External<LockHeader>::New(info.Env(), header.release(),
                                         [](Napi::Env, LockHeader* self) { delete self; });
}

LockHeader& any_header_arg(const Napi::CallbackInfo& info) {
  if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "a mapped header is expected");
  return *info[0].As<Napi::External<LockHeader>>().Data();
}

LockHeader& header_arg(const Napi::CallbackInfo& info) {
  LockHeader& header = any_header_arg(info);
  if (!header.is_mapped()) throw Napi::Error::New(info.Env(), "the header is no longer mapped");
  return header;
}

Napi::Value read_header(const Napi::CallbackInfo& info) {
  auto bytes = Napi::Uint8Array::New(info.Env(), LockHeader::kBytes);
  header_arg(info).read(bytes.Data());
  return bytes;
}

void set_durable_frame(const Napi::CallbackInfo& info) {
  LockHeader& header = header_arg(info);
  if (!header.is_writable()) throw Napi::Error::New(info.Env(), "the header is mapped for reading");
  header.set_durable_frame(offset_arg(info, 1));
}

void unmap_header(const Napi::CallbackInfo& info) { any_header_arg(info).unmap(); }

Napi::Value checksum(const Napi::CallbackInfo& info) {
  const std::span<const uint8_t> bytes = bytes_arg(info[0]);
  const uint32_t before = info[1].IsUndefined() ? 0 : number_arg(info[1], UINT32_MAX);
  return Napi::Number::New(info.Env(), crc32c(bytes.data(), bytes.size(), before));
}

/// The env goes: every job that was submitted is finished, since its buffers die with the env. Jobs that cannot be
/// settled any more keep their references, which the env frees. What it left open is closed: a worker that was
/// terminated must not hold the lock of a store.
void finish_jobs(void* data) {
  auto& state = *static_cast<FileState*>(data);
  state.io.stop();
  for (const int descriptor : state.open_descriptors) files::close_file(descriptor);
  for (IoJob* job : state.done) job->keep.SuppressDestruct();
}

void free_state(napi_env, void* data, void*) {
  auto* state = static_cast<FileState*>(data);
  for (IoJob* job : state->done) delete job;
  delete state;
}

}  // namespace

void register_files(Napi::Env env, Napi::Object exports) {
  auto* state = new FileState();
  const Napi::String name = Napi::String::New(env, "palimpsest files");
  if (napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, state, free_state, state, settle_done,
                                      &state->wake) != napi_ok) {
    delete state;
    throw Napi::Error::New(env, "cannot make a threadsafe function");
  }
  napi_unref_threadsafe_function(env, state->wake);
  // Hooks run in reverse order: this one stops the thread before the threadsafe function that it calls is closed.
  napi_add_env_cleanup_hook(env, finish_jobs, state);

  const Napi::Object files = Napi::Object::New(env);
  const auto add = [&](const char* function_name, auto function) {
    files.Set(function_name, Napi::Function::New(env, function, function_name, state));
  };
  add("open", open_file);
  add("close", close_file);
  add("length", file_length);
  add("identity", file_identity);
  add("read", read_file);
  add("write", write_file);
  add("sync", sync_file);
  add("syncFolder", sync_folder);
  add("cut", cut_file);
  add("reserve", reserve_space);
  add("lock", lock_file);
  add("unlock", unlock_file);
  add("mapHeader", map_header);
  add("readHeader", read_header);
  add("setDurableFrame", set_durable_frame);
  add("unmapHeader", unmap_header);
  add("crc32c", checksum);
  exports.Set("files", files);
}

}  // namespace palimpsest::node
