// O1 entity_history: what one node or edge was, over valid time, as believed at the pin.

import { refOf } from "./batch.js";
import { EndJudge, passesContent, type Where } from "./filters.js";
import type { Answer, Args } from "./lists.js";
import { type Belief, cutBeginning, spanOf } from "./question.js";
import { versionRow } from "./shown.js";
import { compareVersions, identityText, isEdge, overlaps, runs } from "./versions.js";

export function entityHistory(belief: Belief, args: Args): Answer {
  const ref = refOf(args.ref);
  belief.requireRef(ref);
  const window = spanOf(args.window);
  const touching = belief.believed.filter((version) => overlaps(version, window.from, window.to)).sort(compareVersions);
  const rows = touching.filter((version) => identityText(version) === identityText(ref));

  let edges = null;
  if (args.include_edges === true && "uid" in ref) {
    const where = args.where as Where;
    const judge = new EndJudge(belief.believed, where, new Set([ref.uid]));
    edges = touching
      .filter(isEdge)
      .filter((edge) => edge.src === ref.uid || edge.dst === ref.uid)
      .filter((edge) => passesContent(edge, where) && judge.passesEnds(edge, cutBeginning(edge, window)))
      .map((edge) => versionRow(edge, belief.timeOf));
  }
  return {
    lists: [
      ["rows", rows.map((version) => versionRow(version, belief.timeOf))],
      ["edges", edges],
    ],
    fields: { kind: "uid" in ref ? "node" : "edge", spells: runs(rows).length },
  };
}
