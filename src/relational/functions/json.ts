// Values of every type as the texts of JSON that answers write for them, and objects made of such texts.
// The keys of an object stand in the order of canonical JSON, so that equal objects are equal texts.
import { canonicalJson } from "../../contract/canonical.js";
import type { Bound } from "../bound.js";
import { call, settled } from "../nodes.js";
import { JSON_TYPE, type TqlType } from "../types.js";
import { finite, fromOf, once, quoted, toOf } from "./sql.js";
import { doubleText, durationText, instantText } from "./value-texts.js";

type Conversion = (x: string) => string;

const inQuotes = (x: string): string => `('"' || ${x} || '"')`;
const fromInstant: Conversion = (x) => inQuotes(instantText(x));

const SIMPLE: Readonly<Record<string, Conversion>> = {
  bool: (x) => `${x}::VARCHAR`,
  int: (x) => `${x}::VARCHAR`,
  string: (x) => `to_json(${x})::VARCHAR`,
  double: doubleText,
  instant: fromInstant,
  instant_open: (x) => once([finite(x)], ([t]) => fromInstant(t!), 60),
  duration: (x) => inQuotes(durationText(x)),
  period: (x) => {
    const [from, to] = [jsonText({ kind: "instant" }), jsonText({ kind: "instant_open" })];
    return `('{"from":' || ${from!(fromOf(x))} || ',"to":' || ${to!(toOf(x))} || '}')`;
  },
  json: (x) => x,
};

/** JSON of a value, `null` for NULL; undefined for a type that no answer has. */
export function jsonText(type: TqlType, depth = 0): Conversion | undefined {
  if (type.kind === "null") return () => "'null'";
  if (type.kind === "list") {
    const member = jsonText(type.of, depth + 1);
    if (member === undefined) return undefined;
    const name = `member${depth}`;
    const members = (x: string): string => `list_transform(${x}, lambda ${name}: ${member(name)})`;
    return (x) => `coalesce('[' || array_to_string(${members(x)}, ',') || ']', 'null')`;
  }
  const simple = Object.hasOwn(SIMPLE, type.kind) ? SIMPLE[type.kind] : undefined;
  return simple === undefined ? undefined : (x) => once([x], ([v]) => `coalesce(${simple(v!)}, 'null')`);
}

/** An object with a member for each pair, the last one where a key stands twice; undefined for a value that is no JSON. */
export function jsonObject(given: ReadonlyMap<string, Bound>): Bound | undefined {
  const keys = [...given.keys()].sort();
  const values = keys.map((key) => settled(given.get(key)!));
  const texts = values.map(({ type }) => jsonText(type));
  if (texts.includes(undefined)) return undefined;
  return call(`object ${canonicalJson(keys)}`, JSON_TYPE, values, (args) => {
    const members = args.map(
      (arg, i) => `${quoted(`${i === 0 ? "" : ","}${canonicalJson(keys[i]!)}:`)} || ${texts[i]!(arg)}`,
    );
    return members.length === 0 ? "'{}'" : `('{' || ${members.join(" || ")} || '}')`;
  });
}
