// What ajv found wrong, as one E_SCHEMA with path and hint.
// Of the branches of a union the one is reported that the caller most likely meant.
import type { ErrorObject } from "ajv/dist/2020.js";
import { canonicalJson } from "../contract/canonical.js";
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";
import { MAX_NESTING, MAX_PREDICATES } from "./predicate-bounds.js";

const depthOf = (error: ErrorObject): number => error.instancePath.split("/").length;
const isTag = (error: ErrorObject): boolean => error.keyword === "enum" || error.keyword === "const";

/** How far a value is from one branch: a wrong type of the whole is far, a wrong tag further than a missing member. */
function distance(errors: readonly ErrorObject[], union: ErrorObject): number {
  let sum = 0;
  for (const error of errors) {
    const isWhole = error.instancePath === union.instancePath && error.keyword === "type";
    if (isWhole) sum += error.params.type === "null" ? 100 : 50;
    else sum += isTag(error) ? 2 : 1;
  }
  return sum;
}

const legalValues = (error: ErrorObject): unknown[] =>
  error.keyword === "const" ? [error.params.allowedValue] : (error.params.allowedValues as unknown[]);

/** The member that a branch wants in place of the one that is wrong, where that is all it finds: `prop` for `of`. */
function memberInstead(wrong: ErrorObject, branches: readonly (readonly ErrorObject[])[]): string | null {
  const end = wrong.instancePath.lastIndexOf("/");
  const [owner, member] = [wrong.instancePath.slice(0, end), wrong.instancePath.slice(end + 1)];
  for (const errors of branches) {
    const isAside = errors.some(({ params }) => params.additionalProperty === member);
    const missing = errors.find(({ keyword }) => keyword === "required");
    const isAll = errors.length === 2 && errors.every(({ instancePath }) => instancePath === owner);
    if (isAside && missing !== undefined && isAll) return String(missing.params.missingProperty);
  }
  return null;
}

interface Telling {
  readonly error: ErrorObject;
  readonly legal: readonly unknown[];
  /** The member that could be written in place of it. */
  readonly instead: string | null;
}

/** The error to tell: one outside every union, or the first of the nearest branch of the deepest union. */
function mostTelling(errors: readonly ErrorObject[]): Telling {
  const unions = errors.filter((error) => error.keyword === "anyOf");
  const outside = errors.find((error) => !unions.some((union) => error.instancePath.startsWith(union.instancePath)));
  const tell = (error: ErrorObject, legal = isTag(error) ? legalValues(error) : []) => ({
    error,
    legal,
    instead: null,
  });
  if (outside !== undefined || unions.length === 0) return tell(outside ?? errors[0]!);

  const union = unions.reduce((deepest, each) => (depthOf(each) > depthOf(deepest) ? each : deepest));
  const below = errors.filter(
    (error) =>
      error.keyword !== "anyOf" &&
      error.schemaPath.startsWith(`${union.schemaPath}/`) &&
      error.instancePath.startsWith(union.instancePath),
  );
  const branches = new Map<string, ErrorObject[]>();
  for (const error of below) {
    const branch = error.schemaPath.slice(union.schemaPath.length + 1).split("/")[0]!;
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const nearest = [...branches.values()].sort((a, b) => distance(a, union) - distance(b, union))[0];
  const error = nearest?.find(isTag) ?? nearest?.[0] ?? union;
  const sameTag = below.filter((other) => isTag(other) && other.instancePath === error.instancePath);
  if (!isTag(error)) return tell(error, []);
  const legal = [...new Set(sameTag.flatMap(legalValues))];
  return { error, legal, instead: memberInstead(error, [...branches.values()]) };
}

/** What others call it. */
const OTHER_NAMES: Readonly<Record<string, string>> = { avg: "mean", average: "mean" };

/** The legal name that is meant by one that is not. */
function legalNameOf(name: string, legal: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, name.toLowerCase()) ? OTHER_NAMES[name.toLowerCase()]! : null;
  return other !== null && legal.includes(other) ? other : nearestNames(name, legal, 1)[0];
}

