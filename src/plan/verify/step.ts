// The checks of one step: its references and their types, its arguments against the operator's contract, its output.
import { PalimpsestError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { PropertyReader } from "../../operators/declaration.js";
import type { Operator } from "../../operators/registry.js";
import { ANY, type AnyOutput, describeType, follow, type ObjectOutput, type OutputType } from "../output-types.js";
import { type PlacedReference, pointer, type ReferencePath, referencesIn, withReferences } from "../references.js";
import { answerType, inputTypes, type TypedReference } from "../step-types.js";
import {
  describeWanted,
  fits,
  isJson,
  isTable,
  type Node,
  type Place,
  schemasAt,
  standIn,
  type Variant,
} from "./places.js";
import type { ReadStep } from "./read-plan.js";
import type { Violations } from "./violations.js";

/** A reference whose path is well formed and names a step. */
export interface KnownReference extends PlacedReference {
  readonly path: ReferencePath;
}

export interface JudgedStep {
  readonly step: ReadStep;
  readonly operator: Operator;
  readonly references: readonly KnownReference[];
  /** Defaults filled and texts canonical, references kept; null where something is wrong with the arguments. */
  readonly args: JsonObject | null;
  readonly output: ObjectOutput | AnyOutput;
}

const placeOf = (step: ReadStep, path: string) => ({
  position: step.position,
  step: step.id,
  path: `/steps/${step.position}/args${path}`,
});

/** Legal fields for a hint, the nearest first. */
export function legalHint(name: string, legal: readonly string[]): string {
  if (legal.length === 0) return "";
  const names = new Map(legal.map((field) => [field.split(":")[0]!, field]));
  const near = nearestNames(name.slice(0, 100), names.keys(), 1)[0];
  const ordered =
    near === undefined ? legal : [names.get(near)!, ...legal.filter((field) => field !== names.get(near))];
  const shown = ordered.slice(0, 40).join(", ");
  return near === undefined ? `legal: ${shown}` : `did you mean ${near}? legal: ${shown}`;
}

/** What a reference gives, after the checks of its path. */
function typeOf(
  reference: KnownReference,
  step: ReadStep,
  outputs: ReadonlyMap<string, ObjectOutput | AnyOutput>,
  violations: Violations,
): OutputType {
  const output = outputs.get(reference.path.step);
  if (output === undefined || output.kind === "any") return ANY;
  const followed = follow(output, reference.path);
  if (followed.kind === "type") return followed.type;
  const { problem, message, legal } = followed;
  const asked = reference.path.segments.find(({ name }) => message.includes(JSON.stringify(name)))?.name ?? "";
  violations.add(placeOf(step, pointer(reference.place)), {
    code: "E_SCHEMA",
    kind: problem,
    message: `${reference.$ref as string}: ${message}`,
    hint: legalHint(asked, legal),
  });
  return ANY;
}

interface Typed extends TypedReference {
  readonly reference: KnownReference;
  readonly isPlace: boolean;
}

function checkType(typed: Typed, operator: Operator, step: ReadStep, violations: Violations): void {
  const { place, type, reference } = typed;
  const wanted = schemasAt(operator.declaration.args, step.args, place);
  if (wanted.length === 0 || fits(wanted, type)) return;
  const isSpread = type.kind === "list" && typeof place.at(-1) === "number";
  const hint = isSpread
    ? "put the reference in place of the whole list, not of an element"
    : type.kind === "list" && wanted.some((node) => node.type !== "array" && !isTable(node))
      ? "take one element with [0]"
      : type.kind === "object"
        ? "name one of its fields"
        : "";
  violations.add(placeOf(step, pointer(place)), {
    code: "E_SCHEMA",
    kind: "type_mismatch",
    message: `${reference.$ref as string} gives ${describeType(type)}, where ${describeWanted(wanted)} is wanted`,
    hint,
  });
}

/** The arguments with stand-ins for references, tables apart. */
function stoodIn(
  operator: Operator,
  args: JsonObject,
  typed: readonly Typed[],
  variant: Variant,
): { rest: JsonObject; tables: JsonObject } {
  const byPlace = new Map(typed.map((each) => [pointer(each.place), each]));
  const tables: JsonObject = {};
  const small: JsonObject = { ...args };
  for (const name of operator.tables) {
    if (!Array.isArray(args[name])) continue;
    small[name] = [];
    tables[name] = [];
  }
  const rest = withReferences(small, (_, place) => {
    const type = byPlace.get(pointer(place))?.type ?? ANY;
    return standIn(schemasAt(operator.declaration.args, args, place), type, place, variant);
  });
  return { rest: rest as JsonObject, tables };
}

const keyOf = ({ code, message, details }: PalimpsestError): string => `${code} ${String(details.path)} ${message}`;

/** What is wrong with the arguments whatever the references give. */
function findings(operator: Operator, args: JsonObject, typed: readonly Typed[]): readonly PalimpsestError[] {
  const look = (variant: Variant): readonly PalimpsestError[] => {
    const { rest, tables } = stoodIn(operator, args, typed, variant);
    return operator.findings(rest, tables);
  };
  const wide = look("wide");
  if (typed.length === 0 || wide.length === 0) return wide;
  const narrow = new Set(look("narrow").map(keyOf));
  const places = typed.filter(({ isPlace }) => isPlace).map(({ place }) => pointer(place));
  const isOfReference = (path: unknown): boolean =>
    places.some((place) => path === place || String(path).startsWith(`${place}/`));
  return wide.filter((error) => narrow.has(keyOf(error)) && !isOfReference(error.details.path));
}

/** The arguments of the plan as the operator knows them: `limit: null` means what leaving it out does. */
export function argumentsOf({ args }: ReadStep): { args: JsonObject; isWhole: boolean } {
  if (args.limit !== undefined && args.limit !== null) return { args, isWhole: false };
  const { limit: _limit, ...others } = args;
  return { args: others, isWhole: true };
}

export function judgeStep(
  step: ReadStep,
  operator: Operator,
  references: readonly KnownReference[],
  outputs: ReadonlyMap<string, ObjectOutput | AnyOutput>,
  violations: Violations,
  properties: PropertyReader | undefined,
): JudgedStep {
  const { args, isWhole } = argumentsOf(step);
  const typed = references.map((reference): Typed => {
    const isPlace = schemasAt(operator.declaration.args, args, reference.place).length > 0;
    return { place: reference.place, reference, isPlace, type: typeOf(reference, step, outputs, violations) };
  });
  for (const each of typed) checkType(each, operator, step, violations);
  const wrong = findings(operator, args, typed);
  for (const error of wrong) violations.addError(placeOf(step, ""), error);
  const judged = { step, operator, references };
  const areKnown = referencesIn(args).length === references.length;
  if (wrong.length > 0 || !areKnown) return { ...judged, args: null, output: fixedOutput(operator) };
  const canonical = operator.canonicalStep(args);
  const output = outputOf(operator, args, canonical, typed, step, violations, properties);
  return { ...judged, args: isWhole ? { ...canonical, limit: null as JsonValue } : canonical, output };
}

/** What the operator gives whatever its arguments are, so that mistakes behind a wrong step are found, too. */
function fixedOutput(operator: Operator): ObjectOutput | AnyOutput {
  const { answerTypes, rowSchema } = operator.declaration;
  return answerTypes === undefined && rowSchema === undefined ? answerType(operator, {}, {}) : ANY;
}

/** A place for a text of no kind, which may name a column. */
const isName = ({ type, kind }: Node): boolean => type === "string" && kind === undefined;

function outputOf(
  operator: Operator,
  given: JsonObject,
  canonical: JsonObject,
  typed: readonly Typed[],
  step: ReadStep,
  violations: Violations,
  properties: PropertyReader | undefined,
): ObjectOutput | AnyOutput {
  const schema = operator.declaration.args;
  const { answerTypes, rowSchema } = operator.declaration;
  const isOpen = answerTypes !== undefined || rowSchema !== undefined;
  const wantedAt = (place: Place) => schemasAt(schema, given, place);
  // A name of a column, or a query, that an earlier step gives: what comes of it is known when it runs.
  if (isOpen && typed.some(({ place }) => wantedAt(place).some(isName))) return ANY;
  const args = isOpen
    ? withReferences(canonical, ($ref, place) => {
        const wanted = wantedAt(place);
        const isTyped = wanted.some((node) => isTable(node) || isJson(node));
        return isTyped ? { $ref } : standIn(wanted, ANY, place, "narrow");
      })
    : canonical;
  try {
    return answerType(operator, args as JsonObject, inputTypes(operator, given, typed), properties);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    violations.addError(placeOf(step, ""), error);
    return ANY;
  }
}
