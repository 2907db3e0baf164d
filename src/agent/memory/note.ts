// A note: what was computed of one window at one commit, as facts that are cells of a plan, and sentences around them. What is
// read from a file is a note only where window and stride alone would have made its plan, and its words write no value.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { canonicalJson } from "../../contract/canonical.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { closed } from "../../contract/schemas.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { dependsOn, FACT_PLACES, type Facts, type NoteWindow, notePlan, partStride } from "./note-plan.js";
import { codeText, isSafeText } from "./note-text.js";

export interface NoteBody {
  readonly kind: "activity";
  readonly window: NoteWindow;
  readonly stride: string;
  readonly facts: Facts;
  readonly plan: JsonObject;
  readonly trace_digest: string;
  readonly built_tx: number;
  /** Of the log up to `built_tx`. */
  readonly chain: string;
  readonly depends: JsonObject;
  /** `{f1}` stands for the value of a fact. */
  readonly text: string;
  readonly by: "code" | "model";
  readonly registry_version: string;
}

export interface Note extends NoteBody {
  readonly digest: string;
}

const Text = Type.String({ maxLength: 1_200 });
const Hex = Type.String({ pattern: "^[0-9a-f]{64}$" });
const WindowShape = closed({ from: Text, to: Text });
const FactShape = closed({
  cell: Text,
  value: Type.Unsafe({ type: ["number", "string"] }),
  unit: Type.Unsafe({ type: ["string", "null"] }),
});
const NoteShape = closed({
  kind: Type.Literal("activity"),
  window: WindowShape,
  stride: Text,
  facts: Type.Unsafe({
    type: "object",
    propertyNames: { pattern: "^f[1-9][0-9]?$" },
    additionalProperties: FactShape,
  }),
  plan: Type.Unsafe({ type: "object" }),
  trace_digest: Hex,
  built_tx: Type.Integer({ minimum: 1 }),
  chain: Hex,
  depends: Type.Unsafe({ type: "object" }),
  text: Text,
  by: Type.Enum(["code", "model"]),
  registry_version: Text,
  digest: Hex,
});

let validator: ValidateFunction | undefined;

function hasShape(given: JsonObject): boolean {
  if (validator === undefined) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, meta: false, validateSchema: false });
    validator = ajv.compile(JSON.parse(JSON.stringify(NoteShape)) as object);
  }
  return validator(given);
}

/** The width of a window; null where it is none. */
export function widthUs({ from, to }: NoteWindow): bigint | null {
  try {
    const width = parseInstant(to, "window") - parseInstant(from, "window");
    return width > 0n ? width : null;
  } catch {
    return null;
  }
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a as JsonValue) === canonicalJson(b as JsonValue);

/** The note, where the object is one. Whether its values are right nobody can see from it. */
export function readNote(given: JsonObject): Note | null {
  if (!hasShape(given)) return null;
  const note = given as unknown as Note;
  const { window, stride, plan, depends, facts, by, text } = note;
  const width = widthUs(window);
  if (width === null || !isSame(depends, dependsOn(window))) return null;
  if (!isSame(plan, notePlan(window, stride, partStride(width)))) return null;
  const places = new Map(FACT_PLACES.map((place) => [place.id as string, place]));
  const areFacts = Object.entries(facts).every(([id, { cell, unit }]) => {
    const place = places.get(id);
    return place?.cell === cell && place.unit === unit;
  });
  if (!areFacts) return null;
  const isText = by === "code" ? text === codeText(facts) : isSafeText(text, new Set(Object.keys(facts)));
  return isText ? note : null;
}
