#include "core/store/properties.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace palimpsest {

Properties::Properties() : shape_(0), columns_(nullptr), shapes_(nullptr) { shape_for({}); }

Properties::~Properties() {
  for (uint32_t column = 0; column < column_numbers_.size(); ++column) delete columns_.get(column);
  for (ShapeNumber shape = 0; shape < shape_numbers_.size(); ++shape) std::free(shapes_.get(shape));
}

std::span<const uint32_t> Properties::columns(ShapeNumber shape) const {
  const Shape* entry = shapes_.get(shape);
  return {entry->columns, entry->count};
}

bool Properties::find(Row row, PropNumber name, PropValue& out) const {
  for (const uint32_t column : columns(shape(row))) {
    const Column* entry = columns_.get(column);
    if (entry->key.name != name) continue;
    out = {name, entry->key.kind, entry->values.get(row)};
    return true;
  }
  return false;
}

void Properties::collect(Row row, std::vector<PropValue>& out) const {
  for (const uint32_t column : columns(shape(row))) {
    const Column* entry = columns_.get(column);
    out.push_back({entry->key.name, entry->key.kind, entry->values.get(row)});
  }
}

void Properties::set(Row row, std::span<const PropValue> values) {
  if (values.empty()) return;
  std::vector<uint32_t> columns;
  columns.reserve(values.size());
  for (const PropValue& value : values) {
    const uint32_t column = column_for({value.name, value.kind});
    columns_.get(column)->values.set(row, value.bits);
    columns.push_back(column);
  }
  shape_.set(row, shape_for(columns));
}

uint32_t Properties::column_for(PropColumnKey key) {
  const auto [entry, is_new] = column_numbers_.try_emplace(key, static_cast<uint32_t>(column_numbers_.size()));
  if (is_new) columns_.set(entry->second, new Column(key));
  return entry->second;
}

ShapeNumber Properties::shape_for(const std::vector<uint32_t>& columns) {
  const auto [entry, is_new] = shape_numbers_.try_emplace(columns, static_cast<ShapeNumber>(shape_numbers_.size()));
  if (is_new) {
    auto* shape = static_cast<Shape*>(std::malloc(sizeof(Shape) + columns.size() * sizeof(uint32_t)));
    if (shape == nullptr) throw std::bad_alloc();
    shape->count = static_cast<uint32_t>(columns.size());
    std::copy(columns.begin(), columns.end(), shape->columns);
    shapes_.set(entry->second, shape);
  }
  return entry->second;
}

uint64_t Properties::bytes() const {
  uint64_t total = shape_.bytes() + columns_.bytes() + shapes_.bytes();
  for (uint32_t column = 0; column < column_numbers_.size(); ++column) total += columns_.get(column)->values.bytes();
  return total;
}

}  // namespace palimpsest
