// Literals that a model copied out of earlier results become references, so that the plan stands on cells and runs alone.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { lookUp, operatorNames } from "../../operators/registry.js";
import type { Violation } from "../../plan/index.js";
import { visitLiterals } from "../../plan/verify/places.js";
import type { PlanContext } from "../plan-checks.js";
import type { Mention } from "../types.js";
import { instantKey, type KnownCells } from "./known-cells.js";

type Place = readonly (string | number)[];

/** The operands of compute: values of results, whatever their type. */
const OPERANDS: readonly string[] = ["x", "y"];

/** A value that comes from a cell, by its place. */
type Copied = readonly [place: Place, cell: string];

/** A copy with references at the places that there are; as it was where there is none. One copy: lists may be long. */
function withCells(args: JsonObject, copied: readonly Copied[]): JsonObject {
  const places = copied.filter(([place]) => place.length > 0 && valueAt(args, place) !== undefined);
  if (places.length === 0) return args;
  const copy = structuredClone(args);
  for (const [place, cell] of places) {
    const holder = valueAt(copy, place.slice(0, -1)) as unknown as Record<string | number, JsonValue>;
    holder[place.at(-1)!] = { $ref: cell };
  }
  return copy;
}

function valueAt(args: JsonObject, place: Place): JsonValue | undefined {
  let value: unknown = args;
  for (const key of place) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value as JsonValue;
}

/** The place behind `/steps/3/args` of a JSON pointer; null for one that leads elsewhere. */
function placeOf(pointer: string, position: number): Place | null {
  const start = `/steps/${position}/args/`;
  if (!pointer.startsWith(start)) return null;
  const keys = pointer.slice(start.length).split("/");
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Texts that the verifier found nobody to have named, where an earlier cell holds them. */
export function withGroundedTexts(
  args: JsonObject,
  violations: readonly Violation[],
  position: number,
  cells: KnownCells,
): JsonObject {
  const copied = violations.flatMap(({ code, path }): Copied[] => {
    const place = code === "E_GROUNDING" ? placeOf(path, position) : null;
    const literal = place === null ? undefined : valueAt(args, place);
    const cell = typeof literal === "string" ? cells.text(literal) : undefined;
    return place === null || cell === undefined ? [] : [[place, cell]];
  });
  return withCells(args, copied);
}

/** What the question itself gives: no cell need be asked for it. */
function given(mentions: readonly Mention[]): {
  readonly instants: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
} {
  const values = mentions.flatMap(({ value }): JsonValue[] => {
    if (value === undefined) return [];
    return typeof value === "object" && value !== null ? Object.values(value) : [value];
  });
  const texts = values.filter((value) => typeof value === "string");
  const numbers = values.filter((value) => typeof value === "number" || typeof value === "bigint");
  return { instants: new Set(texts.flatMap((text) => instantKey(text) ?? [])), numbers: new Set(numbers.map(String)) };
}

/** Instants, and the operands of compute, that an earlier cell holds and the question does not. */
export function withReferencedValues(
  op: string,
  args: JsonObject,
  cells: KnownCells,
  { mentions, askTimeUs }: Pick<PlanContext, "mentions" | "askTimeUs">,
): JsonObject {
  if (!operatorNames().includes(op)) return args;
  const { declaration } = lookUp(op);
  const named = given(mentions);
  const isOperand = (place: Place): boolean =>
    declaration.name === "compute" && place.length === 1 && OPERANDS.includes(place[0] as string);
  const found: Copied[] = [];
  visitLiterals(declaration.args, args, (text, place, nodes) => {
    const key = instantKey(text);
    if (key !== null && named.instants.has(key)) return;
    // A pin after the question stays as it was written, for the check that refuses it.
    const isPast = key !== null && askTimeUs !== null && BigInt(key) <= askTimeUs;
    const isTime = nodes.some(
      ({ kind }) => kind === "instant" || kind === "instant_open" || (kind === "pin" && isPast),
    );
    const cell = isTime || isOperand(place) ? cells.instant(text) : undefined;
    const copied = cell ?? (isOperand(place) ? cells.text(text) : undefined);
    if (copied !== undefined) found.push([[...place], copied]);
  });
  for (const name of declaration.name === "compute" ? OPERANDS : []) {
    const value = args[name];
    if (typeof value !== "number" && typeof value !== "bigint") continue;
    const cell = named.numbers.has(String(value)) ? undefined : cells.number(value);
    if (cell !== undefined) found.push([[name], cell]);
  }
  const operands = found.flatMap(([place]) => (isOperand(place) ? [place[0] as string] : []));
  return withoutTypes(withCells(args, found), operands);
}

/** A reference brings its type along. */
function withoutTypes(args: JsonObject, names: readonly string[]): JsonObject {
  const { types } = args;
  if (names.length === 0 || typeof types !== "object" || types === null || Array.isArray(types)) return args;
  return { ...args, types: Object.fromEntries(Object.entries(types).filter(([name]) => !names.includes(name))) };
}
