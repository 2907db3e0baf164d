// The answer against the types of the steps: the path leads somewhere, and what is there is what the kind says.
import { isInstant } from "../../operators/expressions/types.js";
import {
  type AnyOutput,
  describeType,
  follow,
  legalFields,
  type ObjectOutput,
  type OutputType,
} from "../output-types.js";
import type { AnswerKind } from "../plan.js";
import { parsePath } from "../references.js";
import type { ReadAnswer, ReadPart } from "./read-plan.js";
import { type JudgedStep, legalHint } from "./step.js";
import type { Violations } from "./violations.js";

interface Known {
  readonly outputs: ReadonlyMap<string, ObjectOutput | AnyOutput>;
  readonly ids: ReadonlySet<string>;
  readonly steps: ReadonlyMap<string, JudgedStep>;
}

const isScalar = (type: OutputType, ...types: string[]): boolean =>
  type.kind === "any" || (type.kind === "scalar" && (types.length === 0 || types.includes(type.type)));

/** An object that has both ends of an interval: declared as a pair, or under the names that pairs have. */
function isInterval(type: OutputType): boolean {
  if (type.kind !== "object") return type.kind === "any";
  const { fields } = type;
  const isTime = (name: string): boolean => {
    const field = fields[name];
    return field?.kind === "any" || (field?.kind === "scalar" && isInstant(field.type));
  };
  const declared = Object.values(fields).flatMap((field) =>
    field.kind === "scalar" && field.pair ? [field.pair] : [],
  );
  const named = [
    ["from", "to"],
    ["valid_from", "valid_to"],
    ["tx_from", "tx_to"],
    ["departure", "arrival"],
    ["bucket_from", "bucket_to"],
  ] as const;
  return [...declared, ...named].some(([from, to]) => isTime(from) && isTime(to));
}

const WANTED: Readonly<Record<AnswerKind, string>> = {
  count: "an integer, such as s1.rows_total or s1.rows[0].count",
  value: "one value, such as s1.rows[0].uid",
  entity_set: "a list of uids, such as s1.rows[*].uid",
  interval: "a row with the two ends of an interval, such as s1.rows[0]",
  ordering: "the value of a step compute with fn interval_relation, or with fn diff of two instants",
  series: "a list, such as s1.rows",
  paths: "a list, such as s1.rows",
  table: "a list, such as s1",
};

function isOrdering(part: ReadPart, known: Known): boolean {
  const parsed = parsePath(part.from);
  if (parsed.kind === "wrong") return false;
  const { step, segments } = parsed.path;
  const judged = known.steps.get(step);
  if (judged === undefined) return true;
  if (judged.operator.declaration.name !== "compute" || segments.length !== 1 || segments[0]!.name !== "value") {
    return false;
  }
  const { fn } = judged.step.args;
  if (fn === "interval_relation") return true;
  const { output } = judged;
  // A difference of two instants is a duration, and so is that of two durations: the operands decide.
  const value = output.kind === "object" ? output.fields.value : undefined;
  return fn === "diff" && (value === undefined || isScalar(value, "duration"));
}

function isOfKind(part: ReadPart, type: OutputType, known: Known): boolean {
  switch (part.kind) {
    case "count":
      return isScalar(type, "int");
    case "value":
      return isScalar(type);
    case "entity_set":
      return type.kind === "any" || (type.kind === "list" && isScalar(type.item, "string"));
    case "interval":
      return isInterval(type);
    case "ordering":
      return isOrdering(part, known);
    default:
      return type.kind === "list" || type.kind === "any";
  }
}

