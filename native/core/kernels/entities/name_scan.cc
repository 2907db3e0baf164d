#include "core/kernels/entities/name_scan.h"

#include <cstring>

namespace palimpsest::entities::name_scan_detail {

size_t find_text(std::string_view bytes, std::string_view text, size_t from) {
  if (text.size() == 1) {
    const size_t found = bytes.find(text[0], from);
    return found == std::string_view::npos ? bytes.size() : found;
  }
  const size_t end = bytes.size();
  const auto is_here = [&](size_t at) { return std::memcmp(bytes.data() + at, text.data(), text.size()) == 0; };
  size_t at = from;
  // Most blocks do not hold the first two bytes side by side, and are passed over by whole vectors.
  while (at + kBlock + text.size() <= end) {
    if (has_pair(bytes.data() + at, text[0], text[1])) {
      for (size_t i = at; i < at + kBlock; ++i) {
        if (bytes[i] == text[0] && is_here(i)) return i;
      }
    }
    at += kBlock;
  }
  for (; at + text.size() <= end; ++at) {
    if (is_here(at)) return at;
  }
  return end;
}

}  // namespace palimpsest::entities::name_scan_detail
