// Properties of a table by columns: numbers and booleans as they are, times as texts, JSON by the class of each value.
import { isValid } from "../../columns/column.js";
import { type GivenColumn, TextCodes } from "../../columns/given.js";
import { canonicalJson } from "../../contract/canonical.js";
import { formatDuration } from "../../contract/duration.js";
import { PalimpsestError } from "../../contract/errors.js";
import { parseUnambiguous } from "../../contract/exact-json.js";
import { BEGINNING_US, END_OF_CALENDAR_US, formatInstant } from "../../contract/instant.js";
import { type JsonValue, normaliseValue } from "../../contract/values.js";
import type { PropertyKind, PropertyValues } from "../property-column.js";
import { type PieceRows, picked, presence, presentCodes } from "./rows.js";
import { type CodedTexts, isAllUtf8, textOf, textValues } from "./texts.js";

export interface GivenProperty {
  readonly name: string;
  /** The column that it is of, for messages. */
  readonly from: string;
  readonly column: GivenColumn;
}

/** A property of which every row was judged; `take` gives the rows that are kept. */
export interface JudgedProperty {
  take(kept: Uint32Array | null): PropertyValues[];
}

const NOTHING: JudgedProperty = { take: () => [] };

/** A column that no row has is left out. */
const used = (values: PropertyValues): PropertyValues[] => (values.present.includes(1) ? [values] : []);

function codedProperty(name: string, kind: "string" | "json", given: CodedTexts): JudgedProperty {
  return {
    take: (kept) => {
      const present = presentCodes(picked(given.codes, kept));
      return used({ name, kind, present, values: textValues(given, kept) });
    },
  };
}

function textProperty({ name, from, column }: GivenProperty, rows: PieceRows): JudgedProperty {
  const { codes, texts } = column as Extract<GivenColumn, { codes: Int32Array }>;
  if (!isAllUtf8(texts)) {
    for (const [row, code] of codes.entries()) {
      if (code < 0 || isAllUtf8({ bytes: texts.bytes, offsets: texts.offsets.subarray(code, code + 2) })) continue;
      rows.refuse({ row, column: from, value: textOf(texts, code), reason: "is not UTF-8" });
    }
  }
  return codedProperty(name, "string", { codes, texts });
}

const SHOWN: Readonly<Record<"instant" | "date" | "duration", (us: bigint) => string>> = {
  instant: (us) => formatInstant(us),
  date: (us) => formatInstant(us).slice(0, -"T00:00:00Z".length),
  duration: formatDuration,
};

/** Times have no class of their own in a property: they are stored as the texts that they are written as. */
function timeProperty({ name, from, column }: GivenProperty, rows: PieceRows): JudgedProperty {
  const { form, values, valid } = column as Extract<GivenColumn, { values: BigInt64Array }>;
  const shown = SHOWN[form as "instant"];
  const texts = new TextCodes(values.length);
  for (const [row, us] of values.entries()) {
    if (!isValid(valid, row)) continue;
    if (form !== "duration" && (us < BEGINNING_US || us >= END_OF_CALENDAR_US)) {
      rows.refuse({ row, column: from, value: `${us} us`, reason: "is outside the calendar (years -9999 to 9999)" });
    } else texts.set(row, shown(us));
  }
  return codedProperty(name, "string", texts.column("text") as Extract<GivenColumn, { codes: Int32Array }>);
}

function doubleProperty({ name, from, column }: GivenProperty, rows: PieceRows): JudgedProperty {
  const { values, valid } = column as Extract<GivenColumn, { form: "double" }>;
  for (let row = 0; row < values.length; row += 1) {
    if (Number.isFinite(values[row]) || !isValid(valid, row)) continue;
    const hint = "null means that there is no value";
    rows.refuse({ row, column: from, value: String(values[row]), reason: "is no number that can be stored", hint });
  }
  const present = presence(valid, values.length);
  return {
    take: (kept) => used({ name, kind: "double", present: picked(present, kept), values: picked(values, kept) }),
  };
}

function kindOf(value: JsonValue): PropertyKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "object":
      return "json";
    default:
      return typeof value === "bigint" || Number.isSafeInteger(value) ? "int64" : "double";
  }
}

