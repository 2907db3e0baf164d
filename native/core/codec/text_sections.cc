// Texts as a section: plain, through a dictionary of the different ones, or as a shared prefix and a decimal number.
// Names like "user17" and keys like "#17" are the common case of the third; it then costs what an integer column costs.
#include <charconv>
#include <string>
#include <unordered_map>

#include "core/codec/packed.h"
#include "core/codec/sections.h"

namespace palimpsest {
namespace {

enum class TextForm : uint8_t { kPlain = 0, kDictionary = 1, kNumbered = 2 };  // stored in files: never renumber

constexpr size_t kPrefixLimit = 255;
constexpr size_t kNumberDigits = 19;  // of 2^63 - 1

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number after `prefix_bytes` bytes, if it is written as the decoder would write it.
bool parse_number(std::string_view text, size_t prefix_bytes, int64_t& number) {
  const std::string_view digits = text.substr(prefix_bytes);
  if (digits.empty() || digits.size() > kNumberDigits || (digits.size() > 1 && digits[0] == '0')) return false;
  if (!is_digit(digits[0])) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool write_numbered(ByteBuffer& out, std::span<const std::string_view> texts) {
  std::string_view prefix = texts[0];
  while (!prefix.empty() && is_digit(prefix.back())) prefix.remove_suffix(1);
  if (prefix.size() == texts[0].size() || prefix.size() > kPrefixLimit) return false;
  std::vector<int64_t> numbers(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i].starts_with(prefix) || !parse_number(texts[i], prefix.size(), numbers[i])) return false;
  }
  out.push_back(static_cast<uint8_t>(TextForm::kNumbered));
  out.push_back(static_cast<uint8_t>(prefix.size()));
  put_text(out, prefix);
  write_ints(out, numbers);
  return true;
}

void write_plain(ByteBuffer& out, std::span<const std::string_view> texts) {
  std::vector<int64_t> lengths(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) lengths[i] = static_cast<int64_t>(texts[i].size());
  write_ints(out, lengths);
  for (const std::string_view text : texts) put_text(out, text);
}

/// The dictionary form, if it is smaller than `byte_limit`.
bool write_dictionary(ByteBuffer& out, std::span<const std::string_view> texts, size_t byte_limit) {
  std::unordered_map<std::string_view, int64_t> positions;
  std::vector<std::string_view> different;
  std::vector<int64_t> codes(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto [entry, is_new] = positions.try_emplace(texts[i], static_cast<int64_t>(different.size()));
    if (is_new) different.push_back(texts[i]);
    codes[i] = entry->second;
    // Mostly different: give up before the table costs more than it can save.
    if (i == 127 && different.size() > 96) return false;
  }
  if (different.size() == texts.size()) return false;
  ByteBuffer candidate;
  candidate.push_back(static_cast<uint8_t>(TextForm::kDictionary));
  put_varint(candidate, different.size());
  write_plain(candidate, different);
  write_ints(candidate, codes);
  if (candidate.size() >= byte_limit) return false;
  put_raw(out, candidate.data(), candidate.size());
  return true;
}

bool read_plain(ByteReader& in, size_t count, std::vector<std::string_view>& texts) {
  std::vector<int64_t> lengths;
  if (!read_ints(in, count, lengths)) return false;
  texts.clear();
  texts.reserve(count);
  for (const int64_t length : lengths) {
    if (length < 0) in.fail();
    texts.push_back(in.text(static_cast<size_t>(length)));
    if (!in.is_good()) return false;
  }
  return true;
}

bool read_numbered(ByteReader& in, size_t count, std::vector<std::string_view>& texts, TextArena& arena) {
  const std::string_view prefix = in.text(in.u8());
  std::vector<int64_t> numbers;
  if (!read_ints(in, count, numbers)) return false;
  std::shared_ptr<char[]> block(new char[count * (prefix.size() + kNumberDigits)]);
  char* at = block.get();
  texts.clear();
  texts.reserve(count);
  for (const int64_t number : numbers) {
    if (number < 0) {
      in.fail();
      return false;
    }
    char* const from = at;
    if (!prefix.empty()) std::memcpy(at, prefix.data(), prefix.size());
    at = std::to_chars(at + prefix.size(), at + prefix.size() + kNumberDigits, number).ptr;
    texts.emplace_back(from, static_cast<size_t>(at - from));
  }
  arena.push_back(std::move(block));
  return true;
}

bool read_dictionary(ByteReader& in, size_t count, std::vector<std::string_view>& texts) {
  const uint64_t different_count = in.varint();
  std::vector<std::string_view> different;
  std::vector<int64_t> codes;
  if (different_count < 1 || different_count > count || !read_plain(in, different_count, different) ||
      !read_ints(in, count, codes)) {
    in.fail();
    return false;
  }
  texts.clear();
  texts.reserve(count);
  for (const int64_t code : codes) {
    if (code < 0 || static_cast<uint64_t>(code) >= different_count) {
      in.fail();
      return false;
    }
    texts.push_back(different[static_cast<size_t>(code)]);
  }
  return true;
}

}  // namespace

void write_texts(ByteBuffer& out, std::span<const std::string_view> texts) {
  if (texts.empty()) return;
  const size_t from = out.size();
  if (!write_numbered(out, texts)) {
    out.push_back(static_cast<uint8_t>(TextForm::kPlain));
    write_plain(out, texts);
  }
  ByteBuffer dictionary;
  if (texts.size() > 1 && write_dictionary(dictionary, texts, out.size() - from)) {
    out.resize(from);
    put_raw(out, dictionary.data(), dictionary.size());
  }
}

bool read_texts(ByteReader& in, size_t count, std::vector<std::string_view>& texts, TextArena& arena) {
  texts.clear();
  if (count == 0) return in.is_good();
  switch (static_cast<TextForm>(in.u8())) {
    case TextForm::kPlain:
      return in.is_good() && read_plain(in, count, texts);
    case TextForm::kDictionary:
      return read_dictionary(in, count, texts);
    case TextForm::kNumbered:
      return read_numbered(in, count, texts, arena);
  }
  in.fail();
  return false;
}

}  // namespace palimpsest
