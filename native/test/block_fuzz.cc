// Fuzz entry of the block codec: garbage is refused in bounded memory; what is accepted encodes and decodes again.
// With libFuzzer through LLVMFuzzerTestOneInput; alone it mutates blocks of its own: block_fuzz SECONDS [SEED].
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "core/codec/event_block.h"
#include "test/check.h"

using namespace palimpsest;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto block = decode_block({data, size}, kBlockRowLimit);
  if (!block.is_ok()) return 0;
  std::vector<uint8_t> again;
  encode_block(block.value(), again);
  const auto back = decode_block(again, kBlockRowLimit);
  CHECK(back.is_ok());
  CHECK(back.value().src == block.value().src && back.value().valid_to == block.value().valid_to);
  CHECK(back.value().keys == block.value().keys && back.value().new_uids == block.value().new_uids);
  return 0;
}

#ifndef PALIMPSEST_LIBFUZZER
namespace {

std::vector<uint8_t> seed_block(std::mt19937_64& random) {
  EventBlock block;
  block.row_count = 1 + static_cast<uint32_t>(random() % kBlockRowLimit);
  block.new_uids = {"user7", "user9", "user12"};
  block.types = {"SENT", "PAID"};
  block.all_keys_chosen = random() % 2 == 0;
  PropColumn amount;
  amount.name = "amount";
  amount.kind = PropKind::kDouble;
  PropColumn note;
  note.name = "note";
  note.kind = PropKind::kString;
  for (uint32_t row = 0; row < block.row_count; ++row) {
    block.src.push_back(static_cast<uint32_t>(random() % 1000));
    block.dst.push_back(static_cast<uint32_t>(random() % 1000));
    block.type_code.push_back(static_cast<uint16_t>(random() % 2));
    block.valid_from.push_back(static_cast<int64_t>(row) * 1'000'000);
    block.valid_to.push_back(random() % 3 == 0 ? kOpenEnd
                                               : block.valid_from.back() + 1 + static_cast<int64_t>(random() % 9));
    if (!block.all_keys_chosen) {
      block.key_chosen.push_back(static_cast<uint8_t>(row % 2));
      if (row % 2 == 0) block.keys.push_back("#17");
    }
    amount.present.push_back(1);
    amount.doubles.push_back(static_cast<double>(random() % 10'000) / 100);
    note.present.push_back(1);
    note.texts.push_back(random() % 2 ? "open" : "closed for now");
  }
  block.props = {amount, note};
  std::vector<uint8_t> bytes;
  encode_block(block, bytes);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  const auto from = std::chrono::steady_clock::now();
  uint64_t rounds = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count() < seconds) {
    std::vector<uint8_t> bytes = seed_block(random);
    for (int i = 0; i < 200; ++i, ++rounds) {
      std::vector<uint8_t> altered = bytes;
      for (uint64_t change = random() % 4; change > 0; --change) {
        altered[random() % std::min<size_t>(altered.size(), random() % 2 ? 64 : altered.size())] =
            static_cast<uint8_t>(random());
      }
      if (random() % 8 == 0) altered.resize(random() % altered.size() + 1);
      LLVMFuzzerTestOneInput(altered.data(), altered.size());
    }
  }
  std::printf("%llu inputs\n", static_cast<unsigned long long>(rounds));
  return 0;
}
#endif