/** The values of JSON texts, each read once; null is no value. */
function jsonValues({ name, from, column }: GivenProperty, rows: PieceRows): (JsonValue | null)[] {
  const { codes, texts } = column as Extract<GivenColumn, { codes: Int32Array }>;
  const known = new Map<number, JsonValue | null>();
  return Array.from(codes, (code, row) => {
    if (code < 0) return null;
    const seen = known.get(code);
    if (seen !== undefined) return seen;
    const text = textOf(texts, code);
    try {
      const value = normaliseValue(parseUnambiguous(text), name);
      known.set(code, value);
      return value;
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      rows.refuse({ row, column: from, value: text, reason: `: ${error.message}`, hint: error.hint });
      return null;
    }
  });
}

function classOfJson(name: string, kind: PropertyKind, values: readonly (JsonValue | null)[]): PropertyValues[] {
  const present = Uint8Array.from(values, (value) => (value !== null && kindOf(value) === kind ? 1 : 0));
  const own = (row: number): JsonValue => (present[row] === 1 ? values[row]! : null);
  switch (kind) {
    case "int64":
      return used({
        name,
        kind,
        present,
        values: BigInt64Array.from(values, (_, row) => BigInt((own(row) ?? 0) as number | bigint)),
      });
    case "double":
      return used({ name, kind, present, values: Float64Array.from(values, (_, row) => Number(own(row) ?? 0)) });
    case "bool":
      return used({ name, kind, present, values: Uint8Array.from(values, (_, row) => (own(row) === true ? 1 : 0)) });
    default: {
      const texts = new TextCodes(values.length);
      for (let row = 0; row < values.length; row += 1) {
        const value = own(row);
        if (value !== null) texts.set(row, kind === "string" ? (value as string) : canonicalJson(value));
      }
      const column = texts.column("text") as Extract<GivenColumn, { codes: Int32Array }>;
      return used({ name, kind, present, values: textValues(column, null) });
    }
  }
}

const KINDS: readonly PropertyKind[] = ["int64", "double", "bool", "string", "json"];

function jsonProperty(property: GivenProperty, rows: PieceRows): JudgedProperty {
  const all = jsonValues(property, rows);
  return {
    take: (kept) => {
      const values = kept === null ? all : Array.from(kept, (row) => all[row]!);
      return KINDS.flatMap((kind) => classOfJson(property.name, kind, values));
    },
  };
}

/** Judges every row of a property. */
export function judgedProperty(property: GivenProperty, rows: PieceRows): JudgedProperty {
  const { name, column } = property;
  switch (column.form) {
    case "none":
      return NOTHING;
    case "int": {
      const { values, valid } = column;
      const present = presence(valid, values.length);
      return {
        take: (kept) => used({ name, kind: "int64", present: picked(present, kept), values: picked(values, kept) }),
      };
    }
    case "bool": {
      const { values, valid } = column;
      const present = presence(valid, values.length);
      return {
        take: (kept) => used({ name, kind: "bool", present: picked(present, kept), values: picked(values, kept) }),
      };
    }
    case "double":
      return doubleProperty(property, rows);
    case "text":
      return textProperty(property, rows);
    case "json":
      return jsonProperty(property, rows);
    default:
      return timeProperty(property, rows);
  }
}

/** The values of a property row by row, for operations. */
export function valuesOf(property: GivenProperty, rows: PieceRows): (row: number) => JsonValue | null {
  const { column } = property;
  switch (column.form) {
    case "none":
      return () => null;
    case "int": {
      const { values, valid } = column;
      return (row) => (isValid(valid, row) ? normaliseValue(values[row]!, property.name) : null);
    }
    case "double": {
      judgedProperty(property, rows);
      const { values, valid } = column;
      return (row) => (isValid(valid, row) ? normaliseValue(values[row]!, property.name) : null);
    }
    case "bool": {
      const { values, valid } = column;
      return (row) => (isValid(valid, row) ? values[row] === 1 : null);
    }
    case "json": {
      const all = jsonValues(property, rows);
      return (row) => all[row]!;
    }
    case "text": {
      judgedProperty(property, rows);
      const { codes, texts } = column;
      return (row) => (codes[row]! < 0 ? null : textOf(texts, codes[row]!));
    }
    default: {
      const { values, valid, form } = column;
      judgedProperty(property, rows);
      return (row) => (isValid(valid, row) && rows.has(row) ? SHOWN[form](values[row]!) : null);
    }
  }
}
