#include "core/kernels/aggregate/group_page.h"

#include <algorithm>
#include <functional>

#include "core/kernels/aggregate/cell_columns.h"
#include "core/kernels/aggregate/group_sort.h"

namespace palimpsest::aggregate {

namespace {

/// The order of groups: the question's orderings, then the cells of the dimensions, then first appearance.
class GroupOrder {
 public:
  GroupOrder(const CellBook& book, const Question& question, const Parts& groups)
      : book_(book), question_(question), groups_(groups), dim_columns_(question.dim_columns()) {
    for (const Ordering& ordering : question.orderings) {
      std::vector<Cell>& cells = cells_.emplace_back(groups.group_count());
      for (uint32_t group = 0; group < cells.size(); ++group) cells[group] = groups.cell(group, ordering.column);
    }
    has_key_ = is_uniform(question.orderings.empty() ? 0 : question.orderings[0].column);
  }

  /// A number that most comparisons are decided by.
  uint64_t key(uint32_t group) const {
    if (!has_key_) return 0;
    if (cells_.empty()) return book_.sort_key(groups_.cell(group, 0));
    const Cell& cell = cells_[0][group];
    const Ordering& ordering = question_.orderings[0];
    if (cell.is_null()) return ordering.has_nulls_last ? UINT64_MAX : 0;
    return ordering.is_descending ? ~book_.sort_key(cell) : book_.sort_key(cell);
  }

  bool is_less(uint32_t a, uint32_t b) const {
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (const int side = compare_by(question_.orderings[i], cells_[i][a], cells_[i][b]); side != 0) return side < 0;
    }
    for (uint32_t column = 0; column < dim_columns_; ++column) {
      if (const int side = book_.compare(groups_.cell(a, column), groups_.cell(b, column)); side != 0) return side < 0;
    }
    return a < b;
  }

 private:
  /// `desc` turns the values, never the place of the nulls.
  int compare_by(const Ordering& ordering, const Cell& a, const Cell& b) const {
    if (a.is_null() || b.is_null()) {
      if (a.is_null() == b.is_null()) return 0;
      return a.is_null() == ordering.has_nulls_last ? 1 : -1;
    }
    const int side = book_.compare(a, b);
    return ordering.is_descending ? -side : side;
  }
  /// Whether all cells of a column are of one class, so that their keys go together.
  bool is_uniform(uint32_t column) const {
    uint32_t first = 0;
    for (const Dim& dim : question_.dims) {
      first += columns_of(dim);
      if (column < first) return dim.kind != DimKind::kProp;
    }
    for (const Agg& agg : question_.aggs) {
      first += columns_of(agg);
      if (column < first) return agg.of != Of::kProp;
    }
    return false;
  }

  const CellBook& book_;
  const Question& question_;
  const Parts& groups_;
  uint32_t dim_columns_;
  std::vector<std::vector<Cell>> cells_;  // by ordering, then group
  bool has_key_;
};

constexpr uint32_t kManyGroups = 1u << 12;

/// Calls `visit(group)` for the groups that pass the conditions. False when the counter said stop.
template <typename Visit>
bool each_passing(const CellBook& book, const Question& question, const Parts& groups, StepCounter& steps,
                  Visit&& visit) {
  const std::vector<CellCondition> tests(question.conditions.begin(), question.conditions.end());
  for (uint32_t group = 0; group < groups.group_count(); ++group) {
    if (!steps.add(1)) return false;
    bool is_passing = true;
    for (size_t i = 0; i < tests.size() && is_passing; ++i) {
      is_passing = tests[i].passes(groups.cell(group, question.conditions[i].column), book);
    }
    if (is_passing) visit(group);
  }
  return true;
}

/// Many groups, all on the page: put in order by numbers, where their order follows from such.
Status select_all(const Pin& pin, const CellBook& book, const Question& question, const Parts& groups,
                  StepCounter& steps, std::vector<uint32_t>& shown) {
  shown.reserve(groups.group_count());
  const auto keep = [&](uint32_t group) { shown.push_back(group); };
  if (!each_passing(book, question, groups, steps, keep)) return steps.status();
  switch (sort_groups(pin, question, groups, steps.token(), shown)) {
    case SortOutcome::kSorted:
      return Status::ok();
    case SortOutcome::kCancelled:
      return Status(Code::kCancelled, "the call was cancelled");
    case SortOutcome::kNeedsCells:
      break;
  }
  const GroupOrder order(book, question, groups);
  std::sort(shown.begin(), shown.end(), [&](uint32_t a, uint32_t b) { return order.is_less(a, b); });
  return Status::ok();
}

/// One page of groups that are few, or of which few are shown.
Status select_page(const CellBook& book, const Question& question, const Parts& groups, PageSpan page,
                   StepCounter& steps, std::vector<uint32_t>& shown, uint64_t& total) {
  const GroupOrder order(book, question, groups);
  PageSelector<uint32_t, std::function<bool(uint32_t, uint32_t)>> selector(
      page, [&](uint32_t a, uint32_t b) { return order.is_less(a, b); });
  const auto select = [&](uint32_t group) { selector.add(order.key(group), group); };
  if (!each_passing(book, question, groups, steps, select)) return steps.status();
  total = selector.total();
  shown = selector.take();
  return Status::ok();
}

}  // namespace

Status write_page(const Pin& pin, const Question& question, const Parts& groups, PageSpan page, StepCounter& steps,
                  Answer& out) {
  const CellBook book(pin, groups.group_count());
  std::vector<uint32_t> shown;
  const uint32_t group_count = groups.group_count();
  const bool has_all = group_count >= kManyGroups && page.ordinal == 0 && page.limit >= group_count;
  Status status = has_all ? select_all(pin, book, question, groups, steps, shown)
                          : select_page(book, question, groups, page, steps, shown, out.total);
  if (!status.is_ok()) return status;
  if (has_all) out.total = shown.size();
  out.row_count = shown.size();
  if (!out.forms.empty()) return write_columns(book, groups, shown, out.forms, steps, out.columns);
  const uint32_t columns = question.column_count();
  for (const uint32_t group : shown) {
    for (uint32_t column = 0; column < columns; ++column) book.write(groups.cell(group, column), out.page);
    if (out.page.is_full()) return {Code::kLimit, "the page is longer than a text may be: ask for fewer rows"};
  }
  return Status::ok();
}

}  // namespace palimpsest::aggregate
