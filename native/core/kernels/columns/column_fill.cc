#include "core/kernels/columns/column_fill.h"

#include <algorithm>
#include <charconv>

#include "core/base/parallel.h"
#include "core/kernels/columns/column_loops.h"
#include "core/kernels/columns/property_column.h"
#include "core/kernels/columns/text_codes.h"
#include "core/kernels/rows/json_text.h"

namespace palimpsest {

namespace {

using namespace column_loops;

constexpr size_t kRowsForPool = 1u << 14;  // a hop to another thread costs as much as some thousand rows

/// The commits that wrote rows which mostly stand beside each other.
class CommitOfRow {
 public:
  CommitOfRow(const Pin& pin, Kind kind) : pin_(pin), kind_(kind) {}

  Tx of(Row row) {
    if (row >= first_ && row < end_) return tx_;
    tx_ = pin_.tx_of(kind_, row);
    first_ = first_row(tx_);
    end_ = tx_ == pin_.tx() ? pin_.row_cut(kind_) : first_row(tx_ + 1);
    return tx_;
  }

 private:
  Row first_row(Tx tx) const {
    const Commit commit = pin_.commit(tx);
    return kind_ == Kind::kEdge ? commit.first_edge_row : commit.first_node_row;
  }

  const Pin& pin_;
  Kind kind_;
  Row first_ = 0;
  Row end_ = 0;
  Tx tx_ = 0;
};

class ColumnFiller {
 public:
  ColumnFiller(const Pin& pin, const RowSelection& selection, const StopToken& stop)
      : pin_(pin),
        tables_(pin.tables()),
        versions_(pin.versions(selection.kind)),
        selection_(selection),
        rows_(selection.rows),
        stop_(stop) {}

  /// False when the call was cancelled.
  bool fill(const ColumnRequest& request, ColumnData& out) const {
    switch (request.spec.column) {
      case Column::kValidFrom:
        return fill_words(out, rows_, stop_, [this, from = selection_.clamp.from](const RowRef& ref) {
          return std::max(versions_.valid_from(ref.row), from);
        });
      case Column::kValidTo:
        return fill_words(out, rows_, stop_, [this, to = selection_.clamp.to](const RowRef& ref) {
          return std::min(versions_.valid_to(ref.row), to);
        });
      case Column::kDuration:
        return fill_durations(out);
      case Column::kSeq:
        return fill_words(out, rows_, stop_, [this](const RowRef& ref) { return int64_t{versions_.owner(ref.row)}; });
      case Column::kTx:
      case Column::kTxFrom:
        return fill_commits(request.spec.column == Column::kTxFrom, out);
      case Column::kTxTo:
        return fill_words(out, rows_, stop_, [this](const RowRef& ref) {
          const Tx closed = versions_.closed_tx(ref.row);
          return closed > pin_.tx() ? kOpenEnd : pin_.tx_time(closed);
        });
      case Column::kProp:
        return fill_property(pin_, selection_, request, stop_, out);
      default:
        return fill_text(request.spec.column, out);
    }
  }

 private:
  bool fill_durations(ColumnData& out) const {
    return fill_words_or_null(out, rows_, stop_, [this](const RowRef& ref) -> std::optional<int64_t> {
      const Micros end = pin_.spell_end(ref.kind, ref.row);
      if (end == kOpenEnd) return std::nullopt;
      return end - versions_.valid_from(ref.row);
    });
  }

  bool fill_commits(bool has_times, ColumnData& out) const {
    CommitOfRow commits(pin_, selection_.kind);
    return fill_words(out, rows_, stop_, [&](const RowRef& ref) {
      const Tx tx = commits.of(ref.row);
      return has_times ? pin_.tx_time(tx) : int64_t{tx};
    });
  }

  bool fill_text(Column column, ColumnData& out) const {
    out.form = column == Column::kLabels ? ColumnForm::kJson : ColumnForm::kTexts;
    const bool is_done =
        fill_numbers(out, rows_, stop_, [this, column](const RowRef& ref) { return number_of(column, ref); });
    if (is_done) encode_texts(out, [&](uint32_t number, RowPack& texts) { write_text(column, number, texts); });
    return is_done;
  }

  /// What the text of a column is known by: the number in its table.
  uint32_t number_of(Column column, const RowRef& ref) const {
    switch (column) {
      case Column::kLabels:
        return versions_.label_set(ref.row);
      case Column::kRole:
        return static_cast<uint32_t>(ref.role);
      case Column::kEndedBy:
      case Column::kEndedReason:
        return belief_number(column, ref);
      case Column::kReason:
      case Column::kSource:
      case Column::kProvenanceRef:
        return annotation_number(column, ref);
      default:
        return identity_number(column, versions_.owner(ref.row), ref);
    }
  }

  uint32_t identity_number(Column column, uint32_t owner, const RowRef& ref) const {
    if (ref.kind == Kind::kNode) return owner;
    const EdgeTable& edges = tables_.edges;
    switch (column) {
      case Column::kSrc:
        return edges.src(owner);
      case Column::kDst:
        return edges.dst(owner);
      case Column::kType:
        return edges.type(owner);
      case Column::kKey:
        return key_number(owner);
      case Column::kUid:
        return ref.role == Role::kDst ? edges.dst(owner) : edges.src(owner);
      default:
        return ref.role == Role::kDst ? edges.src(owner) : edges.dst(owner);
    }
  }