function hintOf({ error, legal, instead }: Telling): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "additionalProperties": {
      const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      const nearest = nearestNames(String(params.additionalProperty).slice(0, 100), known, 1);
      return nearest.length > 0 ? `did you mean ${nearest[0]}?` : `known here: ${known.join(", ")}`;
    }
    case "required":
      return `give ${params.missingProperty}`;
    case "enum":
    case "const": {
      const given = typeof error.data === "string" ? error.data.slice(0, 100) : null;
      const meant = given === null ? undefined : legalNameOf(given, legal.map(String));
      const all = `one of ${legal.map((value) => JSON.stringify(value)).join(", ")}`;
      const or = instead === null || given === null ? "" : `, or write ${instead}: ${JSON.stringify(given)}`;
      return `${meant === undefined ? "" : `did you mean ${JSON.stringify(meant)}? `}${all}${or}`;
    }
    case "instantForm": {
      const us = Number.isInteger(error.data) ? error.data : 1082016161000000;
      return `write "2004-04-15T08:02:41Z", or {"us": ${us}} for microseconds`;
    }
    case "minimum":
    case "maximum":
    case "minLength":
    case "minItems":
    case "maxItems":
    case "maxProperties":
      return `the bound is ${params.limit}`;
    case "exclusiveMinimum":
      return `give a number above ${params.limit}`;
    case "predicates":
      return "ask for less, or filter in steps of a plan";
    case "type":
      return typeHint(error);
    default:
      return "the manual of the operator lists its arguments";
  }
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "null",
};

/** What may stand in place of a value of a wrong type, with its members or bounds. */
function typeHint({ params, parentSchema = {} }: ErrorObject): string {
  const { properties, minimum, maximum } = parentSchema as { properties?: object; minimum?: number; maximum?: number };
  const type = String(params.type);
  if (type === "array") return "write a list: [..]";
  if (type === "object") {
    return properties === undefined
      ? "write an object: {..}"
      : `write an object with ${Object.keys(properties).join(", ")}`;
  }
  const bounds = minimum === undefined || maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  return `give ${KIND_NAMES[type] ?? type}${bounds}`;
}

/** The beginning of a wrong value, for the message. */
function shown(value: unknown): string {
  const text = canonicalJson(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function says(error: ErrorObject): string {
  switch (error.keyword) {
    case "additionalProperties":
      return "no such argument";
    case "required":
      return `${error.params.missingProperty} is missing`;
    case "enum":
    case "const":
      return `${shown(error.data)} is not one of the legal values`;
    case "instantForm":
      return "not an instant";
    case "predicates":
      return `more than ${MAX_PREDICATES} predicates, or nested deeper than ${MAX_NESTING}`;
    default:
      return error.message ?? "wrong shape";
  }
}

function errorOf(errors: readonly ErrorObject[]): PalimpsestError {
  const telling = mostTelling(errors);
  const { error } = telling;
  const member = error.keyword === "additionalProperties" ? `/${error.params.additionalProperty}` : "";
  const path = `${error.instancePath}${member}`;
  return new PalimpsestError("E_SCHEMA", `${path || "the arguments"}: ${says(error)}`, {
    details: { path },
    hint: hintOf(telling),
  });
}

const isInside = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}/`);

/** What ajv found, one error for each mistake, the one to tell alone first: all branches of a union are about one. */
export function shapeErrors(errors: readonly ErrorObject[]): PalimpsestError[] {
  const unions = errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath);
  const outermost = unions.filter(
    (path, i) => unions.indexOf(path) === i && !unions.some((other) => other !== path && isInside(path, other)),
  );
  const apart = errors.filter(({ instancePath }) => !outermost.some((union) => isInside(instancePath, union)));
  const depth = (group: readonly ErrorObject[]): number =>
    Math.max(...group.filter(({ keyword }) => keyword === "anyOf").map(depthOf));
  const groups = outermost
    .map((union) => errors.filter(({ instancePath }) => isInside(instancePath, union)))
    .sort((a, b) => depth(b) - depth(a));
  return [...apart.map((error) => errorOf([error])), ...groups.map(errorOf)];
}
