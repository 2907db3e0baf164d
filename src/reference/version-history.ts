// P2 version_history: every version written, and what ended it. Its order and its tx window serve scan too.

import { refOf } from "./batch.js";
import { EndJudge, passesContent, passesNode, type Where } from "./filters.js";
import type { Answer, Args, Row } from "./lists.js";
import { type Belief, cutBeginning, type Span, spanOf } from "./question.js";
import { beliefFields, type Projection, project, type TimeOfTx } from "./shown.js";
import { compareVersions, identityText, isNode, overlaps, type Version } from "./versions.js";

/** By commit, then nodes before edges, identity, valid_from. */
export function compareWritten(a: Version, b: Version): number {
  return a.tx - b.tx || compareVersions(a, b);
}

function liesIn(window: Span, version: Version, timeOf: TimeOfTx): boolean {
  const txs = version.ending === null ? [version.tx] : [version.tx, version.ending.tx];
  return txs.map(timeOf).some((time) => window.from <= time && time < window.to);
}

function rowOf(version: Version, projection: Projection, timeOf: TimeOfTx): Row {
  const identity = isNode(version)
    ? { uid: version.uid, labels: version.labels, src: null, type: null, dst: null, key: null }
    : { uid: null, labels: null, src: version.src, type: version.type, dst: version.dst, key: version.key };
  return {
    kind: version.kind,
    ...identity,
    props: project(version.props, projection),
    tx: version.tx,
    ended_tx: version.ending?.tx ?? null,
    ...beliefFields(version, timeOf),
  };
}

export function versionHistory(belief: Belief, args: Args): Answer {
  const ref = args.ref === null ? null : refOf(args.ref);
  if (ref !== null) belief.requireRef(ref);
  const where = args.where as Where;
  const window = spanOf(args.window);
  const txWindow = spanOf(args.tx_window);
  const endedBy = args.ended_by as readonly string[] | null;
  const judge = new EndJudge(belief.believed, where);

  const found = belief.written
    .filter((version) => args.kind === "both" || args.kind === version.kind)
    .filter((version) => ref === null || identityText(version) === identityText(ref))
    .filter((version) => overlaps(version, window.from, window.to) && liesIn(txWindow, version, belief.timeOf))
    .filter((version) => args.belief === "all" || (args.belief === "current") === (version.ending === null))
    .filter((version) => endedBy === null || (version.ending !== null && endedBy.includes(version.ending.by)))
    .filter((version) =>
      isNode(version)
        ? passesNode(version.uid, version, where.node)
        : passesContent(version, where) && judge.passesEnds(version, cutBeginning(version, window)),
    )
    .sort(compareWritten);

  const ended = (by: string) => found.filter((version) => version.ending?.by === by).length;
  const current = found.filter((version) => version.ending === null).length;
  return {
    lists: [["rows", found.map((version) => rowOf(version, args.props as Projection, belief.timeOf))]],
    fields: {
      totals: {
        current,
        superseded: found.length - current,
        overwritten: ended("overwritten"),
        retracted: ended("retracted"),
        corrected: ended("corrected"),
      },
    },
  };
}
