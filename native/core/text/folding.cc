#include "core/text/folding.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/text/code_points.h"
#include "core/text/unicode_tables.h"

namespace palimpsest {

namespace {

constexpr char32_t kFirstMark = 0x300;  // below it nothing decomposes that is composed, and nothing combines
constexpr uint8_t kFirstMarkLead = 0xCC;

// Hangul syllables by arithmetic (The Unicode Standard, 3.12).
constexpr char32_t kSyllables = 0xAC00;
constexpr char32_t kLeads = 0x1100;
constexpr char32_t kVowels = 0x1161;
constexpr char32_t kTails = 0x11A7;
constexpr char32_t kLeadCount = 19;
constexpr char32_t kVowelCount = 21;
constexpr char32_t kTailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTailCount;

template <typename Entry>
const Entry* find(std::span<const Entry> entries, char32_t code) {
  const auto found = std::lower_bound(entries.begin(), entries.end(), code,
                                      [](const Entry& entry, char32_t value) { return entry.from < value; });
  return found != entries.end() && found->from == code ? &*found : nullptr;
}

uint8_t class_of(char32_t code) {
  if (code < kFirstMark) return 0;
  const std::span<const unicode::ClassRange> ranges(unicode::kClasses, unicode::kClassesCount);
  const auto found = std::lower_bound(ranges.begin(), ranges.end(), code,
                                      [](const auto& range, char32_t value) { return range.to < value; });
  return found != ranges.end() && found->from <= code ? found->number : uint8_t{0};
}

/// The composite of two, 0 where there is none.
char32_t composed(char32_t first, char32_t second) {
  if (first - kLeads < kLeadCount && second - kVowels < kVowelCount) {
    return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTailCount;
  }
  const char32_t syllable = first - kSyllables;
  if (syllable < kSyllableCount && syllable % kTailCount == 0 && second - (kTails + 1) < kTailCount - 1) {
    return first + (second - kTails);
  }
  const std::span<const unicode::Composition> pairs(unicode::kCompositions, unicode::kCompositionsCount);
  const auto found =
      std::lower_bound(pairs.begin(), pairs.end(), std::pair(first, second), [](const auto& pair, const auto& sought) {
        return std::pair<char32_t, char32_t>(pair.first, pair.second) < sought;
      });
  return found != pairs.end() && found->first == first && found->second == second ? found->to : 0;
}

struct Letter {
  char32_t code;
  uint8_t combining;
};

void add_decomposed(char32_t code, std::vector<Letter>& out) {
  const auto add = [&](char32_t part) { out.push_back({part, class_of(part)}); };
  if (const char32_t syllable = code - kSyllables; syllable < kSyllableCount) {
    add(kLeads + syllable / (kVowelCount * kTailCount));
    add(kVowels + syllable / kTailCount % kVowelCount);
    if (const char32_t tail = syllable % kTailCount; tail != 0) add(kTails + tail);
    return;
  }
  const auto* parts = find(std::span(unicode::kDecompositions, unicode::kDecompositionsCount), code);
  if (parts == nullptr) {
    add(code);
    return;
  }
  for (const uint32_t part : parts->to) {
    if (part != 0) add(part);
  }
}

/// Marks that follow a starter, by their class.
void order(std::vector<Letter>& letters) {
  for (size_t i = 0; i < letters.size();) {
    if (letters[i].combining == 0) {
      ++i;
      continue;
    }
    const auto from = letters.begin() + static_cast<ptrdiff_t>(i);
    const auto to = std::find_if(from, letters.end(), [](const Letter& letter) { return letter.combining == 0; });
    std::stable_sort(from, to, [](const Letter& a, const Letter& b) { return a.combining < b.combining; });
    i = static_cast<size_t>(to - letters.begin());
  }
}

/// Joins each letter with the starter before it where nothing stands between that blocks it; gives the new length.
size_t compose(std::vector<Letter>& letters) {
  size_t kept = 0;
  size_t starter = SIZE_MAX;
  for (const Letter letter : letters) {
    if (starter != SIZE_MAX) {
      const bool is_beside = kept == starter + 1;
      // Behind other marks only one of a higher class reaches the starter.
      const bool is_free = is_beside || letters[kept - 1].combining < letter.combining;
      const char32_t joined = is_free ? composed(letters[starter].code, letter.code) : 0;
      if (joined != 0) {
        letters[starter].code = joined;
        continue;
      }
    }
    if (letter.combining == 0) starter = kept;
    letters[kept++] = letter;
  }
  return kept;
}

}  // namespace

bool is_plainly_normalized(std::string_view text) {
  // One loop without an early end, so that it is vectorized; U+0300 begins with the byte 0xCC.
  uint8_t has_mark = 0;
  for (const char sign : text)
    has_mark = static_cast<uint8_t>(has_mark | (static_cast<uint8_t>(sign) >= kFirstMarkLead));
  return has_mark == 0;
}

void append_normalized(std::string_view text, std::string& out) {
  if (is_plainly_normalized(text)) {
    out.append(text);
    return;
  }
  std::vector<Letter> letters;
  letters.reserve(text.size());
  for (size_t position = 0; position < text.size();) add_decomposed(next_code_point(text, position), letters);
  order(letters);
  const size_t kept = compose(letters);
  for (size_t i = 0; i < kept; ++i) append_code_point(letters[i].code, out);
}

void append_folded(std::string_view text, std::string& out) {
  for (size_t position = 0; position < text.size();) {
    const auto byte = static_cast<uint8_t>(text[position]);
    if (byte < 0x80) {
      out.push_back(static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte));
      ++position;
      continue;
    }
    const char32_t code = next_code_point(text, position);
    const auto* folding = find(std::span(unicode::kFoldings, unicode::kFoldingsCount), code);
    if (folding == nullptr) {
      append_code_point(code, out);
      continue;
    }
    for (const uint32_t part : folding->to) {
      if (part != 0) append_code_point(part, out);
    }
  }
}

}  // namespace palimpsest
