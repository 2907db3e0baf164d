// The places that a claim names, all of them found before any rule of its type is asked: V2 to V5, rule by rule.
import { compareCodePoints } from "../../contract/code-points.js";
import type { JsonValue } from "../../contract/values.js";
import { type Cell, type CellList, cellAt, cellsAt } from "./cells.js";
import type { CellRef, Claim, Span, UnverifiableReason } from "./claim.js";
import type { Evidence } from "./evidence.js";
import { evidenceOf } from "./step-evidence.js";
import { isMention } from "./ties.js";

/** How a path is read: one cell, a later end that may be open, the cells of `[*]`, or a list as a whole. */
type Form = "cell" | "end" | "cells" | "list";
interface Place {
  readonly ref: CellRef;
  readonly form: Form;
}

/** V2 to V5 in their order. */
const RULES: readonly UnverifiableReason[] = ["no_evidence", "digest_mismatch", "no_cell", "not_evidence", "null_cell"];

const isText = (value: JsonValue): value is string => typeof value === "string";

const cell = (ref: CellRef): Place => ({ ref, form: "cell" });

/** Only a subject may be a mention, which is no place. */
const subjects = (refs: readonly CellRef[]): Place[] => refs.filter((ref) => !isMention(ref)).map(cell);

function placesOfSpan(span: Span): Place[] {
  const of = subjects(span.of === undefined ? [] : [span.of]);
  return "at" in span ? [cell(span.at), ...of] : [cell(span.from), { ref: span.to, form: "end" }, ...of];
}

function placesOfType(claim: Claim): Place[] {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return [cell(claim.cell)];
    case "entity_set":
      return [{ ref: claim.cells, form: "cells" }];
    case "ordering":
      return [...placesOfSpan(claim.a), ...placesOfSpan(claim.b)];
    case "interval":
      return [cell(claim.from), { ref: claim.to, form: "end" }];
    case "change":
      return [cell(claim.before), cell(claim.after)];
    case "absence":
      return claim.cell === undefined ? [{ ref: claim.list!, form: "list" }] : [cell(claim.cell)];
    case "temporal_pattern":
      return claim.row === undefined ? [] : [cell(claim.row)];
  }
}

/** What the paths of a claim lead to. */
export class Places {
  private readonly cells = new Map<string, Cell>();
  private readonly lists = new Map<string, CellList>();

  cell(ref: CellRef): Cell {
    return this.cells.get(ref)!;
  }
  /** Undefined for a list, and for a step as a whole. */
  find(ref: CellRef): Cell | undefined {
    return this.cells.get(ref);
  }
  list(ref: CellRef): CellList {
    return this.lists.get(ref)!;
  }

  /** The texts of all cells, among them the entities; of lists the first in code point order. */
  texts(mostOfList: number): readonly string[] {
    const ofCells = Array.from(this.cells.values(), ({ value }) => value);
    const ofLists = Array.from(this.lists.values(), ({ values }) => values.filter(isText).sort(compareCodePoints));
    return [...ofCells.filter(isText), ...ofLists.flatMap((values) => values.slice(0, mostOfList))];
  }

  async take(evidence: Evidence, { ref, form }: Place): Promise<UnverifiableReason | null> {
    if (form === "cells" || form === "list") {
      const found = await cellsAt(evidence, ref, form === "list");
      if ("wrong" in found) return found.wrong;
      this.lists.set(ref, found.cell);
      return form === "cells" && found.cell.values.includes(null) ? "null_cell" : null;
    }
    const found = await cellAt(evidence, ref, form === "end");
    if ("wrong" in found) return found.wrong;
    this.cells.set(ref, found.cell);
    return null;
  }
}

/** All places of a claim, or the first rule that one of them fails. */
export async function placesOf(evidence: Evidence, claim: Claim): Promise<Places | UnverifiableReason> {
  const named = [...placesOfType(claim), ...subjects(claim.about ?? [])];
  const places = new Places();
  const wrong: UnverifiableReason[] = [];
  for (const place of named) {
    const problem = await places.take(evidence, place);
    if (problem !== null) wrong.push(problem);
  }
  if (claim.type === "temporal_pattern") {
    const step = await evidenceOf(evidence, claim.step);
    if (typeof step === "string") wrong.push(step);
    // The row of a pattern is one of the step that it cites.
    else if (claim.row !== undefined && claim.row.split(".", 1)[0] !== claim.step) wrong.push("no_cell");
  }
  const failed = RULES.find((rule) => wrong.includes(rule));
  return failed ?? places;
}
