// References: the grammar of their paths, and where they stand in arguments.
// Pure text and tree work; knows no operator.
import type { JsonObject, JsonValue } from "../contract/values.js";

export const LONGEST_REFERENCE = 200;

/** One name of a path, and what of a list is taken: one element, every element, or nothing (the value itself). */
interface Segment {
  readonly name: string;
  readonly index: number | "*" | null;
}

/** `s2.rows[0].uid` taken apart; without segments it is the rows of the step. */
export interface ReferencePath {
  readonly step: string;
  readonly segments: readonly Segment[];
}

type ParsedPath =
  | { readonly kind: "path"; readonly path: ReferencePath }
  | { readonly kind: "wrong"; readonly message: string; readonly hint: string };

const STEP = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const SEGMENT = /^([^.[\]]+)(?:\[(\*|0|[1-9]\d{0,8})\])?$/;

const wrong = (message: string, hint: string): ParsedPath => ({ kind: "wrong", message, hint });

function wrongSegment(text: string, segment: string): ParsedPath {
  const shown = JSON.stringify(segment);
  if (segment === "") return wrong("a name is missing between two dots", "write s1.rows[0].uid");
  if (/\[-\d+\]/.test(segment)) {
    return wrong(`${shown} counts from the end`, "rows count from 0; order the other way round and take [0]");
  }
  if (/\[\d*:\d*\]/.test(segment)) return wrong(`${shown} is a range`, 'give the step a "slice": [offset, count]');
  if (/\[\d{10,}\]/.test(segment)) return wrong(`${shown} is beyond every list`, "rows count from 0");
  if (/\[[^\]]*\]./.test(segment)) return wrong(`${shown} goes on after its index`, "write s1.rows[0].uid");
  if (/[[\]]/.test(segment)) return wrong(`${shown} has no legal index`, "an index is a number from 0, or *");
  return wrong(`${JSON.stringify(text)} is no path`, "write s1.rows[0].uid");
}

/** Reads the path of a reference. */
export function parsePath(text: string): ParsedPath {
  if (text.length > LONGEST_REFERENCE) {
    return wrong(`a path of ${text.length} characters`, `at most ${LONGEST_REFERENCE}`);
  }
  const [step, ...names] = text.split(".");
  if (!STEP.test(step!)) {
    const hint = "it begins with the id of a step: s1.rows[0].uid";
    return wrong(`${JSON.stringify(text)} names no step`, hint);
  }
  const segments: Segment[] = [];
  for (const name of names) {
    const match = SEGMENT.exec(name);
    if (match === null) return wrongSegment(text, name);
    const index = match[2];
    segments.push({ name: match[1]!, index: index === undefined ? null : index === "*" ? "*" : Number(index) });
  }
  if (segments.filter(({ index }) => index === "*").length > 1) {
    return wrong(`${JSON.stringify(text)} takes every element twice`, "one [*] in a path");
  }
  return { kind: "path", path: { step: step!, segments } };
}

const printSegment = ({ name, index }: Segment): string => (index === null ? `.${name}` : `.${name}[${index}]`);

export const printPath = ({ step, segments }: ReferencePath): string => step + segments.map(printSegment).join("");

/** Whether the value is `{"$ref": …}`, well formed or not. */
export function isReference(value: unknown): value is { readonly $ref: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, "$ref");
}

/** A text that was probably meant as a reference: it names a step and a field, or spells the key. */
export function looksLikeReference(text: string, stepIds: ReadonlySet<string>): boolean {
  if (text.length > LONGEST_REFERENCE + 20) return false;
  if (/^\s*\{\s*"?\$ref"?\s*:/.test(text)) return true;
  const bare = text.replace(/^\$\{?(?:ref:)?/, "").replace(/\}$/, "");
  const step = /^([A-Za-z_]\w*)\.[a-z_]\w*(?:[.[]|$)/.exec(bare)?.[1];
  return step !== undefined && stepIds.has(step);
}

/** A reference in arguments. */
export interface PlacedReference {
  /** The keys and positions on the way to it. */
  readonly place: readonly (string | number)[];
  readonly $ref: JsonValue;
  /** Keys beside `$ref`, which has none. */
  readonly beside: readonly string[];
}

/** Every reference in a value, in the order of the text; `visitText` sees every string outside of them. */
export function referencesIn(
  value: JsonValue,
  visitText: (text: string, place: readonly (string | number)[]) => void = () => {},
): PlacedReference[] {
  const found: PlacedReference[] = [];
  const place: (string | number)[] = [];
  const visit = (node: JsonValue): void => {
    if (typeof node === "string") visitText(node, place);
    if (typeof node !== "object" || node === null) return;
    if (isReference(node)) {
      const beside = Object.keys(node).filter((key) => key !== "$ref");
      found.push({ place: [...place], $ref: node.$ref, beside });
      return;
    }
    const members = Array.isArray(node) ? node.entries() : Object.entries(node);
    for (const [key, member] of members) {
      place.push(key);
      visit(member);
      place.pop();
    }
  };
  visit(value);
  return found;
}

/** A copy of a value with each reference replaced. */
export function withReferences(
  value: JsonValue,
  replace: (reference: string, place: readonly (string | number)[]) => JsonValue,
): JsonValue {
  const place: (string | number)[] = [];
  const copy = (node: JsonValue): JsonValue => {
    if (typeof node !== "object" || node === null) return node;
    if (isReference(node)) return replace(node.$ref as string, place);
    if (Array.isArray(node)) {
      return node.map((member, i) => {
        place.push(i);
        const copied = copy(member);
        place.pop();
        return copied;
      });
    }
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(node)) {
      place.push(key);
      const copied = copy(member);
      place.pop();
      Object.defineProperty(out, key, { value: copied, enumerable: true, writable: true, configurable: true });
    }
    return out;
  };
  return copy(value);
}

/** The JSON pointer of a place. */
export const pointer = (place: readonly (string | number)[]): string =>
  place.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
