#include "core/kernels/rows/json_value.h"

#include <bit>

#include "core/kernels/rows/json_text.h"

namespace palimpsest {

void append_json_value(PropKind kind, uint64_t bits, const Tables& tables, std::string& out) {
  switch (kind) {
    case PropKind::kInt64:
      return append_json_int(static_cast<int64_t>(bits), out);
    case PropKind::kDouble:
      return append_json_double(std::bit_cast<double>(bits), out);
    case PropKind::kBool:
      out.append(bits != 0 ? "true" : "false");
      return;
    case PropKind::kString:
      return append_json_string(tables.texts.get(static_cast<TextNumber>(bits)), out);
    case PropKind::kJson:
      out.append(tables.texts.get(static_cast<TextNumber>(bits)));
  }
}

}  // namespace palimpsest
