// Relevance: which claim answers a part of what was asked, which supports it, and which is about something else. Decided on
// paths and on the edges of the plan alone; a true statement about something else is no answer.
import type { AnswerKind, PlanAnswer } from "../../plan/plan.js";
import { parsePath } from "../../plan/references.js";
import type { Claim, Span } from "./claim.js";
import type { Evidence } from "./evidence.js";

/** A part of the question: what the plan's answer points at, the main part first. */
export interface AskedPart {
  readonly kind: AnswerKind;
  readonly from: string;
}

export type Standing = { readonly as: "main"; readonly part: number } | { readonly as: "support" | "off_topic" };

export const partsOf = ({ kind, from, also }: PlanAnswer): readonly AskedPart[] => [{ kind, from }, ...(also ?? [])];

/** Lists that code prints: they need no claim. */
export const isPrinted = ({ kind }: AskedPart): boolean => kind === "series" || kind === "paths" || kind === "table";

export function stepOf(path: string): string | null {
  const parsed = parsePath(path);
  return parsed.kind === "path" ? parsed.path.step : null;
}

const pathsOfSpan = (span: Span): string[] => ("at" in span ? [span.at] : [span.from, span.to]);

/** The paths that a claim stands on; subjects are not among them. */
export function pathsOf(claim: Claim): readonly string[] {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return [claim.cell];
    case "entity_set":
      return [claim.cells];
    case "ordering":
      return [...pathsOfSpan(claim.a), ...pathsOfSpan(claim.b)];
    case "interval":
      return [claim.from, claim.to];
    case "change":
      return [claim.before, claim.after];
    case "absence":
      return [claim.cell ?? claim.list!];
    case "temporal_pattern":
      return [claim.step, ...(claim.row === undefined ? [] : [claim.row])];
  }
}

/** The list that a path goes through, as a path: `s1.rows` of `s1.rows[0].uid`. */
export function listOf(path: string): string | null {
  const at = path.indexOf("[");
  return at < 0 ? null : path.slice(0, at);
}

/** Functions of compute that tell how two things lie in time. */
const ORDERING: readonly string[] = ["interval_relation", "diff"];

/** Whether a path names the value of a step of compute by one of these functions. */
export function isComputed(evidence: Evidence, from: string, fns: readonly string[]): boolean {
  const id = stepOf(from) ?? "";
  const step = evidence.step(id);
  if (step === undefined || step.record.op !== "compute" || from !== `${id}.value`) return false;
  return fns.includes(step.record.args?.fn as string);
}

/** The paths that a step of compute was given as operands, in the order of its arguments. */
function operandsOf(evidence: Evidence, from: string): readonly (readonly string[])[] {
  const step = evidence.step(stepOf(from) ?? "");
  if (step === undefined) return [];
  const given = (name: string): string[] =>
    step.references.filter(({ place }) => place[0] === name).map(({ $ref }) => $ref as string);
  return [
    [...given("a"), ...given("x")],
    [...given("b"), ...given("y")],
  ];
}

const sameMembers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((member) => b.includes(member));

/** Whether two sides are those of a step of compute, in either order. */
function areOperands(evidence: Evidence, from: string, one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = operandsOf(evidence, from);
  if (first === undefined || second === undefined) return false;
  return (
    (sameMembers(one, first) && sameMembers(other, second)) || (sameMembers(one, second) && sameMembers(other, first))
  );
}

const isOfRow = (path: string, row: string): boolean => path === row || path.startsWith(`${row}.`);

/** Whether a claim says what a part asks for: its type is one that answers the kind, and its cells are those of `from`. */
export function answers(evidence: Evidence, claim: Claim, { kind, from }: AskedPart): boolean {
  switch (claim.type) {
    case "count":
      // What counts is a value, too.
      return (kind === "count" || kind === "value") && claim.cell === from;
    case "value":
    case "entity":
      return kind === "value" && claim.cell === from;
    case "entity_set":
      return kind === "entity_set" && claim.cells === from && claim.complete;
    case "interval":
      return kind === "interval" && isOfRow(claim.from, from) && isOfRow(claim.to, from);
    case "temporal_pattern":
      return kind === "interval" && claim.row !== undefined && isOfRow(claim.row, from);
    case "ordering":
      return (
        kind === "ordering" &&
        isComputed(evidence, from, ORDERING) &&
        areOperands(evidence, from, pathsOfSpan(claim.a), pathsOfSpan(claim.b))
      );
    case "change":
      // A ratio of the two is another thing than which way they went.
      return (
        kind === "value" &&
        isComputed(evidence, from, ["diff"]) &&
        areOperands(evidence, from, [claim.before], [claim.after])
      );
    case "absence":
      if (kind === "count") return claim.cell === from || (claim.list !== undefined && `${claim.list}_total` === from);
      if (kind !== "value" && kind !== "entity_set") return false;
      return claim.list !== undefined && claim.list === listOf(from);
  }
}

/** Where a claim stands to the parts of a question. */
export function standingOf(evidence: Evidence, claim: Claim, parts: readonly AskedPart[]): Standing {
  const part = parts.findIndex((asked) => answers(evidence, claim, asked));
  if (part >= 0) return { as: "main", part };
  const asked = parts.flatMap(({ from }) => stepOf(from) ?? []);
  const near = new Set(asked.flatMap((step) => [step, ...evidence.ancestors(step)]));
  const steps = pathsOf(claim).map(stepOf);
  return { as: steps.every((step) => step !== null && near.has(step)) ? "support" : "off_topic" };
}
