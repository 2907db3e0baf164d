// Folding and normalization by known answers, what must not change among them.
#include "core/text/folding.h"

#include <string>

#include "core/text/code_points.h"
#include "test/check.h"

using namespace palimpsest;

namespace {

std::string normalized(std::string_view text) {
  std::string out;
  append_normalized(text, out);
  return out;
}
std::string folded(std::string_view text) {
  std::string out;
  append_folded(text, out);
  return out;
}

void folds_in_full() {
  CHECK(folded("Straße") == "strasse");
  CHECK(folded("ΌΣΟΣ") == "όσοσ");  // a final sigma as any other
  CHECK(folded("İ") == "i\u0307");
  CHECK(folded("ıI") == "ıi");
  CHECK(folded("Ꭰꭰ") == "ᎠᎠ");  // Cherokee folds to its capitals
  CHECK(folded("𐐀ﬃΐ") == "𐐨ffiι\u0308\u0301");
  CHECK(folded("가 漢字 😀 z") == "가 漢字 😀 z");
}

void normalizes() {
  CHECK(normalized("plain") == "plain" && is_plainly_normalized("plain é ß") && !is_plainly_normalized("e\u0301"));
  CHECK(normalized("e\u0301") == "é");
  CHECK(normalized("s\u0307\u0323") == "ṩ" && normalized("s\u0323\u0307") == "ṩ");
  CHECK(normalized("\u212B") == "Å" && normalized("\u2126") == "Ω");
  CHECK(normalized("\u1100\u1161\u11A8") == "각" && normalized("가\u11A8") == "각");
  CHECK(normalized("각\u11A8") == "각\u11A8");      // one tail a syllable
  CHECK(normalized("क़") == "क\u093C");              // excluded from composition
  CHECK(normalized("\u0301e\u0301") == "\u0301é");  // a mark with nothing before it
  CHECK(normalized("a\u0327\u0301") == "á\u0327");  // the cedilla does not block the accent
  CHECK(normalized("a\u0301\u0301") == "á\u0301");  // an accent blocks another
  CHECK(normalized("か\u3099") == "が");
}

/// Letters between those of the tables keep their bytes, and every code point survives the way through UTF-8.
void leaves_the_rest_alone() {
  uint32_t changed = 0;
  for (char32_t code = 1; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string letter;
    append_code_point(code, letter);
    size_t position = 0;
    CHECK(next_code_point(letter, position) == code && position == letter.size());
    changed += folded(letter) != letter ? 1 : 0;
    if (code < 0x300) CHECK(normalized(letter) == letter);
  }
  CHECK(changed == 1585);  // C and F of CaseFolding 17.0
}

}  // namespace

int main() {
  folds_in_full();
  normalizes();
  leaves_the_rest_alone();
  return 0;
}
