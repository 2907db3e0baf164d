// eq ne lt le gt ge in min2 max2: exact comparison, unknown where a side is null.
// Numbers compare by exact value, texts by code point, FOREVER is above every instant.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonValue } from "../../contract/values.js";
import { alike, type Call, type Compiled, commonType, invalidType, type Made, NULL } from "./compiled.js";
import { compareValues, identityOf, isTime, typeOfValue, type Value, type ValueType } from "./types.js";

/** Classes of JSON values that compare with each other; undefined for arrays and objects. */
function classOf(value: Value): "bool" | "number" | "string" | undefined {
  const type = typeOfValue(value);
  if (type === "int" || type === "double") return "number";
  return type === "bool" || type === "string" ? type : undefined;
}

/** Order of two values of unknown class; null where the classes differ or have no order. */
function orderOfJson(a: Value, b: Value): number | null {
  const ofA = classOf(a);
  return ofA !== undefined && ofA === classOf(b) ? compareValues(a, b) : null;
}

function equalJson(a: Value, b: Value): boolean | null {
  const [ofA, ofB] = [classOf(a), classOf(b)];
  if (ofA !== ofB) return null;
  return ofA === undefined ? canonicalJson(a) === canonicalJson(b) : compareValues(a, b) === 0;
}

/** The type by which values are compared: `json` where a side's class is only known row by row. */
function comparedType<Row>(parts: readonly Compiled<Row>[], path: string): ValueType {
  const isJson = parts.some(({ type }) => type === "json") && !parts.some(({ type }) => isTime(type));
  return isJson ? "json" : commonType(parts, path);
}

type Test = (order: number) => boolean;
const TESTS: Readonly<Record<string, Test>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
};

function compared(fn: string, type: ValueType): (a: Value, b: Value) => boolean | null {
  const test = TESTS[fn]!;
  if (type !== "json") return (a, b) => test(compareValues(a, b));
  if (fn === "eq") return equalJson;
  if (fn === "ne") {
    return (a, b) => {
      const equal = equalJson(a, b);
      return equal === null ? null : !equal;
    };
  }
  return (a, b) => {
    const order = orderOfJson(a, b);
    return order === null ? null : test(order);
  };
}

function binary<Row>(
  [a, b]: readonly Compiled<Row>[],
  type: ValueType,
  combine: (a: Value, b: Value) => Value,
): Made<Row> {
  const [left, right] = [a!.read, b!.read];
  return {
    type,
    read: (row) => {
      const x = left(row);
      if (x === null) return null;
      const y = right(row);
      return y === null ? null : combine(x, y);
    },
  };
}

const member = (value: JsonValue, path: string): Compiled<never> => ({
  kind: "value",
  type: typeOfValue(value),
  path,
  isDerived: false,
  isConstant: true,
  echo: { value },
  literal: value,
  read: () => value,
});

/** The arguments of `in`; a list that stands in a literal is its members. */
function listed<Row>({ args, path }: Call<Row>): readonly Compiled<Row>[] {
  const list = args.length === 2 ? args[1]!.literal : undefined;
  if (!Array.isArray(list)) return alike(args);
  const members = list.map((value, i) => member(value, `${path}/args/1/value/${i}`));
  const parts = alike([args[0]!, ...members]);
  args[1]!.echo.value = members.map(({ echo }) => echo.value!);
  return parts;
}

function within<Row>(call: Call<Row>): Made<Row> {
  const [tested, ...members] = listed(call);
  const type = comparedType([tested!, ...members], call.path);
  const read = tested!.read;
  if (type !== "json" && members.every(({ isConstant }) => isConstant)) return amongConstants(read, members);
  const isEqual = compared("eq", type);
  return {
    type: "bool",
    read: (row) => {
      const value = read(row);
      if (value === null) return null;
      let isUnknown = false;
      for (const other of members) {
        const second = other.read(row);
        const equal = second === null ? null : isEqual(value, second);
        if (equal === true) return true;
        isUnknown ||= equal === null;
      }
      return isUnknown ? null : false;
    },
  };
}

function amongConstants<Row>(read: (row: Row) => Value, members: readonly Compiled<Row>[]): Made<Row> {
  // Constants look at no row.
  const values = members.map((member) => member.read(undefined as Row));
  const identities = new Set(values.map(identityOf));
  const unknown = values.includes(null) ? null : false;
  return {
    type: "bool",
    read: (row) => {
      const value = read(row);
      return value === null ? null : identities.has(identityOf(value)) || unknown;
    },
  };
}

export function comparison<Row>(call: Call<Row>): Made<Row> {
  const { fn, path } = call;
  if (fn === "in") return within(call);
  const parts = alike(call.args);
  if (fn === "min2" || fn === "max2") {
    const type = commonType(parts, path);
    if (type === "json") throw invalidType(path, `${fn} takes values that have an order, not json`);
    if (type === "null") return NULL;
    const sign = fn === "min2" ? 1 : -1;
    return binary(parts, type, (a, b) => (sign * compareValues(a, b) <= 0 ? a : b));
  }
  const type = comparedType(parts, path);
  return binary(parts, "bool", compared(fn, type));
}
