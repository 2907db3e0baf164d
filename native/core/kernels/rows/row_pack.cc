#include "core/kernels/rows/row_pack.h"

#include "core/kernels/rows/instant_text.h"

namespace palimpsest {

int32_t RowPack::utf16_length(std::string_view text) {
  unsigned char any = 0;
  for (const char sign : text) any = static_cast<unsigned char>(any | static_cast<unsigned char>(sign));
  if (any < 0x80) return static_cast<int32_t>(text.size());
  is_ascii_ = false;
  int32_t units = 0;
  for (const char sign : text) {
    const auto byte = static_cast<unsigned char>(sign);
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

void RowPack::add_instant(Micros instant) {
  char text[kInstantBytes];
  const char* end = write_instant(instant, text);
  add_ascii({text, static_cast<size_t>(end - text)});
}

void RowPack::add_duration(Micros duration) {
  const size_t before = text_.size();
  append_duration(duration, text_);
  cells_.push_back(static_cast<int32_t>(text_.size() - before));
}

}  // namespace palimpsest
