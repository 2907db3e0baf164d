// snapshotSubgraph(view, stop, where, seeds, at, hops, orientation, nodesMustExist, edgePage, nodePage);
// src/native/snapshot.ts says what each is.
#include <napi.h>

#include "core/kernels/corners/snapshot.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

struct SnapshotRun {
  Pin pin;
  Filter filter;
  std::vector<NodeNumber> seeds;
  Micros at;
  SnapshotQuery query;
  SnapshotPage page = {};

  Status run(StopToken& stop) {
    page = {};
    const NumberSet spared(seeds);
    Corner corner(pin, at, filter, spared);
    StepCounter steps(stop);
    return snapshot_subgraph(corner, query, steps, page);
  }

  Napi::Value value(Napi::Env env) const {
    std::vector<uint32_t> nodes;
    std::vector<uint32_t> hops;
    std::vector<uint32_t> node_rows;
    for (const SnapshotPage::Node& node : page.nodes) {
      nodes.push_back(node.node);
      hops.push_back(node.hop);
      node_rows.push_back(node.row);
    }
    Napi::Object out = Napi::Object::New(env);
    out.Set("edges", numbers_value(env, page.edges));
    out.Set("edgesTotal", static_cast<double>(page.edges_total));
    out.Set("nodes", numbers_value(env, nodes));
    out.Set("hops", numbers_value(env, hops));
    out.Set("nodeRows", numbers_value(env, node_rows));
    out.Set("nodesTotal", static_cast<double>(page.nodes_total));
    return out;
  }
};

Napi::Value run_snapshot(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto run = std::make_shared<SnapshotRun>(
      SnapshotRun{pin, filter_arg(info[2], pin), nodes_arg(info[3], pin), micros_arg(info[4]), {}});
  run->query.hops = {run->seeds, number_arg(info[5], 64), orientation_arg(info[6]), info[7].ToBoolean().Value()};
  run->query.edges = page_arg(info[8]);
  run->query.nodes = page_arg(info[9]);
  return run_within_budget(
      info.Env(), stop_of(info[1]), [run](StopToken& stop) { return run->run(stop); },
      [run](Napi::Env env) { return run->value(env); }, info[0]);
}

}  // namespace

void register_snapshot(Napi::Env env, Napi::Object exports) {
  exports.Set("snapshotSubgraph", Napi::Function::New(env, run_snapshot, "snapshotSubgraph"));
}

}  // namespace palimpsest::node
