// Reading the fields of one operation: shapes, texts, labels, properties, instants. Each failure says where it is.
// Written by hand, without a schema compiler: a hundred thousand operations pass here in one batch.
import { compareCodePoints } from "../../contract/code-points.js";
import { PalimpsestError } from "../../contract/errors.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import { checkBytes, checkText, type JsonObject, LIMITS, normaliseValue, setOwn } from "../../contract/values.js";
import type { Attribution, Period, Ref } from "./types.js";

export type Fields = Record<string, unknown>;

export function schemaError(where: string, message: string, hint = ""): PalimpsestError {
  return new PalimpsestError("E_SCHEMA", `${where}: ${message}`, { details: { path: where }, hint });
}

export function limitError(where: string, message: string): PalimpsestError {
  return new PalimpsestError("E_LIMIT", `${where}: ${message}`, { details: { path: where } });
}

export function asObject(value: unknown, where: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return value as Fields;
  }
  throw schemaError(where, "a plain object belongs here");
}

/** Refuses keys that the operation does not have. A field that is undefined counts as left out. */
export function checkKeys(fields: Fields, known: ReadonlySet<string>, where: string): void {
  for (const key in fields) {
    if (known.has(key) || fields[key] === undefined) continue;
    throw schemaError(`${where}/${key}`, "there is no such field", `known: ${[...known].join(", ")}`);
  }
}

export function textField(value: unknown, limit: number, where: string, mayBeEmpty = false): string {
  if (typeof value !== "string") throw schemaError(where, value === undefined ? "is missing" : "a string belongs here");
  if (value === "" && !mayBeEmpty) throw schemaError(where, "must not be empty");
  return checkBytes(checkText(value, where), limit, where);
}

function optionalText(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  return textField(value, LIMITS.versionBytes, where, true);
}

export function attribution(fields: Fields, where: string): Attribution {
  return {
    source: optionalText(fields.source, `${where}/source`),
    provenanceRef: optionalText(fields.provenance_ref, `${where}/provenance_ref`),
    reason: optionalText(fields.reason, `${where}/reason`),
  };
}

export function period(fields: Fields, where: string): Period {
  if (fields.valid_from === undefined)
    throw schemaError(`${where}/valid_from`, "is missing", 'say since when it holds, as "2024-01-01"');
  const fromUs = parseInstant(fields.valid_from, `${where}/valid_from`);
  const toUs = fields.valid_to === undefined ? OPEN_END_US : parseValidTo(fields.valid_to, `${where}/valid_to`);
  if (fromUs >= toUs) {
    throw new PalimpsestError(
      "E_PERIOD_ORDER",
      `${where}: valid_from ${formatInstant(fromUs)} is not before valid_to ${formatInstant(toUs)}`,
      { details: { path: where }, hint: "swap them, or leave valid_to out for an open end" },
    );
  }
  return { fromUs, toUs };
}

/** A set of labels: distinct, sorted by code point. */
export function labelSet(value: unknown, where: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw schemaError(where, "an array of labels belongs here");
  const labels = value.map((label, i) => textField(label, LIMITS.nameBytes, `${where}/${i}`));
  if (labels.length < 2) return labels;
  const distinct = [...new Set(labels)].sort(compareCodePoints);
  if (distinct.length > LIMITS.labels) throw limitError(where, `more than ${LIMITS.labels} labels`);
  return distinct;
}

/** Properties in stored form. Null values are dropped, or kept where they mean removal. */
export function properties(value: unknown, where: string, keepsNulls: boolean): JsonObject {
  const props: JsonObject = {};
  if (value === undefined) return props;
  const given = asObject(value, where);
  let count = 0;
  for (const name of Object.keys(given)) {
    const member = given[name];
    if (member === undefined || (member === null && !keepsNulls)) continue;
    const at = `${where}/${name}`;
    checkBytes(checkText(name, at), LIMITS.nameBytes, at);
    setOwn(props, name, normaliseValue(member, at));
    count += 1;
  }
  if (count > LIMITS.properties) throw limitError(where, `more than ${LIMITS.properties} properties`);
  return props;
}

const NODE_REF: ReadonlySet<string> = new Set(["uid"]);
const EDGE_REF: ReadonlySet<string> = new Set(["src", "type", "dst", "key"]);

export function edgeRef(fields: Fields, where: string): Ref {
  return {
    src: textField(fields.src, LIMITS.uidBytes, `${where}/src`),
    type: textField(fields.type, LIMITS.nameBytes, `${where}/type`),
    dst: textField(fields.dst, LIMITS.uidBytes, `${where}/dst`),
    key: fields.key === undefined ? "" : textField(fields.key, LIMITS.keyBytes, `${where}/key`, true),
  };
}

export function reference(value: unknown, where: string): Ref {
  const fields = asObject(value, where);
  if (fields.uid !== undefined) {
    checkKeys(fields, NODE_REF, where);
    return { uid: textField(fields.uid, LIMITS.uidBytes, `${where}/uid`) };
  }
  checkKeys(fields, EDGE_REF, where);
  return edgeRef(fields, where);
}
