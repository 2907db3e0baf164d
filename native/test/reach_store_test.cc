// Temporal reachability over stores of many thousand rows: the search over lists and time order, with its changes of
// way, against labels from single steps, at the newest pin and at past ones. A failure prints its seed.
#include <cinttypes>
#include <map>
#include <random>
#include <string>

#include "check.h"
#include "core/kernels/reach/labels.h"
#include "core/kernels/reach/reach.h"
#include "core/kernels/reach/steps.h"
#include "core/kernels/reach/sweep.h"
#include "core/store/core_store.h"
#include "core/store/event_columns.h"
#include "op_buffer_writer.h"

using namespace palimpsest;
using namespace palimpsest::reach;

namespace {

class RandomStore {
 public:
  explicit RandomStore(uint64_t seed) : random_(seed) {
    CHECK(store_.try_acquire_writer(this));
    node_count_ = 50 + below(1500);
    span_ = 100 + below(20'000);
    life_ = below(2) == 0 ? 1 : 1 + below(span_ / 10);
    for (uint32_t batch = 1 + below(4); batch > 0; --batch) load(2'000 + below(12'000));
    if (below(2) == 0) change(1 + below(200));
  }
  ~RandomStore() { store_.release_writer(this); }

  std::shared_ptr<const StoreView> view() const { return store_.view(); }
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  Micros any_instant() { return below(span_); }
  std::string any_uid() {
    // Some nodes are far busier than others.
    const uint32_t bound = 1 + below(node_count_);
    return "n" + std::to_string(below(bound));
  }

 private:
  void load(uint32_t rows) {
    std::vector<std::string> src, dst;
    std::vector<int64_t> from, to;
    const bool is_in_order = below(2) == 0;
    for (uint32_t i = 0; i < rows; ++i) from.push_back(is_in_order ? i * int64_t{span_} / rows : any_instant());
    for (uint32_t i = 0; i < rows; ++i) {
      src.push_back(any_uid());
      dst.push_back(any_uid());
      to.push_back(below(500) == 0 ? kOpenEnd : from[i] + 1 + below(life_));
    }
    const auto column = [rows](const std::vector<std::string>& texts, std::string& all,
                               std::vector<uint32_t>& text_ends) {
      for (const auto& text : texts) {
        all += text;
        text_ends.push_back(static_cast<uint32_t>(all.size()));
      }
      return TextColumn{all.data(), all.size(), text_ends.data(), nullptr, nullptr, rows};
    };
    std::string src_bytes, dst_bytes, type_bytes;
    std::vector<uint32_t> src_ends, dst_ends, type_ends;
    std::vector<std::string> types;
    for (uint32_t i = 0; i < rows; ++i) types.push_back(below(3) == 0 ? "S" : "R");
    EventColumns columns;
    columns.row_count = rows;
    columns.src = column(src, src_bytes, src_ends);
    columns.dst = column(dst, dst_bytes, dst_ends);
    columns.type = column(types, type_bytes, type_ends);
    columns.time = from.data();
    columns.valid_to = to.data();
    CHECK(check_events(columns).is_ok());
    EventsHeader header;
    CHECK(store_.stage().begin_events(header).is_ok());
    EventCutter cutter(columns, store_.tables().uids);
    while (const EventBlock* block = cutter.next()) CHECK(store_.stage().add_block(*block).is_ok());
    CHECK(store_.stage().end_events().is_ok());
    commit();
  }

  void change(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const Micros from = any_instant();
      test::OpWriter writer;
      writer.add(
          {OpKind::kAssertEdge, {any_uid(), "R", any_uid(), "k"}, from, from + 1 + below(span_), {}, {}, {}, {}, {}});
      const auto bytes = writer.take();
      CHECK(store_.stage().apply(bytes, 0).is_ok());
      if (below(20) == 0) commit();
    }
    if (!store_.stage().is_empty()) commit();
  }