/** The type that a part points at; undefined where the path is wrong or nothing is known. */
function typeOfPart(part: ReadPart, known: Known, violations: Violations): OutputType | undefined {
  const path = `${part.path}/from`;
  const place = (step: string | null) => ({ position: null, step, path });
  const parsed = parsePath(part.from);
  if (parsed.kind === "wrong") {
    const { message, hint } = parsed;
    violations.add(place(null), { code: "E_PLAN_INVALID", kind: "bad_path", message, hint });
    return undefined;
  }
  const { step, segments } = parsed.path;
  if (!known.ids.has(step)) {
    const hint = `the steps are ${[...known.ids].slice(0, 20).join(", ")}`;
    const message = `${part.from}: there is no step ${step}`;
    violations.add(place(null), { code: "E_PLAN_INVALID", kind: "unknown_step", message, hint });
    return undefined;
  }
  const output = known.outputs.get(step);
  if (output === undefined || output.kind === "any") return undefined;
  if (segments.length === 0 && output.fields.rows === undefined) return output;
  const followed = follow(output, parsed.path);
  if (followed.kind === "type") return followed.type;
  const asked = segments.find(({ name }) => followed.message.includes(JSON.stringify(name)))?.name ?? "";
  const hint = legalHint(asked, followed.legal);
  const message = `${part.from}: ${followed.message}`;
  violations.add(place(step), { code: "E_SCHEMA", kind: followed.problem, message, hint });
  return undefined;
}

function checkPart(part: ReadPart, type: OutputType, known: Known, violations: Violations): void {
  if (isOfKind(part, type, known)) return;
  violations.add(
    { position: null, step: null, path: `${part.path}/from` },
    {
      code: "E_PLAN_INVALID",
      kind: "kind_mismatch",
      message: `${part.from} is ${describeType(type)}, which is no answer of kind ${part.kind}`,
      hint: `point at ${WANTED[part.kind]}`,
    },
  );
}

/** Columns are those of the rows, or single fields of the envelope; not some of each. */
function checkColumns(answer: ReadAnswer, type: OutputType, known: Known, violations: Violations): void {
  const parsed = parsePath(answer.from);
  if (answer.columns === null || parsed.kind === "wrong") return;
  const output = known.outputs.get(parsed.path.step);
  if (output === undefined || output.kind === "any") return;
  const row = type.kind === "list" ? type.item : type;
  if (row.kind === "any") return;
  const isRow = (name: string): boolean => row.kind === "object" && row !== output && Object.hasOwn(row.fields, name);
  const isField = (name: string): boolean => isScalarField(output, name);
  const isOfRows = answer.columns.some(({ from }) => isRow(from));
  for (const [i, { from }] of answer.columns.entries()) {
    if (isRow(from) || (!isOfRows && isField(from))) continue;
    const legal = row.kind === "object" ? legalFields(row) : [`value: ${describeType(row)}`];
    if (row.kind !== "object" && from === "value") continue;
    const isMixed = isOfRows && isField(from);
    violations.add(
      { position: null, step: parsed.path.step, path: `/answer/columns/${i}/from` },
      {
        code: "E_SCHEMA",
        kind: "unknown_column",
        message: isMixed
          ? `${JSON.stringify(from)} is a field of the whole answer, and others are columns of its rows`
          : `there is no column ${JSON.stringify(from)}`,
        hint: legalHint(from, legal),
      },
    );
  }
}

function isScalarField(output: ObjectOutput, name: string): boolean {
  const parsed = parsePath(`s.${name}`);
  if (parsed.kind === "wrong") return false;
  const followed = follow(output, parsed.path);
  return followed.kind === "type" && followed.type.kind !== "list" && followed.type.kind !== "object";
}

export function checkAnswer(answer: ReadAnswer, known: Known, violations: Violations): void {
  for (const part of [answer, ...answer.also]) {
    const type = typeOfPart(part, known, violations);
    if (type === undefined) continue;
    // A table of single fields is one row, whatever the step gives beside.
    const areFields = part === answer && answer.columns !== null && type.kind === "object";
    if (!areFields) checkPart(part, type, known, violations);
    if (part === answer && part.kind === "table") checkColumns(answer, type, known, violations);
  }
}
