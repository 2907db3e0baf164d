// diffSnapshots(view, stop, where, left, right, scope, comparesInterval, included, page);
// src/native/diff.ts says what each is.
#include <napi.h>

#include "core/kernels/corners/diff.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

struct CornerArgs {
  Pin pin;
  Micros at;
  Filter filter;
};

struct DiffRun {
  CornerArgs left;
  CornerArgs right;
  std::vector<NodeNumber> seeds;
  DiffQuery query;
  DiffPage page = {};
  RowPack changed = {};

  Status run(StopToken& stop) {
    page = {};
    changed = {};
    const NumberSet spared(seeds);
    Corner left_corner(left.pin, left.at, left.filter, spared);
    Corner right_corner(right.pin, right.at, right.filter, spared);
    StepCounter steps(stop);
    if (Status status = diff_snapshots(left_corner, right_corner, query, steps, page); !status.is_ok()) return status;
    for (const DiffRow& row : page.rows) {
      changed.add_number(static_cast<uint32_t>(row.changed.size()));
      for (const auto& name : row.changed) changed.add_text(name);
      if (changed.is_full()) return Status(Code::kLimit, "the page has too much text for one answer");
    }
    return Status::ok();
  }

  Napi::Value value(Napi::Env env) const {
    const Tables& tables = right.pin.tables();
    std::vector<uint32_t> totals_at;
    std::vector<uint32_t> identities;
    std::vector<uint32_t> left_rows;
    std::vector<uint32_t> right_rows;
    for (const DiffRow& row : page.rows) {
      const VersionTable& versions = row.kind == Kind::kEdge ? tables.edge_versions : tables.node_versions;
      totals_at.push_back(static_cast<uint32_t>(total_of(row.kind, row.change)));
      identities.push_back(versions.owner(row.left != kNone ? row.left : row.right));
      left_rows.push_back(row.left);
      right_rows.push_back(row.right);
    }
    Napi::Array totals = Napi::Array::New(env, kTotals);
    for (uint32_t i = 0; i < kTotals; ++i) totals.Set(i, static_cast<double>(page.totals[i]));
    Napi::Object out = Napi::Object::New(env);
    out.Set("totals", totals);
    out.Set("rowsTotal", static_cast<double>(page.rows_total));
    out.Set("changes", numbers_value(env, totals_at));
    out.Set("identities", numbers_value(env, identities));
    out.Set("leftRows", numbers_value(env, left_rows));
    out.Set("rightRows", numbers_value(env, right_rows));
    out.Set("changed", row_pack_value(env, changed));
    return out;
  }
};

/// `[tx, at]` on the view of `newest`.
CornerArgs corner_arg(const Napi::Value& value, const Pin& newest, const Napi::Value& where) {
  if (!value.IsArray()) throw error_of(value.Env(), Status(Code::kInternal, "a corner is expected"));
  const auto parts = value.As<Napi::Array>();
  const Pin pin = newest.at(number_arg(parts.Get(uint32_t{0}), newest.view().tx));
  return {pin, micros_arg(parts.Get(uint32_t{1})), filter_arg(where, pin)};
}

Napi::Value run_diff(const Napi::CallbackInfo& info) {
  const Pin newest = pin_of(info[0]);
  auto run = std::make_shared<DiffRun>(
      DiffRun{corner_arg(info[3], newest, info[2]), corner_arg(info[4], newest, info[2]), {}, {}});
  if (info[5].IsArray()) {
    const auto scope = info[5].As<Napi::Array>();
    run->seeds = nodes_arg(scope.Get(uint32_t{0}), newest);
    run->query.scope =
        KhopQuery{run->seeds, number_arg(scope.Get(uint32_t{1}), 64), orientation_arg(scope.Get(uint32_t{2})), false};
  }
  run->query.compared = info[6].ToBoolean().Value() ? Compared::kContentAndInterval : Compared::kContent;
  run->query.included = number_arg(info[7], (1u << kTotals) - 1);
  run->query.rows = page_arg(info[8]).value_or(PageRange{});
  return run_within_budget(
      info.Env(), stop_of(info[1]), [run](StopToken& stop) { return run->run(stop); },
      [run](Napi::Env env) { return run->value(env); }, info[0]);
}

}  // namespace

void register_diff(Napi::Env env, Napi::Object exports) {
  exports.Set("diffSnapshots", Napi::Function::New(env, run_diff, "diffSnapshots"));
}

}  // namespace palimpsest::node
