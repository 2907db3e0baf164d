#include "core/kernels/entities/resolve.h"

#include <algorithm>

#include "core/kernels/entities/name_scan.h"
#include "core/kernels/node_marks.h"
#include "core/kernels/rows/row_order.h"
#include "core/store/name_cache.h"
#include "core/text/code_points.h"
#include "core/text/folding.h"

namespace palimpsest::entities {

namespace {

constexpr NodeNumber kFewNodes = 1024;

std::string normalized(std::string_view text) {
  std::string form;
  append_normalized(text, form);
  return form;
}
std::string folded(std::string_view text) {
  std::string form;
  append_folded(text, form);
  return form;
}

/// The edits that are allowed: of the query as it was given.
uint32_t distance_of(const Question& question) {
  if (question.min_tier < Tier::kFuzzy) return 0;
  if (question.max_distance) return *question.max_distance;
  const size_t length = count_code_points(question.query);
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

/// The names that some version has, each once.
std::vector<PropNumber> listed(std::vector<PropNumber> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, kNone);
  return names;
}

/// Calls `visit(NodeNumber)` for every entry that is this folded text. False when a visit gave false.
template <typename Visit>
bool each_equal(const NameList& list, std::string_view text, const Visit& visit) {
  return std::all_of(list.begin(), list.end(), [&](const auto& segment) { return segment->each_equal(text, visit); });
}

class Resolver {
 public:
  Resolver(const Pin& pin, const Question& question, StepCounter& steps)
      : pin_(pin),
        tables_(pin.tables()),
        versions_(pin.tables().node_versions),
        question_(question),
        steps_(steps),
        plain_(normalized(question.query), distance_of(question)),
        folded_(folded(plain_.text()), distance_of(question)),
        order_(pin, 0) {}

  Status run(PageSpan page, Answer& answer) {
    const auto less = [this](const Match& a, const Match& b) { return order_.compare_nodes(a.node, b.node) < 0; };
    PageSelector<Match, decltype(less)> selector(page, less);
    const Status status = each_match([&] {
      ++answer.tiers[static_cast<size_t>(best_.tier())];
      selector.add(best_rank_ << 31 | order_.key_of_node(best_.node) >> 33, best_);
      return true;
    });
    if (!status.is_ok()) return status;
    answer.row_count = selector.total();
    answer.rows = selector.take();
    return status;
  }

  /// Whether there is any match.
  Status run(bool& is_found) {
    is_found = false;
    return each_match([&] { return !(is_found = true); });
  }

 private:
  /// Calls `visit()` for every node that matches, `best_` being how, until it gives false.
  template <typename Visit>
  Status each_match(const Visit& visit) {
    std::vector<std::shared_ptr<const NameList>> lists;
    const Status status = tables_.name_cache().get(pin_, listed(question_.names), steps_.token(), lists);
    if (!status.is_ok()) return status;
    NodeMarks judged(pin_.view().node_count);
    const auto nominate = [&](NodeNumber node) {
      // The lists may hold nodes of later commits.
      if (node >= pin_.view().node_count || !pin_.is_known_node(node) || !judged.add(node)) return true;
      if (!steps_.add(1)) return false;
      if (judge(node) && best_.tier() <= question_.min_tier && !visit()) return false;
      return steps_.status().is_ok();
    };
    for (const auto& list : lists) {
      if (question_.has_unknown_label) break;
      const bool is_exact = question_.min_tier == Tier::kExact;
      const bool goes_on =
          is_exact ? each_equal(*list, folded_.text(), nominate) : scan_names(*list, folded_, steps_, nominate);
      if (!goes_on) break;
    }
    return steps_.status();
  }

  /// Finds the best match of a node; false where it has none, or not the labels.
  bool judge(NodeNumber node) {
    best_rank_ = UINT64_MAX;
    best_ = {node, kNone, kNone};
    read_versions(node);
    best_.state = state();
    if (!has_labels(best_.state)) return false;
    hold(tables_.uids.get(node), kNone, 0, NameKind::kCurrent);
    if (best_.state != kNone) hold_names({&best_.state, 1}, NameKind::kCurrent);
    if (question_.min_tier == Tier::kAlias && best_rank_ >> kTierShift >= static_cast<uint64_t>(Tier::kAlias)) {
      const Row shown = best_.state;
      std::erase(believed_, shown);
      hold_names(believed_, NameKind::kFormer);
      hold_names(closed_, NameKind::kCorrected);
    }
    return best_rank_ != UINT64_MAX;
  }

  void read_versions(NodeNumber node) {
    believed_.clear();
    closed_.clear();
    tables_.node_index.each(node, pin_.row_cut(Kind::kNode), [&](Row row) {
      (pin_.is_believed_node(row) ? believed_ : closed_).push_back(row);
      return true;
    });
    steps_.add(believed_.size() + closed_.size());
    // The latest to begin first, then the latest written.
    for (auto* rows : {&believed_, &closed_}) {
      std::sort(rows->begin(), rows->end(), [&](Row a, Row b) {
        const Micros from_a = versions_.valid_from(a);
        const Micros from_b = versions_.valid_from(b);
        return from_a != from_b ? from_a > from_b : a > b;
      });
    }
  }

