// Writes op buffers (store/op_buffer.h) for the core's tests, as TypeScript writes them for the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/types.h"
#include "core/store/op_buffer.h"

namespace palimpsest::test {

/// One property; `kind` may be kRemoveProp in a patch.
struct Prop {
  std::string name;
  uint8_t kind;
  int64_t number = 0;
  std::string text;
};

/// One operation. Node kinds use `names[0]`, edge kinds all four: src, type, dst, key.
struct Op {
  OpKind kind;
  std::vector<std::string> names;
  Micros from = 0;
  Micros to = kOpenEnd;
  std::optional<std::string> source;
  std::optional<std::string> reason;
  std::vector<std::string> labels;
  std::vector<std::string> labels_removed;
  std::vector<Prop> props;
};

inline bool is_node_op(OpKind kind) {
  return kind == OpKind::kAssertNode || kind == OpKind::kRetractNode || kind == OpKind::kReplaceNode ||
         kind == OpKind::kPatchNode;
}

class OpWriter {
 public:
  void add(const Op& op) {
    ++count_;
    raw(static_cast<uint8_t>(op.kind));
    for (const std::string& name : op.names) text(name);
    raw(op.from);
    raw(op.to);
    text_or_null(op.source);
    text_or_null({});
    text_or_null(op.reason);
    if (op.kind == OpKind::kRetractNode || op.kind == OpKind::kRetractEdge) return;
    if (is_node_op(op.kind)) texts(op.labels);
    if (op.kind == OpKind::kPatchNode) texts(op.labels_removed);
    raw(static_cast<uint32_t>(op.props.size()));
    for (const Prop& prop : op.props) value(prop);
  }
  std::vector<uint8_t> take() {
    std::vector<uint8_t> out(sizeof count_);
    std::memcpy(out.data(), &count_, sizeof count_);
    out.insert(out.end(), bytes_.begin(), bytes_.end());
    bytes_.clear();
    count_ = 0;
    return out;
  }

 private:
  template <typename T>
  void raw(T number) {
    const auto* from = reinterpret_cast<const uint8_t*>(&number);
    bytes_.insert(bytes_.end(), from, from + sizeof number);
  }
  void text(std::string_view value) {
    raw(static_cast<uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void text_or_null(const std::optional<std::string>& value) { value ? text(*value) : raw(0xFFFFFFFFu); }
  void texts(const std::vector<std::string>& values) {
    raw(static_cast<uint32_t>(values.size()));
    for (const std::string& each : values) text(each);
  }
  void value(const Prop& prop) {
    text(prop.name);
    raw(prop.kind);
    if (prop.kind == kRemoveProp) return;
    switch (static_cast<PropKind>(prop.kind)) {
      case PropKind::kInt64:
        return raw(prop.number);
      case PropKind::kDouble:
        return raw(static_cast<double>(prop.number) / 8);
      case PropKind::kBool:
        return raw(static_cast<uint8_t>(prop.number & 1));
      case PropKind::kString:
      case PropKind::kJson:
        return text(prop.text);
    }
  }

  std::vector<uint8_t> bytes_;
  uint32_t count_ = 0;
};

}  // namespace palimpsest::test
