// Defaults and canonical form of arguments, compiled from the schema to closures (stages 3 and 4).
// Expects arguments that passed the shape; what does not parse is reported, not thrown, so that the first error by
// code can be chosen over all of them.
import type { TSchema } from "typebox";
import { zoneOf } from "../calendar/zones.js";
import { canonicalJson } from "../contract/canonical.js";
import { sortedSet } from "../contract/code-points.js";
import { formatDuration, formatStride, parseDuration, parseStride } from "../contract/duration.js";
import { PalimpsestError } from "../contract/errors.js";
import { formatEnd, formatInstant } from "../contract/instant.js";
import { parseInstant, parseValidTo } from "../contract/parse-instant.js";
import { checkBytes, type JsonObject, type JsonValue, LIMITS, normaliseValue } from "../contract/values.js";
import type { Report } from "./declaration.js";
import { RECURSIVE_SCHEMAS } from "./recursive-schemas.js";

type Node = Record<string, unknown>;
/** The canonical form of one value; a value that has none is reported and comes back as it is. */
type Form = (value: JsonValue, path: string, report: Report) => JsonValue;

const COMMIT = /^tx:(0|[1-9]\d*)$/;

/** The number of a pin `tx:N`, or undefined for an instant. */
export function commitOfPin(pin: string): bigint | undefined {
  const match = COMMIT.exec(pin);
  return match === null ? undefined : BigInt(match[1]!);
}

export function invalid(message: string, path: string, hint = ""): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `${path}: ${message}`, { details: { path }, hint });
}

export function periodOrder(from: string, to: string, path: string): PalimpsestError {
  return new PalimpsestError("E_PERIOD_ORDER", `${path}: from ${from} is not before to ${to}`, {
    details: { path },
    hint:
      from === to
        ? "the end is left out: give a later one, or leave one null for an open end"
        : `swap them: from ${to} to ${from}, or leave one null for an open end`,
  });
}

/** Wraps a parser so that its error is reported and the value kept. */
function reporting(parse: (value: JsonValue, path: string) => JsonValue): Form {
  return (value, path, report) => {
    try {
      return parse(value, path);
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      report(error);
      return value;
    }
  };
}

const instantForm = reporting((value, path) => formatInstant(parseInstant(value, path)));

function pinText(value: JsonValue, path: string): string {
  if (typeof value === "string" && value.startsWith("tx:")) {
    if (commitOfPin(value) === undefined)
      throw invalid(`${JSON.stringify(value)} is not a commit`, path, "write tx:12");
    return value;
  }
  return formatInstant(parseInstant(value, path));
}
const pinForm = reporting(pinText);

/** Whether `from` is not before `to`, of two instants in output form or two commits; undefined for one of each. */
function isOutOfOrder(from: string, to: string): boolean | undefined {
  const fromTx = commitOfPin(from);
  const toTx = commitOfPin(to);
  if (fromTx !== undefined && toTx !== undefined) return fromTx >= toTx;
  if (fromTx !== undefined || toTx !== undefined) return undefined;
  return parseInstant(from, "from") >= parseInstant(to, "to");
}

function windowForm(end: Form): Form {
  return (value, path, report) => {
    let failed = false;
    const note: Report = (error) => {
      failed = true;
      report(error);
    };
    const given = value as { from: JsonValue; to: JsonValue };
    const from = given.from === null ? null : end(given.from, `${path}/from`, note);
    const to = given.to === null ? null : end(given.to, `${path}/to`, note);
    if (from === null && to === null) return null;
    const areTexts = typeof from === "string" && typeof to === "string";
    if (!failed && areTexts && isOutOfOrder(from, to) === true) {
      report(periodOrder(from, to, path));
    }
    // Nothing is before the empty store.
    if (to === "tx:0") report(periodOrder(String(from), to, path));
    return { from, to };
  };
}

const kinds: Record<string, Form> = {
  uid: reporting((value, path) => checkBytes(value as string, LIMITS.uidBytes, path)),
  instant: instantForm,
  pin: pinForm,
  window: windowForm(instantForm),
  pin_window: windowForm(pinForm),
  instant_open: reporting((value, path) => formatEnd(parseValidTo(value, path))),
  duration: reporting((value, path) => formatDuration(parseDuration(value, path))),
  stride: reporting((value, path) => formatStride(parseStride(value, path))),
  zone: reporting((value, path) => {
    zoneOf(value as string, path);
    return value;
  }),
  json: reporting((value, path) => normaliseValue(value, path)),
  // Read in slices before the shape, and typed where the operator is prepared.
  table: (value) => value,
  null_predicate: (value) => {
    const { prop, op } = value as { prop: string; op: string };
    return { op, prop };
  },
};

function objectForm(node: Node, hasReferences: boolean): Form {
  const properties = node.properties as Record<string, Node>;
  const members = Object.keys(properties)
    .sort()
    .map((key) => {
      const schema = properties[key]!;
      const form = compileForm(schema as unknown as TSchema, hasReferences);
      // Defaults are legal by construction, so they report nothing.
      const fallback = "default" in schema ? form(schema.default as JsonValue, "", () => {}) : undefined;
      return { key, form, fallback };
    });
  return (value, path, report) => {
    const given = value as JsonObject;
    const out: JsonObject = {};
    for (const { key, form, fallback } of members) {
      const member = given[key];
      if (member !== undefined) out[key] = form(member, `${path}/${key}`, report);
      else if (fallback !== undefined) out[key] = fallback;
    }
    return out;
  };
}

/** Whether a value stands for one that an earlier step of a plan gives. */
const isReference = (value: JsonValue): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).join() === "$ref";

