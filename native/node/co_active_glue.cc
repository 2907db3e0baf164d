// coActive(view, stop, a, b, question, ordinal, limit): see src/native/co-active.ts.
// Turns arguments into a question and the page into a pack; the join is in core/kernels/co_active.
#include <napi.h>

#include "core/kernels/co_active/co_active.h"
#include "core/kernels/rows/row_pack.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

// More rows than this are a matter for the pool: sorting them would hold the thread.
constexpr uint64_t kInlineRows = 4'000;

NodeNumber node_or_none_arg(const Napi::Value& uid, const Pin& pin) {
  if (uid.IsNull() || uid.IsUndefined()) return kNone;
  const NodeNumber node = pin.known_node(text_arg(uid));
  if (node == kNone) throw error_of(uid.Env(), Status(Code::kNotFound, "a uid is not known at the pin"));
  return node;
}

co_active::Selection selection_arg(const Napi::Value& value, const Pin& pin) {
  const Napi::Object selection = object_arg(value);
  return {node_or_none_arg(selection.Get("src"), pin), node_or_none_arg(selection.Get("dst"), pin),
          filter_arg(selection.Get("where"), pin)};
}

co_active::Question question_arg(const Napi::Value& a, const Napi::Value& b, const Napi::Value& value, const Pin& pin) {
  const Napi::Object given = object_arg(value);
  co_active::Question question{.a = selection_arg(a, pin), .b = selection_arg(b, pin)};
  question.is_one_selection = given.Get("isOneSelection").ToBoolean();
  question.relations = co_active::Relations(number_arg(given.Get("relations"), (1u << co_active::kRelationCount) - 1));
  question.keys.kind = static_cast<co_active::KeyKind>(number_arg(given.Get("keyKind"), 3));
  question.keys.src_equals = static_cast<uint8_t>(number_arg(given.Get("srcEquals"), 3));
  question.keys.dst_equals = static_cast<uint8_t>(number_arg(given.Get("dstEquals"), 3));
  if (given.Get("minGap").IsBigInt()) question.min_gap = micros_arg(given.Get("minGap"));
  if (given.Get("maxGap").IsBigInt()) question.max_gap = micros_arg(given.Get("maxGap"));
  question.window = window_arg(given.Get("from"), given.Get("to"));
  question.is_unordered = given.Get("isUnordered").ToBoolean();
  return question;
}

struct CoActiveRun {
  Pin pin;
  co_active::Question question;
  PageSpan page;
  PageResult result = {};

  bool is_large() const { return question.a.row_bound(pin) + question.b.row_bound(pin) > kInlineRows; }

  Status run(StopToken& stop) {
    co_active::Answer answer;
    StepCounter steps(stop);
    Status status = co_active::co_active(pin, question, page, steps, answer);
    if (status.is_ok()) pack(answer);
    return status;
  }

  void add_fact(const co_active::Fact& fact, RowPack& pack) const {
    const Tables& tables = pin.tables();
    pack.add_text(tables.uids.get(tables.edges.src(fact.edge)));
    pack.add_text(tables.types.get(tables.edges.type(fact.edge)));
    pack.add_text(tables.uids.get(tables.edges.dst(fact.edge)));
    pack.add_text(tables.edges.key(fact.edge));
    pack.add_instant(fact.from);
    pack.add_end(fact.to);
  }

  /// Rows of (identity, valid_from and valid_to of a, the same of b, relation, gap).
  void pack(const co_active::Answer& answer) {
    result = {};
    result.total = answer.total;
    for (const auto& [a, b] : answer.rows) {
      add_fact(a, result.pack);
      add_fact(b, result.pack);
      const co_active::Relation relation = co_active::relation_of(a.from, a.to, b.from, b.to);
      result.pack.add_number(static_cast<uint32_t>(relation));
      if (relation == co_active::Relation::kBefore) {
        result.pack.add_duration(b.from - a.to);
      } else if (relation == co_active::Relation::kAfter) {
        result.pack.add_duration(a.from - b.to);
      } else {
        result.pack.add_null();
      }
    }
  }
};

Napi::Value run_co_active(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto stop = stop_of(info[1]);
  auto run = std::make_shared<CoActiveRun>(
      CoActiveRun{pin, question_arg(info[2], info[3], info[4], pin), page_arg(info[5], info[6])});
  const auto work = [run](StopToken& token) { return run->run(token); };
  const auto finish = [run](Napi::Env env) { return run->result.value(env); };
  if (run->is_large()) return run_kernel(info.Env(), RunMode::kPool, std::move(stop), work, finish, info[0]);
  return run_within_budget(info.Env(), std::move(stop), work, finish, info[0]);
}

}  // namespace

void register_co_active(Napi::Env env, Napi::Object exports) {
  exports.Set("coActive", Napi::Function::New(env, run_co_active, "coActive"));
}

}  // namespace palimpsest::node
