// Status and Result<T>: how the core reports what went wrong. Nothing in the core throws, prints or aborts.
// Codes follow the error codes of the public contract; texts are for people, no code reads them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace palimpsest {

enum class Code : uint8_t {
  kOk = 0,
  kSchema,
  kInvalidArg,
  kPeriodOrder,
  kNotFound,
  kLimit,
  kState,
  kCancelled,
  kCost,
  kIo,
  kLogCorrupt,
  kFormat,
  kInternal,
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  /// `position` is the operation, row or byte that is at fault; -1 where there is none.
  Status(Code code, std::string message, int64_t position = -1)
      : code_(code), position_(position), message_(std::move(message)) {}
  static Status ok() { return {}; }

  bool is_ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  int64_t position() const { return position_; }
  const std::string& message() const { return message_; }

 private:
  Code code_ = Code::kOk;
  int64_t position_ = -1;
  std::string message_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}         // NOLINT: implicit on purpose
  Result(Status status) : state_(std::move(status)) {}  // NOLINT: implicit on purpose
  bool is_ok() const { return std::holds_alternative<T>(state_); }
  const Status& status() const {
    static const Status kOk;
    return is_ok() ? kOk : std::get<Status>(state_);
  }
  T& value() { return std::get<T>(state_); }
  const T& value() const { return std::get<T>(state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace palimpsest
