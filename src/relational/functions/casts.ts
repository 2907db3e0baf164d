// CAST and TRY_CAST: from texts strictly, in the forms that the language writes; to texts in the forms that answers have.
// What does not convert is E_INVALID_ARG, or NULL under TRY_CAST.
import type { Cast } from "../../../grammar/ast.js";
import { nearestNames } from "../../contract/nearest.js";
import type { Bound } from "../bound.js";
import { call, settled } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import {
  BOOL,
  DOUBLE,
  DURATION,
  INSTANT,
  INT,
  isInstant,
  JSON_TYPE,
  listOf,
  STRING,
  sameType,
  shownType,
  type TqlType,
} from "../types.js";
import { jsonText } from "./json.js";
import { finite, once, raise } from "./sql.js";
import { doubleText, durationText, instantText } from "./value-texts.js";

const TARGETS: Readonly<Record<string, TqlType>> = {
  BOOL,
  BOOLEAN: BOOL,
  STRING,
  VARCHAR: STRING,
  TEXT: STRING,
  INT64: INT,
  INT: INT,
  INTEGER: INT,
  BIGINT: INT,
  DOUBLE,
  FLOAT: DOUBLE,
  INSTANT,
  TIMESTAMP: INSTANT,
  DURATION,
  JSON: JSON_TYPE,
};
const SHOWN = ["BOOL", "STRING", "INT64", "DOUBLE", "INSTANT", "DURATION", "JSON"];

function target(expr: Cast): TqlType {
  const name = expr.type.text.toUpperCase();
  const of = Object.hasOwn(TARGETS, name) ? TARGETS[name]! : undefined;
  if (of !== undefined) return expr.list ? listOf(of) : of;
  const near = nearestNames(name, SHOWN);
  throw problem("unknown_name", `there is no type ${JSON.stringify(expr.type.text)}`, expr.type, {
    hint: near.length > 0 ? `did you mean ${near.join(", ")}?` : `known: ${SHOWN.join(", ")}`,
    near,
  });
}

type Conversion = (x: string) => string;

const matching = (x: string, pattern: string, value: string): string =>
  `CASE WHEN regexp_full_match(${x}, '${pattern}') THEN ${value} END`;
const WHOLE = "[+-]?[0-9]+";
const DECIMAL = "[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?";
const RFC3339 =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2}))?";
const ISO_DURATION = "-?P([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]{1,6})?S)?)?";

const finiteDouble: Conversion = (x) =>
  `CASE WHEN isfinite(TRY_CAST(${x} AS DOUBLE)) THEN TRY_CAST(${x} AS DOUBLE) + 0e0 END`;

/** Microseconds of the amount before a letter. */
const amount = (x: string, letter: string, us: number): string =>
  `coalesce(TRY_CAST(regexp_extract(${x}, '([0-9]+)${letter}', 1) AS BIGINT), 0) * ${us}`;

function durationOf(x: string): string {
  const time = `CASE WHEN contains(${x}, 'T') THEN split_part(${x}, 'T', 2) ELSE '' END`;
  const seconds = `coalesce(TRY_CAST(regexp_extract(${x}, '([0-9]+([.][0-9]+)?)S', 1) AS DECIMAL(38, 6)) * 1000000, 0)::BIGINT`;
  const parts = [
    amount(x, "W", 604_800_000_000),
    amount(x, "D", 86_400_000_000),
    amount(x, "H", 3_600_000_000),
    once([time], ([t]) => amount(t!, "M", 60_000_000)),
    seconds,
  ];
  const sign = `CASE WHEN starts_with(${x}, '-') THEN -1 ELSE 1 END`;
  return `CASE WHEN regexp_full_match(${x}, '${ISO_DURATION}') AND regexp_matches(${x}, '[0-9][WDHMS]$') THEN ${sign} * (${parts.join(" + ")}) END`;
}

/** Texts to other types; each gives NULL for what does not convert. */
const FROM_STRING: Readonly<Record<string, Conversion>> = {
  int: (x) => matching(x, WHOLE, `TRY_CAST(${x} AS BIGINT)`),
  double: (x) => matching(x, DECIMAL, finiteDouble(x)),
  bool: (x) => `CASE lower(${x}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`,
  instant: (x) =>
    matching(
      x,
      RFC3339,
      `epoch_us(TRY_CAST(CASE WHEN length(${x}) = 10 THEN ${x} || 'T00:00:00Z' ELSE ${x} END AS TIMESTAMPTZ))`,
    ),
  duration: durationOf,
  json: (x) => `to_json(${x})::VARCHAR`,
};

const TO_STRING: Readonly<Record<string, Conversion>> = {
  int: (x) => `${x}::VARCHAR`,
  bool: (x) => `${x}::VARCHAR`,
  double: doubleText,
  instant: instantText,
  instant_open: (x) => once([finite(x)], ([t]) => instantText(t!), 60),
  duration: durationText,
};