/** The form of a value that may be a reference, which stays as it is. */
const orReference =
  (form: Form): Form =>
  (value, path, report) =>
    isReference(value) ? value : form(value, path, report);

/** A set with references: the values sorted, then the references by their path. */
function sortedWithReferences(members: readonly JsonValue[], sorted: (values: readonly JsonValue[]) => JsonValue[]) {
  const references = members.filter(isReference) as { $ref: string }[];
  const paths = sortedSet(references.map(({ $ref }) => $ref)).map(($ref) => ({ $ref }));
  return [...sorted(members.filter((member) => !isReference(member))), ...paths];
}

/** A set of lists of strings, sorted by their canonical JSON. */
function sortedLists(members: readonly JsonValue[]): JsonValue[] {
  const byText = new Map(members.map((member) => [canonicalJson(member), member]));
  return sortedSet([...byText.keys()]).map((text) => byText.get(text)!);
}

/** An object whose keys are all of one pattern; they come sorted. */
function mapForm(node: Node, hasReferences: boolean): Form {
  const [schema] = Object.values(node.patternProperties as Record<string, Node>);
  const member = compileForm(schema as unknown as TSchema, hasReferences);
  return (value, path, report) => {
    const entries = Object.entries(value as JsonObject).map(
      ([key, entry]) => [key, member(entry, `${path}/${key}`, report)] as const,
    );
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
}

function arrayForm(node: Node, hasReferences: boolean): Form {
  const member = compileForm(node.items as TSchema, hasReferences);
  const ofLists = (node.items as Node).type === "array";
  const sorted = ofLists ? sortedLists : (members: readonly JsonValue[]) => sortedSet(members as string[]);
  const isSet = node.set === true;
  return (value, path, report) => {
    const members = (value as JsonValue[]).map((entry, i) => member(entry, `${path}/${i}`, report));
    if (!isSet) return members;
    return hasReferences ? sortedWithReferences(members, sorted) : sorted(members);
  };
}

/** Whether a value that passed the shape can only be of this member of a union. */
function memberTest(node: Node): (value: JsonValue) => boolean {
  if (Array.isArray(node.anyOf)) {
    const tests = (node.anyOf as Node[]).map(memberTest);
    return (value) => tests.some((test) => test(value));
  }
  if (node.const !== undefined) return (value) => value === node.const;
  if (Array.isArray(node.enum)) return (value) => (node.enum as unknown[]).includes(value);
  if (node.type === "null") return (value) => value === null;
  if (node.type === "array") return (value) => Array.isArray(value);
  if (node.kind === "instant" || node.kind === "pin") return (value) => value !== null;
  if (node.type === "object") {
    const required = (node.required as string[] | undefined) ?? [];
    const properties = node.properties as Record<string, Node>;
    const needed = required.filter((key) => !("default" in properties[key]!));
    const fixed = needed.filter((key) => properties[key]!.const !== undefined || Array.isArray(properties[key]!.enum));
    const tests = fixed.map((key) => ({ key, test: memberTest(properties[key]!) }));
    return (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      needed.every((key) => value[key] !== undefined) &&
      tests.every(({ key, test }) => test(value[key]!));
  }
  return (value) => typeof value === node.type || (node.type === "integer" && typeof value === "number");
}

function unionForm(members: readonly Node[], hasReferences: boolean): Form {
  const choices = members.map((node) => ({
    test: memberTest(node),
    form: compileForm(node as unknown as TSchema, hasReferences),
  }));
  return (value, path, report) => {
    if (value === null) return null;
    const choice = choices.find(({ test }) => test(value));
    return choice === undefined ? value : choice.form(value, path, report);
  };
}

const same: Form = (value) => value;

const named = new Map<string, Form>();
/** The form of a schema that holds itself, which is looked up when it is needed. */
function namedForm(name: string, hasReferences: boolean): Form {
  const key = hasReferences ? `${name} with references` : name;
  return (value, path, report) => {
    let form = named.get(key);
    if (form === undefined) {
      form = compileForm(RECURSIVE_SCHEMAS[name]!, hasReferences);
      named.set(key, form);
    }
    return form(value, path, report);
  };
}

const windowsWithReferences: Record<string, Form> = {
  window: windowForm(orReference(instantForm)),
  pin_window: windowForm(orReference(pinForm)),
};

function formOf(node: Node, hasReferences: boolean): Form {
  if (typeof node.kind === "string") {
    const byKind = (hasReferences ? windowsWithReferences[node.kind] : undefined) ?? kinds[node.kind];
    if (byKind !== undefined) return byKind;
  }
  if (typeof node.$ref === "string") return namedForm(node.$ref, hasReferences);
  if (Array.isArray(node.anyOf)) return unionForm(node.anyOf as Node[], hasReferences);
  if (node.type === "array") return arrayForm(node, hasReferences);
  if (node.patternProperties !== undefined) return mapForm(node, hasReferences);
  if (node.type === "object") return objectForm(node, hasReferences);
  return same;
}

function compileForm(schema: TSchema, hasReferences: boolean): Form {
  const form = formOf(schema as unknown as Node, hasReferences);
  return hasReferences ? orReference(form) : form;
}

/**
 * Defaults filled and every text canonical, keys in the order of canonical JSON. With references, `{"$ref": …}` may
 * stand in place of any value and stays.
 */
export function compileCanonical(
  schema: TSchema,
  hasReferences = false,
): (args: JsonObject, report: Report) => JsonObject {
  const form = compileForm(schema, hasReferences);
  return (args, report) => form(args, "", report) as JsonObject;
}
