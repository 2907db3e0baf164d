#include "core/kernels/aggregate/sweep.h"

namespace palimpsest::aggregate {

Status too_many_groups() { return {Code::kLimit, "the events fall into more than 1,000,000 groups"}; }

Sweep::Sweep(const Pin& pin, const Filter& filter, const Question& question, const PairSet* reciprocal)
    : feed_(pin, filter, question, reciprocal),
      dimensions_(make_dimensions(pin, question)),
      groups_(ranges_of(dimensions_)),
      entry_groups_(kMostEntries),
      entry_minors_(kMostEntries) {
  const MeasureNeeds needs{pin, feed_, logs_, groups_.minor_range(), groups_.has_monotone()};
  for (const Agg& agg : question.aggs) measures_.push_back(make_measure(agg, needs));
  name_columns(question);
  code_storage_.assign(ranges_of(dimensions_).size(), std::vector<uint32_t>(kMostEntries));
  for (size_t column = 0; column < code_storage_.size(); ++column) codes_.codes[column] = code_storage_[column].data();
  if (dimensions_.empty()) groups_.add_only_group();
}

std::vector<std::unique_ptr<Dimension>> Sweep::make_dimensions(const Pin& pin, const Question& question) {
  std::vector<std::unique_ptr<Dimension>> dimensions;
  for (const Dim& dim : question.dims) dimensions.push_back(make_dimension(pin, dim));
  return dimensions;
}

std::vector<CodeRange> Sweep::ranges_of(const std::vector<std::unique_ptr<Dimension>>& dimensions) {
  std::vector<CodeRange> ranges;
  for (const auto& dimension : dimensions) {
    for (const CodeRange range : dimension->ranges()) ranges.push_back(range);
  }
  return ranges;
}

void Sweep::name_columns(const Question& question) {
  uint32_t code = 0;
  for (size_t i = 0; i < dimensions_.size(); ++i) {
    const Dimension* dimension = dimensions_[i].get();
    for (uint32_t c = 0; c < columns_of(question.dims[i]); ++c) origins_.push_back({dimension, nullptr, code, c});
    code += static_cast<uint32_t>(dimension->ranges().size());
  }
  for (size_t i = 0; i < measures_.size(); ++i) {
    for (uint32_t c = 0; c < columns_of(question.aggs[i]); ++c) origins_.push_back({nullptr, measures_[i].get(), 0, c});
  }
}

Status Sweep::run(const EventSource& events, ValidWindow window, StepCounter& steps, HeldBytes& held) {
  Status status;
  const bool is_done = events.each_block(window, steps, [&](const EventSlice& block) {
    status = add_block(block, held);
    return status.is_ok();
  });
  if (!is_done) return status.is_ok() ? steps.status() : status;
  if (status = logs_.group(steps, held, group_count()); !status.is_ok()) return status;
  for (const auto& measure : measures_) {
    if (status = measure->finish(steps, group_count()); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status Sweep::add_block(const EventSlice& block, HeldBytes& held) {
  Batch batch = feed_.read(block);
  if (batch.count == 0) return Status::ok();
  read_codes(batch);
  if (!groups_.assign(codes_, batch.count, entry_groups_.data(), entry_minors_.data())) return too_many_groups();
  batch.group = entry_groups_.data();
  batch.minor = entry_minors_.data();
  logs_.add(batch);
  for (const auto& measure : measures_) measure->add(batch, group_count());
  return hold(held) ? Status::ok() : held.status();
}

bool Sweep::hold(HeldBytes& held) {
  uint64_t bytes = groups_.bytes() + logs_.bytes();
  for (const auto& measure : measures_) bytes += measure->bytes();
  if (bytes <= held_bytes_) return true;
  const uint64_t more = bytes - held_bytes_;
  held_bytes_ = bytes;
  return held.hold(more);
}

void Sweep::read_codes(const Batch& batch) {
  codes_.is_constant.fill(false);
  size_t column = 0;
  for (const auto& dimension : dimensions_) {
    const size_t count = dimension->ranges().size();
    dimension->read(
        batch, {codes_.codes[column], count == 2 ? codes_.codes[column + 1] : nullptr, &codes_.is_constant[column]});
    column += count;
  }
}

Cell Sweep::cell(uint32_t group, uint32_t column) const {
  const ColumnOrigin& origin = origins_[column];
  if (origin.dimension == nullptr) return origin.measure->cell(group, origin.column);
  return origin.dimension->cell(groups_.key(group).data() + origin.first_code, origin.column);
}

}  // namespace palimpsest::aggregate