const NUMBERS = "('BIGINT', 'UBIGINT', 'HUGEINT', 'INTEGER', 'DOUBLE')";
const json = (x: string, types: string, value: string): string =>
  `CASE WHEN json_type(${x}) IN ${types} THEN ${value} END`;
const textInJson = (x: string): string => `json_extract_string(${x}, '$')`;

const FROM_JSON: Readonly<Record<string, Conversion>> = {
  string: (x) => `CASE json_type(${x}) WHEN 'NULL' THEN NULL WHEN 'VARCHAR' THEN ${textInJson(x)} ELSE ${x} END`,
  int: (x) =>
    json(
      x,
      "('BIGINT', 'UBIGINT', 'HUGEINT', 'INTEGER', 'VARCHAR')",
      matching(textInJson(x), WHOLE, `TRY_CAST(${textInJson(x)} AS BIGINT)`),
    ),
  double: (x) =>
    json(x, `${NUMBERS.slice(0, -1)}, 'VARCHAR')`, matching(textInJson(x), DECIMAL, finiteDouble(textInJson(x)))),
  bool: (x) => json(x, "('BOOLEAN')", `TRY_CAST(${textInJson(x)} AS BOOLEAN)`),
  instant: (x) =>
    json(
      x,
      "('VARCHAR')",
      once([textInJson(x)], ([t]) => FROM_STRING.instant!(t!)),
    ),
  duration: (x) =>
    json(
      x,
      "('VARCHAR')",
      once([textInJson(x)], ([t]) => durationOf(t!)),
    ),
};

/** What the call is named that takes a member out of JSON. */
export const memberOf = (key: string): string => `member ${key}`;

/** A member of JSON, whose type nothing knows, as the number that it must be; any other expression as it is. */
export function memberAsNumber(x: Bound): Bound {
  if (x.kind !== "call" || x.type.kind !== "json" || !x.name.startsWith(memberOf(""))) return x;
  return call("number", DOUBLE, [x], ([text]) =>
    once([text!], ([v]) => {
      const message = raise("E_INVALID_ARG", "a member of JSON that is no number is among numbers");
      const number = json(v!, NUMBERS, finiteDouble(textInJson(v!)));
      return `CASE WHEN ${v} IS NULL THEN NULL ELSE coalesce(${number}, ${message}) END`;
    }),
  );
}

/** The members of a JSON array as a list; NULL for any other JSON. */
export const fromJson = (type: TqlType & { kind: "list" }): Conversion =>
  conversion(JSON_TYPE, type) ?? ((x) => `(NULL AND ${x})`);

function conversion(from: TqlType, to: TqlType): Conversion | undefined {
  if (from.kind === "string") return FROM_STRING[to.kind];
  if (to.kind === "string") return from.kind === "json" ? FROM_JSON.string : TO_STRING[from.kind];
  if (from.kind === "json" && to.kind === "list") {
    const of = FROM_JSON[to.of.kind];
    const members = (x: string): string => `from_json(${x}, '["JSON"]')`;
    const each = to.of.kind === "json" ? (x: string) => x : of;
    if (each === undefined) return undefined;
    return (x) => json(x, "('ARRAY')", `list_transform(${members(x)}, lambda member: ${each("member::VARCHAR")})`);
  }
  if (from.kind === "json") return FROM_JSON[to.kind];
  if (to.kind === "json") {
    if (from.kind === "int" || from.kind === "bool") return (x) => `${x}::VARCHAR`;
    if (from.kind === "double") return doubleText;
    return from.kind === "list" ? jsonText(from) : undefined;
  }
  if (from.kind === "int" && to.kind === "double") return (x) => `${x}::DOUBLE`;
  if (from.kind === "double" && to.kind === "int") return (x) => `TRY_CAST(round_even(${x}, 0) AS BIGINT)`;
  return undefined;
}

export function cast(expr: Cast, of: Bound): Bound {
  const type = target(expr);
  const x = settled(of);
  if (of.type.kind === "null") return call("typed", type, [x], ([text]) => text!);
  if (sameType(of.type, type) || (isInstant(of.type) && type.kind === "instant"))
    return { ...x, type: isInstant(of.type) ? of.type : type };
  const convert = conversion(of.type, type);
  if (convert === undefined) throw wrongType(`no ${shownType(of.type)} is CAST to ${shownType(type)}`, expr);
  return call(`${expr.try ? "try_cast" : "cast"}`, type, [x], ([text]) =>
    once([text!], ([v]) => {
      if (expr.try) return convert(v!);
      const message = raise("E_INVALID_ARG", `a ${shownType(of.type)} does not convert to ${shownType(type)}`);
      const isNothing = of.type.kind === "json" ? `${v} IS NULL OR json_type(${v}) = 'NULL'` : `${v} IS NULL`;
      return `CASE WHEN ${isNothing} THEN NULL ELSE coalesce(${convert(v!)}, ${message}) END`;
    }),
  );
}
