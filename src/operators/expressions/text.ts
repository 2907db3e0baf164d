// lower upper length concat starts_with ends_with contains has_label: texts by code point, members of JSON arrays.

import { lowerCase, upperCase } from "../../contract/case-mapping.js";
import { PalimpsestError } from "../../contract/errors.js";
import { type Call, type Compiled, invalidType, type Made, wanted } from "./compiled.js";
import { identityOf, isTime, type Value, type ValueType } from "./types.js";

/** As long as the largest version may be (docs/contract.md "Limits"), in UTF-16 units. */
const MOST_UNITS = 1 << 20;

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function unary<Row>({ read }: Compiled<Row>, type: ValueType, compute: (value: Value) => Value): Made<Row> {
  return {
    type,
    read: (row) => {
      const value = read(row);
      return value === null ? null : compute(value);
    },
  };
}

function binary<Row>([a, b]: readonly Compiled<Row>[], compute: (a: Value, b: Value) => Value): Made<Row> {
  const [left, right] = [a!.read, b!.read];
  return {
    type: "bool",
    read: (row) => {
      const x = left(row);
      if (x === null) return null;
      const y = right(row);
      return y === null ? null : compute(x, y);
    },
  };
}

function joined<Row>(parts: readonly Compiled<Row>[]): Made<Row> {
  return {
    type: "string",
    read: (row) => {
      let text = "";
      for (const part of parts) {
        const value = part.read(row);
        if (value === null) return null;
        text += value as string;
        if (text.length > MOST_UNITS) {
          throw new PalimpsestError("E_LIMIT", `a text is longer than ${MOST_UNITS} units`, {
            hint: "put shorter texts together",
          });
        }
      }
      return text;
    },
  };
}

/** Whether a JSON array has the value among its members; null for any other JSON. */
function hasMember(array: Value, member: Value): Value {
  if (!Array.isArray(array)) return null;
  const identity = identityOf(member);
  return array.some((each) => identityOf(each) === identity);
}

export function text<Row>({ fn, args, path }: Call<Row>): Made<Row> {
  const [first, second] = args;
  switch (fn) {
    case "lower":
      return unary(wanted(first!, fn, ["string"]), "string", (value) => lowerCase(value as string));
    case "upper":
      return unary(wanted(first!, fn, ["string"]), "string", (value) => upperCase(value as string));
    case "length":
      return unary(wanted(first!, fn, ["string", "json"]), "int", (value) =>
        typeof value === "string" ? codePoints(value) : Array.isArray(value) ? value.length : null,
      );
    case "concat":
      return joined(args.map((part) => wanted(part, fn, ["string"])));
    case "has_label":
      return binary([wanted(first!, fn, ["json"]), wanted(second!, fn, ["string"])], hasMember);
    default:
  }
  if (fn === "contains" && first!.type === "json") {
    if (isTime(second!.type)) throw invalidType(path, `contains finds no ${second!.type} in json`);
    return binary(args, hasMember);
  }
  const texts = args.map((part) => wanted(part, fn, ["string"]));
  if (fn === "starts_with") return binary(texts, (a, b) => (a as string).startsWith(b as string));
  if (fn === "ends_with") return binary(texts, (a, b) => (a as string).endsWith(b as string));
  return binary(texts, (a, b) => (a as string).includes(b as string));
}
