#include "core/kernels/aggregate/value_log.h"

#include <algorithm>

#include "core/kernels/filter/exact_number.h"

namespace palimpsest::aggregate {

void ValueLog::add(const Batch& batch) {
  if (of_ == Of::kDst || of_ == Of::kOther) {
    return add_nodes(batch, of_ == Of::kDst ? batch.dst : batch.other);
  }
  const ValueColumn& values = batch.values[source_];
  for (uint32_t i = 0; i < batch.count; ++i) {
    const uint8_t kind = values.kinds[i];
    if (!is_number(static_cast<PropKind>(kind))) continue;
    if (kinds_.empty() && kind != 0) kinds_.assign(bits_.size(), 0);
    if (kind != 0 || !kinds_.empty()) kinds_.push_back(kind);
    groups_.push_back(batch.group[i]);
    bits_.push_back(values.bits[i]);
  }
}

void ValueLog::add_nodes(const Batch& batch, const NodeNumber* nodes) {
  groups_.insert(groups_.end(), batch.group, batch.group + batch.count);
  bits_.insert(bits_.end(), nodes, nodes + batch.count);
}

Status ValueLog::group(StepCounter& steps, HeldBytes& held, uint32_t groups) {
  starts_.assign(size_t{groups} + 2, 0);
  for (const uint32_t group : groups_) ++starts_[group + 2];
  for (size_t group = 2; group < starts_.size(); ++group) starts_[group] += starts_[group - 1];
  // A second copy for a while, which stands where the first one did afterwards.
  if (!held.hold(bits_.size() * sizeof(uint64_t) + kinds_.size())) return held.status();
  // starts_[group + 1] moves from the group's first value to behind its last one.
  std::vector<uint64_t> bits(bits_.size());
  std::vector<uint8_t> kinds(kinds_.size());
  for (size_t i = 0; i < groups_.size(); ++i) {
    const uint64_t to = starts_[groups_[i] + 1]++;
    bits[to] = bits_[i];
    if (!kinds.empty()) kinds[to] = kinds_[i];
    if (!steps.add(1)) return steps.status();
  }
  bits_ = std::move(bits);
  kinds_ = std::move(kinds);
  groups_ = {};
  if (of_ != Of::kDuration && of_ != Of::kProp) return Status::ok();
  for (uint32_t group = 0; group < groups; ++group) {
    if (!steps.add(count(group))) return steps.status();
    sort_group(starts_[group], starts_[group + 1]);
  }
  return Status::ok();
}

void ValueLog::sort_group(uint64_t from, uint64_t to) {
  if (kinds_.empty()) {
    std::sort(bits_.begin() + static_cast<ptrdiff_t>(from), bits_.begin() + static_cast<ptrdiff_t>(to),
              [](uint64_t a, uint64_t b) { return static_cast<int64_t>(a) < static_cast<int64_t>(b); });
    return;
  }
  struct Stored {
    uint64_t bits;
    PropKind kind;
  };
  std::vector<Stored> values;
  values.reserve(to - from);
  for (uint64_t i = from; i < to; ++i) values.push_back({bits_[i], static_cast<PropKind>(kinds_[i])});
  // Stable: an int64 and a double of one value stay in event order.
  std::stable_sort(values.begin(), values.end(), [](const Stored& a, const Stored& b) {
    return ExactNumber::of_bits(a.kind, a.bits) < ExactNumber::of_bits(b.kind, b.bits);
  });
  for (uint64_t i = from; i < to; ++i) {
    bits_[i] = values[i - from].bits;
    kinds_[i] = static_cast<uint8_t>(values[i - from].kind);
  }
}

ValueLog& LogBook::log(Of of, uint32_t source) {
  for (const auto& log : logs_) {
    if (log->is_of(of, source)) return *log;
  }
  logs_.push_back(std::make_unique<ValueLog>(of, source));
  return *logs_.back();
}

void LogBook::add(const Batch& batch) {
  for (const auto& log : logs_) log->add(batch);
}

uint64_t LogBook::bytes() const {
  uint64_t sum = 0;
  for (const auto& log : logs_) sum += log->bytes();
  return sum;
}

Status LogBook::group(StepCounter& steps, HeldBytes& held, uint32_t groups) {
  for (const auto& log : logs_) {
    if (Status status = log->group(steps, held, groups); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace palimpsest::aggregate
