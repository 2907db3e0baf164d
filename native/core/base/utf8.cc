#include "core/base/utf8.h"

#include <cstring>

namespace palimpsest {

bool is_valid_utf8(std::string_view text) {
  const auto* p = reinterpret_cast<const uint8_t*>(text.data());
  const uint8_t* const end = p + text.size();
  const auto is_tail = [](uint8_t byte) { return (byte & 0xC0) == 0x80; };
  while (p < end) {
    if (end - p >= 8) {
      uint64_t word;
      std::memcpy(&word, p, 8);
      if ((word & 0x8080808080808080ULL) == 0) {
        p += 8;
        continue;
      }
    }
    const uint8_t lead = *p;
    if (lead < 0x80) {
      ++p;
      continue;
    }
    const int length = lead >= 0xC2 && lead <= 0xDF   ? 2
                       : (lead & 0xF0) == 0xE0        ? 3
                       : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                      : 0;
    if (length == 0 || end - p < length) return false;
    for (int i = 1; i < length; ++i) {
      if (!is_tail(p[i])) return false;
    }
    if (lead == 0xE0 && p[1] < 0xA0) return false;
    if (lead == 0xED && p[1] > 0x9F) return false;
    if (lead == 0xF0 && p[1] < 0x90) return false;
    if (lead == 0xF4 && p[1] > 0x8F) return false;
    p += length;
  }
  return true;
}

}  // namespace palimpsest
