// The parts that a block is made of: lists of integers, texts and doubles, each in the form that takes the fewest
// bytes. Layout in store/FORMAT.md. Readers accept any bytes: they fail, or give exactly `count` entries.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/codec/bytes.h"

namespace palimpsest {

/// Texts that stand nowhere in the input as such ("numbered" form); views into them live as long as this does.
using TextArena = std::vector<std::shared_ptr<char[]>>;

void write_ints(ByteBuffer& out, std::span<const int64_t> values);
void write_texts(ByteBuffer& out, std::span<const std::string_view> texts);
void write_doubles(ByteBuffer& out, std::span<const double> values);

/// False (and `in` failed) when the bytes are no such section. `count` is at most kIntsLimit.
bool read_ints(ByteReader& in, size_t count, std::vector<int64_t>& values);
bool read_texts(ByteReader& in, size_t count, std::vector<std::string_view>& texts, TextArena& arena);
bool read_doubles(ByteReader& in, size_t count, std::vector<double>& values);

}  // namespace palimpsest
