// Typed property columns of version rows: one column per (name, kind); a key with ints and strings has two.
// A row's shape says which columns hold a value for it; values stand in small chunks, so rare properties stay small.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/chunked.h"
#include "core/base/sparse_column.h"
#include "core/store/column_view.h"

namespace palimpsest {

using PropNumber = uint32_t;   // a property name
using ShapeNumber = uint32_t;  // a set of columns; 0 is the empty one

/// One value: `bits` is an int64, the bits of a double, 0 or 1, or the number of a text.
struct PropValue {
  PropNumber name;
  PropKind kind;
  uint64_t bits;
};

struct PropColumnKey {
  PropNumber name;
  PropKind kind;
  auto operator<=>(const PropColumnKey&) const = default;
};

class Properties {
 public:
  Properties();
  ~Properties();

  // --- read: any thread ---
  ShapeNumber shape(Row row) const { return shape_.get(row); }
  ColumnView<ShapeNumber> shapes() const { return ColumnView<ShapeNumber>(shape_); }
  bool has_any(Row row) const { return shape(row) != 0; }
  /// The columns of a shape, sorted by (name, kind); at most one column per name.
  std::span<const uint32_t> columns(ShapeNumber shape) const;
  PropColumnKey key(uint32_t column) const { return columns_.get(column)->key; }
  uint64_t bits(uint32_t column, Row row) const { return columns_.get(column)->values.get(row); }
  /// The value of `name` in a row: false when it has none.
  bool find(Row row, PropNumber name, PropValue& out) const;
  /// All values of a row, by property number.
  void collect(Row row, std::vector<PropValue>& out) const;

  // --- writer only ---
  /// Sets all values of a new row; `values` sorted by name, one per name.
  void set(Row row, std::span<const PropValue> values);
  uint64_t bytes() const;

 private:
  struct Column {
    explicit Column(PropColumnKey k) : key(k) {}
    PropColumnKey key;
    SparseColumn<uint64_t> values;
  };
  struct Shape {
    uint32_t count;
    uint32_t columns[1];
  };
  uint32_t column_for(PropColumnKey key);
  ShapeNumber shape_for(const std::vector<uint32_t>& columns);

  ChunkedColumn<ShapeNumber> shape_;
  ChunkedColumn<Column*> columns_;
  ChunkedColumn<Shape*> shapes_;
  std::map<PropColumnKey, uint32_t> column_numbers_;
  std::map<std::vector<uint32_t>, ShapeNumber> shape_numbers_;
};

}  // namespace palimpsest
