// and or not, in three-valued logic, and the choices is_null coalesce case.
import { alike, type Call, type Compiled, commonType, type Made, wanted } from "./compiled.js";

/** True as soon as one is `decisive`, unknown where one is null and none is. */
function combined<Row>(parts: readonly Compiled<Row>[], decisive: boolean): Made<Row> {
  return {
    type: "bool",
    read: (row) => {
      let isUnknown = false;
      for (const part of parts) {
        const value = part.read(row);
        if (value === decisive) return decisive;
        isUnknown ||= value === null;
      }
      return isUnknown ? null : !decisive;
    },
  };
}

export function logic<Row>({ fn, args }: Call<Row>): Made<Row> {
  const parts = args.map((part) => wanted(part, fn, ["bool"]));
  if (fn !== "not") return combined(parts, fn === "or");
  const { read } = parts[0]!;
  return {
    type: "bool",
    read: (row) => {
      const value = read(row);
      return value === null ? null : !value;
    },
  };
}

function firstOf<Row>(parts: readonly Compiled<Row>[], path: string): Made<Row> {
  const choices = alike(parts);
  return {
    type: commonType(choices, path),
    read: (row) => {
      for (const choice of choices) {
        const value = choice.read(row);
        if (value !== null) return value;
      }
      return null;
    },
  };
}

/** when, then, when, then, …, and at an odd end what else. */
function firstTrue<Row>({ fn, args, path }: Call<Row>): Made<Row> {
  const isWhen = (i: number): boolean => i % 2 === 0 && i + 1 < args.length;
  const conditions = args.filter((_, i) => isWhen(i)).map((part) => wanted(part, fn, ["bool"]));
  const results = alike(args.filter((_, i) => !isWhen(i)));
  return {
    type: commonType(results, path),
    read: (row) => {
      const found = conditions.findIndex((condition) => condition.read(row) === true);
      return results[found < 0 ? conditions.length : found]?.read(row) ?? null;
    },
  };
}

export function choice<Row>(call: Call<Row>): Made<Row> {
  const { fn, args, path } = call;
  if (fn === "coalesce") return firstOf(args, path);
  if (fn === "case") return firstTrue(call);
  const { read } = args[0]!;
  return { type: "bool", read: (row) => read(row) === null };
}
