// The logical counts of one native view, as the cost functions of the declarations ask for them.
import type { EdgeRefArgument } from "../../contract/schemas.js";
import { addon } from "../../native/addon.js";
import type { NativeView } from "../../native/store.js";
import type { Extent, Statistics, WindowUs } from "../engine.js";

/** Bounds beyond every instant, for ends that are not there. */
const BEFORE_ALL = -(2n ** 62n);
const AFTER_ALL = 2n ** 62n;

const ends = ({ fromUs, toUs }: WindowUs): [bigint, bigint] => [fromUs ?? BEFORE_ALL, toUs ?? AFTER_ALL];

const ALL_TIME: WindowUs = { fromUs: null, toUs: null };

function extentOf(view: NativeView, withNodes: boolean): Extent | null {
  const { leastFrom, greatestFrom, greatestTo } = addon.statistics.extent(view, withNodes);
  if (leastFrom === null || greatestFrom === null) return null;
  const toUs = greatestFrom + 1n;
  return { fromUs: leastFrom, toUs, lastEndUs: greatestTo === null || greatestTo < toUs ? toUs : greatestTo };
}

/** Counts that walk the lists of hubs or sample rows, kept for the commit that was asked about last. */
export class LastCounted {
  private tx = -1;
  /** An erasure changes what older commits hold. */
  private erasures = 0;
  private degree: number | null = null;
  private shares: ReadonlyMap<string, number> | null = null;

  meanDegree(view: NativeView): number {
    this.turnTo(view);
    this.degree ??= addon.statistics.meanDegree(view);
    return this.degree;
  }
  typeShares(view: NativeView): ReadonlyMap<string, number> {
    this.turnTo(view);
    if (this.shares === null) {
      const { types, shares } = addon.statistics.typeShares(view);
      this.shares = new Map(types.map((type, i) => [type, shares[i]!]));
    }
    return this.shares;
  }

  private turnTo(view: NativeView): void {
    const erasures = view.erasures().length;
    if (view.tx === this.tx && erasures === this.erasures) return;
    this.tx = view.tx;
    this.erasures = erasures;
    this.degree = null;
    this.shares = null;
  }
}

export function nativeStatistics(view: NativeView, last: LastCounted): Statistics {
  const counts = addon.statistics;
  const commit = view.commit(view.tx);
  return {
    knownUids: () => commit.nodes,
    nodeVersions: () => commit.believedNodes,
    edgeVersions: () => commit.believedEdges,
    versionRows: () => commit.nodeRows + commit.edgeRows,
    nodesTouching: (window) => counts.nodesTouching(view, ...ends(window)),
    edgesTouching: (window) => counts.edgesTouching(view, ...ends(window)),
    eventsIn: (window) => counts.edgesBeginning(view, ...ends(window)),
    degree: (uid, window = ALL_TIME) => counts.degree(view, uid, ...ends(window)),
    meanDegree: () => last.meanDegree(view),
    rowsOf: (ref, window = ALL_TIME) =>
      "uid" in ref
        ? counts.rowsOfNode(view, ref.uid, ...ends(window))
        : counts.rowsOfEdge(view, ref.src, ref.type, ref.dst, (ref as EdgeRefArgument).key ?? "", ...ends(window)),
    typeShares: () => last.typeShares(view),
    validChanges: (fromUs, toUs) => counts.validChanges(view, fromUs, toUs),
    txChanges: (fromTx, toTx) => counts.txChanges(view, fromTx, toTx),
    lastTxBefore: (us) => Math.min(view.tx, view.txAt(us - 1n)),
    commits: () => view.tx,
    extent: () => extentOf(view, false),
    wholeExtent: () => extentOf(view, true),
  };
}
