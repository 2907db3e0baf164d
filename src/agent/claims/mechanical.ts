// Mechanical claims: for each part of a question the one claim that its kind prescribes, made by code from the plan and the
// results. The same verifier judges them.
import { ALLEN_RELATIONS } from "../../contract/allen.js";
import { parsePath } from "../../plan/references.js";
import { cellAt, cellsAt } from "./cells.js";
import type { ChangeDirection, Claim, Span, SpanRelation } from "./claim.js";
import type { Evidence } from "./evidence.js";
import { holds, intervalOf, PAIRS } from "./pairs.js";
import { type AskedPart, isComputed, listOf } from "./relevance.js";

type Unnamed<C> = C extends Claim ? Omit<C, "id"> : never;
type Made = Unnamed<Claim>;

async function absenceOf(evidence: Evidence, from: string): Promise<Made | null> {
  const list = listOf(from);
  if (list === null) return null;
  const found = await cellsAt(evidence, list, true);
  if ("wrong" in found) return null;
  return (found.cell.rowsTotal ?? found.cell.values.length) === 0 ? { type: "absence", list } : null;
}

async function countOf(evidence: Evidence, from: string): Promise<Made> {
  const found = await cellAt(evidence, from, false);
  const isNone = !("wrong" in found) && found.cell.value === 0;
  return isNone ? { type: "absence", cell: from } : { type: "count", cell: from };
}

async function isEntity(evidence: Evidence, from: string): Promise<boolean> {
  const found = await cellAt(evidence, from, false);
  if ("wrong" in found || typeof found.cell.value !== "string") return false;
  const { step, type, value } = found.cell;
  const isText = type === null || type.type === "string";
  return isText && evidence.store.unknownUids([value as string], evidence.pinOf(step)).length === 0;
}

const referencesOf = (evidence: Evidence, from: string, name: string): readonly string[] => {
  const parsed = parsePath(from);
  const step = parsed.kind === "path" ? evidence.step(parsed.path.step) : undefined;
  return step?.references.filter(({ place }) => place[0] === name).map(({ $ref }) => $ref as string) ?? [];
};

function spanOf(evidence: Evidence, from: string, names: readonly string[]): Span | null {
  const refs = names.flatMap((name) => referencesOf(evidence, from, name));
  if (refs.length === 1) return { at: refs[0]! };
  return refs.length === 2 ? { from: refs[0]!, to: refs[1]! } : null;
}

async function intervalAt(evidence: Evidence, span: Span) {
  if ("at" in span) {
    const at = await cellAt(evidence, span.at, false);
    return "wrong" in at ? null : intervalOf(at.cell, null);
  }
  const [from, to] = [await cellAt(evidence, span.from, false), await cellAt(evidence, span.to, true)];
  return "wrong" in from || "wrong" in to ? null : intervalOf(from.cell, to.cell);
}

async function orderingOf(evidence: Evidence, from: string): Promise<Made | null> {
  const a = spanOf(evidence, from, ["a", "x"]);
  const b = spanOf(evidence, from, ["b", "y"]);
  if (a === null || b === null) return null;
  const [left, right] = [await intervalAt(evidence, a), await intervalAt(evidence, b)];
  if (left === null || right === null) return null;
  const relation: SpanRelation | undefined = ALLEN_RELATIONS.find((name) => holds(name, left, right));
  return relation === undefined ? null : { type: "ordering", a, b, relation };
}

/** The two operands of a difference, as what was and what is; the way is found by trying. */
async function changeOf(
  evidence: Evidence,
  from: string,
  isSupported: (made: Made) => Promise<boolean>,
): Promise<Made | null> {
  if (!isComputed(evidence, from, ["diff"])) return null;
  const [x] = referencesOf(evidence, from, "x");
  const [y] = referencesOf(evidence, from, "y");
  if (x === undefined || y === undefined) return null;
  for (const [before, after] of [
    [y, x],
    [x, y],
  ] as const) {
    for (const axis of ["belief", "valid"] as const) {
      for (const direction of ["up", "down", "same", "different"] as const satisfies readonly ChangeDirection[]) {
        const made: Made = { type: "change", before, after, axis, direction };
        if (await isSupported(made)) return made;
      }
    }
  }
  return null;
}

async function intervalOfRow(evidence: Evidence, from: string): Promise<Made | null> {
  const absence = await absenceOf(evidence, from);
  if (absence !== null) return absence;
  for (const [begin, end] of PAIRS) {
    const [first, last] = [
      await cellAt(evidence, `${from}.${begin}`, false),
      await cellAt(evidence, `${from}.${end}`, true),
    ];
    if (!("wrong" in first) && !("wrong" in last))
      return { type: "interval", from: `${from}.${begin}`, to: `${from}.${end}` };
  }
  return null;
}

/** The claim that the kind of a part prescribes; null where code prints it, or where there is nothing to claim. */
export async function mechanicalClaim(
  evidence: Evidence,
  { kind, from }: AskedPart,
  isSupported: (made: Made) => Promise<boolean>,
): Promise<Made | null> {
  switch (kind) {
    case "count":
      return countOf(evidence, from);
    case "value": {
      const absence = await absenceOf(evidence, from);
      if (absence !== null) return absence;
      if (await isEntity(evidence, from)) return { type: "entity", cell: from };
      return (await changeOf(evidence, from, isSupported)) ?? { type: "value", cell: from };
    }
    case "entity_set":
      return (await absenceOf(evidence, from)) ?? { type: "entity_set", cells: from, complete: true };
    case "interval":
      return intervalOfRow(evidence, from);
    case "ordering":
      return orderingOf(evidence, from);
    default:
      return null;
  }
}
