// EdgeTable against a plain list: explicit keys, chosen keys `#n` and their collisions, rewinding, bounds of look-ups.
#include "core/store/edge_table.h"

#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "test/check.h"

using namespace palimpsest;

namespace {

using Random = std::mt19937_64;
using Identity = std::tuple<NodeNumber, TypeNumber, NodeNumber, std::string>;

/// What docs/contract.md says of keys, by search over a map.
class Model {
 public:
  EdgeNumber find_or_add(const Identity& identity) {
    const auto [entry, is_new] = numbers_.try_emplace(identity, count() + 1);
    if (is_new) edges_.push_back(identity);
    return entry->second;
  }
  EdgeNumber add_with_chosen_key(NodeNumber src, TypeNumber type, NodeNumber dst) {
    for (uint32_t number = count() + 1;; ++number) {
      const Identity identity{src, type, dst, "#" + std::to_string(number)};
      if (!numbers_.contains(identity)) return find_or_add(identity);
    }
  }
  void rewind(uint32_t to) {
    for (; count() > to; edges_.pop_back()) numbers_.erase(edges_.back());
  }
  uint32_t count() const { return static_cast<uint32_t>(edges_.size()); }
  const std::vector<Identity>& edges() const { return edges_; }
  EdgeNumber find(const Identity& identity) const {
    const auto found = numbers_.find(identity);
    return found == numbers_.end() ? 0 : found->second;
  }

 private:
  std::vector<Identity> edges_;
  std::map<Identity, EdgeNumber> numbers_;
};

Identity random_identity(Random& random, uint32_t edge_count) {
  const auto node = [&] { return static_cast<NodeNumber>(random() % 3); };
  std::string key;
  switch (random() % 4) {
    case 0:
      key = "#" + std::to_string(random() % (edge_count + 12));
      break;
    case 1:
      key = std::to_string(random() % 4);
      break;
    case 2:
      key = random() % 2 ? "" : "#0" + std::to_string(random() % 9);
      break;
    default:
      key = "#" + std::to_string(random() % 4 == 0 ? 99'999'999'999 : 4'294'967'296 + random() % 9);
  }
  return {node(), static_cast<TypeNumber>(random() % 2), node(), key};
}

EdgeNumber find(const EdgeTable& table, const Identity& identity, EdgeNumber last) {
  const auto& [src, type, dst, key] = identity;
  return table.find(src, type, dst, key, last);
}

void check_same(const EdgeTable& table, const Model& model, Random& random) {
  CHECK(table.count() == model.count());
  for (EdgeNumber edge = 1; edge <= model.count(); ++edge) {
    const auto& [src, type, dst, key] = model.edges()[edge - 1];
    CHECK(table.src(edge) == src && table.type(edge) == type && table.dst(edge) == dst && table.key(edge) == key);
    CHECK(find(table, model.edges()[edge - 1], model.count()) == edge);
    // A reader of an older view does not see it.
    CHECK(find(table, model.edges()[edge - 1], edge - 1) == 0);
    if (table.has_chosen_key(edge)) CHECK(key == "#" + std::to_string(edge));
  }
  for (int i = 0; i < 50; ++i) {
    const Identity identity = random_identity(random, model.count());
    CHECK(find(table, identity, model.count()) == model.find(identity));
  }
}

void test_against_model(uint64_t seed) {
  Random random(seed);
  Garbage garbage;
  EdgeTable table(garbage);
  Model model;
  for (int round = 0; round < 40; ++round) {
    const EdgeTable::Mark mark = table.mark();
    for (uint64_t i = random() % 60; i > 0; --i) {
      const auto identity = random_identity(random, model.count());
      const auto& [src, type, dst, key] = identity;
      if (random() % 2 == 0) {
        CHECK(table.find_or_add(src, type, dst, key) == model.find_or_add(identity));
      } else {
        CHECK(table.add_with_chosen_key(src, type, dst) == model.add_with_chosen_key(src, type, dst));
      }
    }
    if (random() % 3 == 0) {
      table.rewind(mark);
      model.rewind(mark.edge_count);
    }
    check_same(table, model, random);
  }
}

/// Probe chains stay whole when the newest entries of a grown table are taken out, many times over.
void test_rewind_of_many() {
  Garbage garbage;
  EdgeTable table(garbage);
  for (uint32_t i = 0; i < 5'000; ++i) CHECK(table.find_or_add(i % 70, 0, i % 90, "k" + std::to_string(i)) == i + 1);
  for (int round = 0; round < 5; ++round) {
    const EdgeTable::Mark mark = table.mark();
    for (uint32_t i = 0; i < 20'000; ++i)
      table.find_or_add(i % 71, 1, i % 91, "r" + std::to_string(round * 100'000 + static_cast<int>(i)));
    table.rewind(mark);
    for (uint32_t i = 0; i < 5'000; ++i)
      CHECK(table.find(i % 70, 0, i % 90, "k" + std::to_string(i), table.count()) == i + 1);
    CHECK(table.find(3, 1, 3, "r3", table.count()) == 0);
  }
  CHECK(table.bytes() > 0);
}

void test_erased() {
  Garbage garbage;
  EdgeTable table(garbage);
  CHECK(table.add_with_chosen_key(1, 0, 2) == 1);
  CHECK(table.add_erased() == 2);
  CHECK(table.add_with_chosen_key(1, 0, 2) == 3);
  CHECK(table.find(1, 0, 2, "#2", 3) == 0);
  CHECK(table.find(1, 0, 2, "#3", 3) == 3);
  const EdgeTable::Mark mark = table.mark();
  table.add_erased();
  table.rewind(mark);
  CHECK(table.add_with_chosen_key(4, 0, 4) == 4);
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 30; ++seed) test_against_model(seed);
  test_rewind_of_many();
  test_erased();
  return 0;
}
