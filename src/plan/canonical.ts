// The canonical form of a plan: what two authors mean alike is written alike, and has one digest.
// Steps are numbered by where the answer needs them; equal steps are one; defaults are filled; `depends_on` goes.
import { canonicalJson } from "../contract/canonical.js";
import { sha256Hex } from "../contract/digest.js";
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Plan, PlanStep, Violation } from "./plan.js";
import { parsePath, printPath, type ReferencePath, withReferences } from "./references.js";
import type { JudgedStep } from "./verify/step.js";
import { readVerified, type VerifiedPlan } from "./verify/verify.js";

const pathOf = (text: string): ReferencePath => {
  const parsed = parsePath(text);
  if (parsed.kind === "wrong") throw new Error(`the path ${text} was verified`);
  return parsed.path;
};

/** `s1.rows` and `s1.rows[*]` are the rows of the step, as `s1` is. */
function shortest(path: ReferencePath): ReferencePath {
  const [only] = path.segments;
  const isRows = path.segments.length === 1 && only!.name === "rows" && typeof only!.index !== "number";
  return isRows ? { step: path.step, segments: [] } : path;
}

/** A step with its references replaced: by what they mean for the identity of steps, or by new ids. */
function stepOf(judged: JudgedStep, rename: (id: string) => string): Omit<PlanStep, "id"> {
  const { step, operator } = judged;
  const args = withReferences(judged.args as JsonObject, (text) => {
    const path = shortest(pathOf(text));
    return { $ref: printPath({ ...path, step: rename(path.step) }) };
  }) as JsonObject;
  const { name, spell } = operator.declaration;
  return {
    op: name,
    args: spell === undefined ? args : spell(args),
    ...(step.slice === null ? {} : { slice: step.slice }),
    ...(step.isUnknownEmpty ? { unknown: "empty" as const } : {}),
  };
}

/** What each step is, whatever the ids: equal for equal steps over equal inputs. */
function stepIdentities({ steps }: VerifiedPlan): ReadonlyMap<string, string> {
  const identities = new Map<string, string>();
  for (const judged of steps) {
    // An id must begin with a letter.
    const named = stepOf(judged, (id) => `h${identities.get(id)!}`);
    identities.set(judged.step.id, sha256Hex(canonicalJson(named)).slice(0, 40));
  }
  return identities;
}

/** New ids: steps in the order in which the answer meets them, inputs first; then those that it does not need. */
function numbering(verified: VerifiedPlan, identities: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const byIdentity = new Map<string, JudgedStep>();
  for (const judged of verified.steps) {
    const identity = identities.get(judged.step.id)!;
    if (!byIdentity.has(identity)) byIdentity.set(identity, judged);
  }
  const numbers = new Map<string, string>();
  const visit = (identity: string): void => {
    if (numbers.has(identity)) return;
    const judged = byIdentity.get(identity)!;
    const sorted = withSortedKeys(judged.args as JsonObject);
    const inputs: string[] = [];
    withReferences(sorted, (text) => {
      inputs.push(identities.get(pathOf(text).step)!);
      return null;
    });
    for (const input of inputs) visit(input);
    numbers.set(identity, `s${numbers.size + 1}`);
  };
  for (const { from } of [verified.answer, ...verified.answer.also]) visit(identities.get(pathOf(from).step)!);
  for (const identity of [...byIdentity.keys()].sort()) visit(identity);
  return numbers;
}

function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.keys(value)
    .sort()
    .map((key) => [key, withSortedKeys(value[key]!)] as const);
  return Object.fromEntries(members);
}

export interface CanonicalPlan {
  readonly plan: Plan;
  /** By the id that the author gave, the canonical one. */
  readonly ids: ReadonlyMap<string, string>;
  /** By the id that the author gave, what the step is: equal for equal steps. */
  readonly identities: ReadonlyMap<string, string>;
  readonly digest: string;
}

export function canonicalOf(verified: VerifiedPlan): CanonicalPlan {
  const identities = stepIdentities(verified);
  const numbers = numbering(verified, identities);
  const rename = (id: string): string => numbers.get(identities.get(id)!)!;
  const byNumber = new Map<string, PlanStep>();
  for (const judged of verified.steps) {
    const id = rename(judged.step.id);
    if (!byNumber.has(id)) byNumber.set(id, { id, ...stepOf(judged, rename) });
  }
  const renamed = (from: string): string => {
    const path = shortest(pathOf(from));
    return printPath({ ...path, step: rename(path.step) });
  };
  const { kind, from, columns, also } = verified.answer;
  const plan: Plan = {
    steps: [...numbers.values()].map((id) => byNumber.get(id)!),
    answer: {
      kind,
      from: renamed(from),
      ...(columns === null ? {} : { columns }),
      ...(also.length === 0 ? {} : { also: also.map((part) => ({ kind: part.kind, from: renamed(part.from) })) }),
    },
  };
  const ids = new Map(verified.steps.map(({ step }) => [step.id, rename(step.id)]));
  return { plan, ids, identities, digest: sha256Hex(canonicalJson(plan)) };
}

/** E_PLAN_INVALID with everything that is wrong. */
export function invalidPlan(violations: readonly Violation[]): PalimpsestError {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  return new PalimpsestError("E_PLAN_INVALID", `the plan does not verify: ${first?.message ?? ""}${more}`, {
    details: { violations },
    hint: first?.hint ?? "",
  });
}

function verifiedOf(plan: unknown): VerifiedPlan {
  const read = readVerified(plan);
  if ("violations" in read) throw invalidPlan(read.violations);
  return read.verified;
}

/** The canonical form; E_PLAN_INVALID for a plan that does not verify. */
export const canonicalPlan = (plan: unknown): Plan => canonicalOf(verifiedOf(plan)).plan;

/** SHA-256 over the canonical form. */
export const planDigest = (plan: unknown): string => canonicalOf(verifiedOf(plan)).digest;