  Row state() const {
    if (!question_.at) return believed_.empty() ? kNone : believed_.front();
    for (const Row row : believed_) {
      if (versions_.valid_from(row) <= *question_.at && *question_.at < versions_.valid_to(row)) return row;
    }
    return kNone;
  }

  bool has_labels(Row state) const {
    if (question_.labels.empty()) return true;
    if (state == kNone) return false;
    const auto set = tables_.label_set(versions_.label_set(state));
    return std::all_of(question_.labels.begin(), question_.labels.end(),
                       [&](TextNumber label) { return std::find(set.begin(), set.end(), label) != set.end(); });
  }

  void hold_names(std::span<const Row> rows, NameKind kind) {
    for (size_t name = 0; name < question_.names.size(); ++name) {
      if (question_.names[name] == kNone) continue;
      for (const Row row : rows) {
        PropValue value;
        if (!versions_.properties().find(row, question_.names[name], value) || value.kind != PropKind::kString)
          continue;
        hold(tables_.texts.get(static_cast<TextNumber>(value.bits)), row, static_cast<uint8_t>(name), kind);
      }
    }
  }

  /// Holds a text against the query, and keeps it where it is better than what was found before.
  void hold(std::string_view text, Row row, uint8_t name, NameKind kind) {
    form_.clear();
    const bool is_plain = is_plainly_normalized(text);
    if (!is_plain) append_normalized(text, form_);
    const std::string_view plain = is_plain ? text : std::string_view(form_);
    fold_.clear();
    append_folded(plain, fold_);
    const auto met = folded_.meet(fold_, edits_);
    if (!met) return;
    Match match{best_.node, best_.state, row, name, kind, *met};
    const uint64_t rank = rank_of(match, plain_.meet(plain, edits_) != met, count_code_points(text));
    if (rank >= best_rank_) return;
    best_rank_ = rank;
    best_ = match;
  }

  // A rank is (tier, kind, how, distance, folded, on a property, code points), and leaves 31 bits for the uid.
  static constexpr uint32_t kTierShift = 29;
  static uint64_t rank_of(const Match& match, bool is_folded, size_t length) {
    uint64_t rank = static_cast<uint64_t>(match.tier());
    rank = rank << 2 | static_cast<uint64_t>(match.kind);
    rank = rank << 2 | static_cast<uint64_t>(match.meeting.how);
    rank = rank << 2 | match.meeting.distance;
    rank = rank << 1 | (is_folded ? 1 : 0);
    rank = rank << 1 | (match.row == kNone ? 0 : 1);
    return rank << 21 | length;  // no text is longer than a version's megabyte
  }

  const Pin& pin_;
  const Tables& tables_;
  const VersionTable& versions_;
  const Question& question_;
  StepCounter& steps_;
  const Needle plain_;
  const Needle folded_;
  const RowOrder order_;
  EditDistance edits_;
  Match best_{};
  uint64_t best_rank_ = 0;
  std::vector<Row> believed_;
  std::vector<Row> closed_;
  std::string form_;
  std::string fold_;
};

}  // namespace

bool is_small(const Pin& pin, const Question& question) {
  if (question.min_tier == Tier::kExact) return is_small(pin, question.names, {&question.query, 1});
  return pin.view().node_count <= kFewNodes && pin.view().node_rows <= kFewNodes &&
         pin.tables().name_cache().is_ready(pin, listed(question.names));
}

bool is_small(const Pin& pin, const std::vector<PropNumber>& names, std::span<const std::string> texts) {
  if (texts.size() > kFewNodes || !pin.tables().name_cache().is_ready(pin, listed(names))) return false;
  std::vector<std::shared_ptr<const NameList>> lists;
  StopToken never;
  if (!pin.tables().name_cache().get(pin, listed(names), never, lists).is_ok()) return false;
  // A node is judged by all of its versions.
  size_t read = 0;
  const auto is_few = [&](NodeNumber node) {
    ++read;
    pin.tables().node_index.each(node, pin.row_cut(Kind::kNode), [&](Row) { return ++read <= kFewNodes; });
    return read <= kFewNodes;
  };
  for (const std::string& text : texts) {
    const std::string form = folded(normalized(text));
    for (const auto& list : lists) {
      if (!each_equal(*list, form, is_few)) return false;
    }
  }
  return true;
}

Status known_names(const Pin& pin, const std::vector<PropNumber>& names, std::span<const std::string> texts,
                   StepCounter& steps, std::vector<uint8_t>& known) {
  for (const std::string& text : texts) {
    bool is_known = false;
    const Question question{.query = text, .names = names, .min_tier = Tier::kExact};
    const Status status = Resolver(pin, question, steps).run(is_known);
    if (!status.is_ok()) return status;
    known.push_back(is_known);
  }
  return Status::ok();
}

Status resolve_entities(const Pin& pin, const Question& question, PageSpan page, StepCounter& steps, Answer& answer) {
  return Resolver(pin, question, steps).run(page, answer);
}

}  // namespace palimpsest::entities