  /// A chosen key by its edge; a given one above all edges. The text of a chosen key may be a given one, too.
  uint32_t key_number(EdgeNumber edge) const {
    const EdgeTable& edges = tables_.edges;
    const uint32_t first_given = pin_.view().edge_count + 1;
    if (!edges.has_chosen_key(edge)) return first_given + edges.key_number(edge);
    char text[16] = "#";
    const char* end = std::to_chars(text + 1, text + sizeof text, edge).ptr;
    const TextNumber given = edges.key_texts().find({text, static_cast<size_t>(end - text)});
    return given == kNone ? edge : first_given + given;
  }

  uint32_t belief_number(Column column, const RowRef& ref) const {
    if (versions_.closed_tx(ref.row) > pin_.tx()) return kNone;
    const Closing closing = versions_.closing(versions_.closing_number(ref.row));
    return column == Column::kEndedBy ? static_cast<uint32_t>(closing.ended_by) : closing.reason;
  }

  uint32_t annotation_number(Column column, const RowRef& ref) const {
    const uint32_t number = versions_.annotation(ref.row);
    if (number == 0) return kNone;
    const Annotation annotation = tables_.annotations.get(number);
    return column == Column::kReason   ? annotation.reason
           : column == Column::kSource ? annotation.source
                                       : annotation.provenance_ref;
  }

  void write_text(Column column, uint32_t number, RowPack& texts) const {
    switch (column) {
      case Column::kLabels:
        return texts.add_text(labels_text(number));
      case Column::kRole:
        return texts.add_ascii(kRoles[number]);
      case Column::kEndedBy:
        return texts.add_ascii(kEndings[number]);
      case Column::kEndedReason:
      case Column::kReason:
      case Column::kSource:
      case Column::kProvenanceRef:
        return texts.add_text(tables_.texts.get(number));
      case Column::kType:
        return texts.add_text(tables_.types.get(number));
      case Column::kKey:
        return write_key(number, texts);
      default:
        return texts.add_text(tables_.uids.get(number));
    }
  }

  void write_key(uint32_t number, RowPack& texts) const {
    const uint32_t first_given = pin_.view().edge_count + 1;
    if (number >= first_given) return texts.add_text(tables_.edges.key_texts().get(number - first_given));
    char text[16] = "#";
    const char* end = std::to_chars(text + 1, text + sizeof text, number).ptr;
    texts.add_ascii({text, static_cast<size_t>(end - text)});
  }

  std::string labels_text(uint32_t number) const {
    std::string text = "[";
    for (const TextNumber label : tables_.label_set(number)) {
      if (text.size() > 1) text.push_back(',');
      append_json_string(tables_.labels.get(label), text);
    }
    return text + "]";
  }

  static constexpr const char* kRoles[] = {"", "src", "dst", "both"};
  static constexpr const char* kEndings[] = {"", "overwritten", "retracted", "corrected"};

  const Pin& pin_;
  const Tables& tables_;
  const VersionTable& versions_;
  const RowSelection& selection_;
  std::span<const RowRef> rows_;
  const StopToken& stop_;
};

/// Columns whose cells this form has: all but whole property objects and what only the belief log shows.
bool is_columnar(Column column) {
  return column != Column::kProps && column != Column::kKind && column != Column::kEndedTx;
}

Status check_size(const std::vector<ColumnData>& columns) {
  for (const ColumnData& column : columns) {
    if (column.dictionary.is_full()) {
      return Status(Code::kLimit, "a column holds more than 511 MiB of text; ask for fewer rows or properties");
    }
  }
  return Status::ok();
}

}  // namespace

Status fill_columns(const Pin& pin, const RowSelection& selection, std::span<const ColumnRequest> requests,
                    const StopToken& stop, std::vector<ColumnData>& out) {
  for (const ColumnRequest& request : requests) {
    if (!is_columnar(request.spec.column)) return Status(Code::kInternal, "the column has no columnar form");
  }
  out.clear();
  out.resize(requests.size());
  StepCounter steps(stop);
  if (!steps.hold(requests.size() * selection.rows.size() * sizeof(int64_t))) return steps.status();
  const ColumnFiller filler(pin, selection, stop);
  if (selection.rows.size() < kRowsForPool) {
    for (size_t i = 0; i < requests.size(); ++i) {
      if (!filler.fill(requests[i], out[i])) return Status(Code::kCancelled, "the call was cancelled");
    }
    return check_size(out);
  }
  const Task fill_one = [&](unsigned, uint32_t task, WorkerSteps&) { return filler.fill(requests[task], out[task]); };
  if (Status status = run_tasks(static_cast<uint32_t>(requests.size()), steps, fill_one); !status.is_ok()) {
    return status;
  }
  return check_size(out);
}

}  // namespace palimpsest
