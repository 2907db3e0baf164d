// The logical counts of one native view, as the cost functions of the declarations ask for them.
import type { EdgeRefArgument } from "../../contract/schemas.js";
import { addon } from "../../native/addon.js";
import type { NativeView } from "../../native/store.js";
import type { Statistics, WindowUs } from "../engine.js";

/** Bounds beyond every instant, for ends that are not there. */
const BEFORE_ALL = -(2n ** 62n);
const AFTER_ALL = 2n ** 62n;

const ends = ({ fromUs, toUs }: WindowUs): [bigint, bigint] => [fromUs ?? BEFORE_ALL, toUs ?? AFTER_ALL];

export function nativeStatistics(view: NativeView): Statistics {
  const counts = addon.statistics;
  const commit = view.commit(view.tx);
  let meanDegree: number | undefined;
  return {
    knownUids: () => commit.nodes,
    nodeVersions: () => commit.believedNodes,
    edgeVersions: () => commit.believedEdges,
    versionRows: () => commit.nodeRows + commit.edgeRows,
    edgesTouching: (window) => counts.edgesTouching(view, ...ends(window)),
    eventsIn: (window) => counts.edgesBeginning(view, ...ends(window)),
    degree: (uid) => counts.degree(view, uid),
    meanDegree: () => (meanDegree ??= counts.meanDegree(view)),
    rowsOf: (ref) =>
      "uid" in ref
        ? counts.rowsOfNode(view, ref.uid)
        : counts.rowsOfEdge(view, ref.src, ref.type, ref.dst, (ref as EdgeRefArgument).key ?? ""),
    typeShares: () => {
      const { types, shares } = counts.typeShares(view);
      return new Map(types.map((type, i) => [type, shares[i]!]));
    },
    validChanges: (fromUs, toUs) => counts.validChanges(view, fromUs, toUs),
    txChanges: (fromTx, toTx) => counts.txChanges(view, fromTx, toTx),
    lastTxBefore: (us) => Math.min(view.tx, view.txAt(us - 1n)),
    commits: () => view.tx,
    extent: () => {
      const { leastFrom, greatestFrom } = counts.extent(view, false);
      return leastFrom === null || greatestFrom === null ? null : { fromUs: leastFrom, toUs: greatestFrom + 1n };
    },
  };
}