  void commit() {
    store_.seal(++now_);
    const uint8_t chain[32] = {};
    store_.publish(chain);
  }

  CoreStore store_;
  std::mt19937_64 random_;
  uint32_t node_count_;
  uint32_t span_;
  uint32_t life_;
  Micros now_ = 1'600'000'000'000'000;
};

std::map<NodeNumber, Clock> by_node(const std::vector<FoundNode>& reached) {
  std::map<NodeNumber, Clock> arrivals;
  for (const FoundNode& row : reached) CHECK(arrivals.emplace(row.node, row.arrival).second);
  return arrivals;
}

void compare(RandomStore& store, uint64_t seed) {
  const auto view = store.view();
  const Pin pin(view, store.below(2) == 0 ? view->tx : 1 + store.below(view->tx));
  const Filter filter = std::move(Filter::parse({}, pin).value());
  Question question;
  question.is_backward = store.below(3) == 0;
  question.is_strict = store.below(2) == 0;
  question.orientation = static_cast<Orientation>(store.below(3));
  if (store.below(2) == 0) {
    question.from = store.any_instant();
    question.to = question.from + 1 + store.any_instant();
  }
  const NodeNumber subject = pin.known_node(store.any_uid());
  if (subject == kNone) return;
  CHECK(is_for_sweep(question, filter));
  std::vector<NodeNumber> targets;
  for (uint32_t i = store.below(4); i > 0; --i) targets.push_back(store.below(view->node_count));
  const Goal goal = store.below(4) == 0 ? Goal(targets, subject) : Goal();

  StopToken stop;
  StepCounter counter(stop);
  const Rules rules = question.rules();
  StoreSteps steps(pin, filter, question, counter);
  steps.begin_subject(subject);
  std::vector<FoundNode> expected;
  CHECK(find_earliest({steps, rules, goal, subject, counter}, expected));
  std::vector<FoundNode> given;
  CHECK(find_by_sweep(pin, filter, question, subject, goal, counter, given));
  if (by_node(expected) == by_node(given)) return;
  std::fprintf(stderr,
               "seed %" PRIu64 ": expected %zu, given %zu, backward %d strict %d orientation %d window %" PRId64
               " %" PRId64 "\n",
               seed, expected.size(), given.size(), question.is_backward, question.is_strict,
               static_cast<int>(question.orientation), question.from, question.to);
  CHECK(false);
}

/// Whatever is asked, a search that meets its ceiling of steps ends with kCost, and soon.
void stop_anywhere(RandomStore& store) {
  const auto view = store.view();
  const Pin pin(view, view->tx);
  const Filter filter = std::move(Filter::parse({}, pin).value());
  Question question;
  question.subjects = {store.below(view->node_count), store.below(view->node_count)};
  question.is_backward = store.below(2) == 0;
  question.is_strict = store.below(2) == 0;
  question.orientation = static_cast<Orientation>(store.below(3));
  question.crossing = store.below(4) == 0 ? Crossing::kRide : Crossing::kInstant;
  if (store.below(3) != 0) question.max_wait = store.below(2) == 0 ? store.below(4) : store.any_instant();
  if (store.below(4) == 0) question.max_hops = 1 + store.below(5);
  question.counts_hops = store.below(2) == 0;
  StopToken stop;
  stop.set_step_ceiling(store.below(60'000));
  StepCounter counter(stop);
  Answer answer;
  const Status status = temporal_reachability(pin, filter, question, {0, 100}, counter, answer);
  CHECK(status.is_ok() || status.code() == Code::kCost);
  CHECK(counter.total() < stop.step_ceiling() + 200'000);
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t first_seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 12;
  for (uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    RandomStore store(seed);
    for (int question = 0; question < 20; ++question) compare(store, seed);
    for (int question = 0; question < 20; ++question) stop_anywhere(store);
  }
  std::printf("reach_store_test: %" PRIu64 " seeds\n", count);
  return 0;
}
