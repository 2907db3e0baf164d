// Comparisons: which types compare, and their SQL. An int64 and a double compare by exact value.
// Instants compare with instants alone; FOREVER is above all of them.
import type { BinaryOperator, Position } from "../../../grammar/ast.js";
import type { Bound } from "../bound.js";
import { compareExact } from "../functions/sql.js";
import { asType, call, settled } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { BOOL, isInstant, isNumber, mixedType, sameType, shownType, type TqlType } from "../types.js";
import { readDurationConstant, readInstantConstant } from "../values.js";

interface Placed {
  readonly at?: Position;
}
type ComparisonOperator = Extract<BinaryOperator, "=" | "<>" | "<" | "<=" | ">" | ">=">;

/** Integers up to here are doubles, and no other integer becomes one of them when it is converted. */
const EXACT = 2 ** 53;

const isSmallConstant = (node: Bound): boolean => node.kind === "constant" && Math.abs(Number(node.value)) < EXACT;

/** An int64 beside a double. Equality keeps an equality of doubles in front, so that joins can hash it. */
function exactly(op: ComparisonOperator, integer: Bound, double: Bound, isSwapped: boolean): Bound {
  const args = [integer, settled(double)];
  const turned = isSwapped ? SWAPPED[op] : op;
  if (isSmallConstant(integer) || isSmallConstant(double)) {
    return call(`small${turned}`, BOOL, args, ([i, d]) => `(${i}::DOUBLE ${turned} ${d})`);
  }
  return call(`exact${turned}`, BOOL, args, ([i, d]) => {
    const compared = `${compareExact(i!, d!)} ${turned} 0`;
    return turned === "=" ? `(${i}::DOUBLE = ${d} AND ${compared})` : `(${compared})`;
  });
}

const SWAPPED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Literals and parameters take the type of what they stand beside, where that is a time. */
export function besides(a: Bound, b: Bound, at: Placed | undefined): readonly [Bound, Bound] {
  const turned = (node: Bound, other: Bound): Bound =>
    isInstant(other.type)
      ? readInstantConstant(node, at)
      : other.type.kind === "duration"
        ? readDurationConstant(node, at)
        : node;
  return [turned(a, b), turned(b, a)];
}

/** INSTANT against STRING shows the literal that was meant; other types say that they do not compare. */
export function doNotCompare(a: Bound, b: Bound, at: Placed | undefined) {
  const text = a.type.kind === "string" ? a : b;
  if ((isInstant(a.type) || isInstant(b.type)) && text.type.kind === "string") {
    const value = text.kind === "constant" ? String(text.value).slice(0, 60) : null;
    const isDate = value === null || /^[+-]?\d{4}-\d\d-\d\d$/.test(value);
    const shown = value === null ? "DATE '…'" : `${isDate ? "DATE" : "TIMESTAMP"} '${value.replaceAll("'", "''")}'`;
    return problem("string_for_instant", "an INSTANT does not compare with a STRING", at, { hint: `write ${shown}` });
  }
  if ((isInstant(a.type) || isInstant(b.type)) && (isNumber(a.type) || isNumber(b.type))) {
    const message = "an integer is not an instant";
    return problem("epoch_unit", message, at, {
      code: "E_EPOCH_UNIT",
      hint: "write EPOCH_S n, EPOCH_MS n or EPOCH_US n",
    });
  }
  const isJson = a.type.kind === "json" || b.type.kind === "json";
  const hint = isJson ? "JSON is CAST before it is compared: CAST(x AS DOUBLE)" : "";
  return wrongType(`${shownType(a.type)} does not compare with ${shownType(b.type)}`, at, hint);
}

function rows(op: ComparisonOperator, a: Bound, b: Bound, at: Placed | undefined): Bound {
  const [left, right] = [a.type, b.type] as { readonly of: readonly TqlType[] }[];
  if (op !== "=" && op !== "<>")
    throw wrongType(`${op} has no meaning for rows`, at, "compare their members one by one");
  if (left!.of.length !== right!.of.length) throw doNotCompare(a, b, at);
  const parts = membersOf(a).map((member, i) => comparison("=", member, membersOf(b)[i]!, at));
  const all = call("and", BOOL, parts, (texts) => `(${texts.join(" AND ")})`);
  return op === "=" ? all : call("not", BOOL, [all], ([x]) => `(NOT ${x})`);
}

/** The members of a row: what it was written of. */
export const membersOf = (row: Bound): readonly Bound[] => (row.kind === "call" && row.name === "row" ? row.args : []);

export function comparison(op: ComparisonOperator, left: Bound, right: Bound, at: Placed | undefined): Bound {
  const [a, b] = besides(left, right, at);
  if (a.type.kind === "row" && b.type.kind === "row") return rows(op, a, b, at);
  if (isNumber(a.type) && isNumber(b.type) && a.type.kind !== b.type.kind) {
    return a.type.kind === "int" ? exactly(op, a, b, false) : exactly(op, b, a, true);
  }
  const type = mixedType(a.type, b.type);
  if (type === undefined || type.kind === "interval") throw doNotCompare(a, b, at);
  if (type.kind === "period" && op !== "=" && op !== "<>") {
    throw wrongType("periods have no order", at, "OVERLAPS, CONTAINS, PRECEDES and the like compare them");
  }
  const isSame = sameType(a.type, b.type) || (isInstant(a.type) && isInstant(b.type));
  const args = isSame ? [settled(a), settled(b)] : [asType(a, type), asType(b, type)];
  return call(op, BOOL, args, ([x, y]) => `(${x} ${op} ${y})`);
}

/** `IS [NOT] DISTINCT FROM`: NULL is a value like any other. */
export function distinctFrom(left: Bound, right: Bound, isNot: boolean, at: Placed | undefined): Bound {
  const isSame = comparison("=", left, right, at);
  const [a, b] = besides(left, right, at);
  const isMixed = isNumber(a.type) && isNumber(b.type) && a.type.kind !== b.type.kind;
  if (!isMixed && isSame.kind === "call" && a.type.kind !== "row") {
    const word = isNot ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM";
    return call(word, BOOL, isSame.args, ([x, y]) => `(${x} ${word} ${y})`);
  }
  const name = isNot ? "same" : "distinct";
  return call(name, BOOL, [isSame, settled(a), settled(b)], ([test, x, y]) => {
    const known = `coalesce(${test}, ${x} IS NULL AND ${y} IS NULL)`;
    return isNot ? known : `(NOT ${known})`;
  });
}

const PERIOD_TESTS: Readonly<Record<string, (pf: string, pt: string, qf: string, qt: string) => string>> = {
  overlaps: (pf, pt, qf, qt) => `(${pf} < ${qt} AND ${qf} < ${pt})`,
  contains: (pf, pt, qf, qt) => `(${pf} <= ${qf} AND ${qt} <= ${pt})`,
  equals: (pf, pt, qf, qt) => `(${pf} = ${qf} AND ${pt} = ${qt})`,
  precedes: (_pf, pt, qf) => `(${pt} <= ${qf})`,
  succeeds: (pf, _pt, _qf, qt) => `(${qt} <= ${pf})`,
  immediately_precedes: (_pf, pt, qf) => `(${pt} = ${qf})`,
  immediately_succeeds: (pf, _pt, _qf, qt) => `(${qt} = ${pf})`,
};

export const isPeriodWord = (op: string): boolean => Object.hasOwn(PERIOD_TESTS, op);

const WORDS: Readonly<Record<string, string>> = {
  immediately_precedes: "IMMEDIATELY PRECEDES",
  immediately_succeeds: "IMMEDIATELY SUCCEEDS",
};
const shownWord = (op: string): string => WORDS[op] ?? op.toUpperCase();

/** OVERLAPS, CONTAINS and the like; `ends` takes a period apart. */
export function periodTest(
  op: string,
  a: Bound,
  right: Bound,
  at: Placed | undefined,
  ends: (period: Bound) => { readonly from: Bound; readonly to: Bound },
): Bound {
  // A column whose type is known only later is a text beside a text.
  const isText = a.type.kind === "string" || (a.type.kind === "null" && right.type.kind === "string");
  if (op === "contains" && isText) {
    if (right.type.kind !== "string" && right.type.kind !== "null") throw doNotCompare(a, right, at);
    return call("contains_text", BOOL, [a, right], ([x, y]) => `contains(${x}, ${y})`);
  }
  if (a.type.kind !== "period" && a.type.kind !== "null") {
    const hint = "write x.valid_time, or PERIOD(from, to)";
    throw wrongType(`${shownWord(op)} takes a period on its left, not ${shownType(a.type)}`, at, hint);
  }
  const b = op === "contains" ? readInstantConstant(right, at) : right;
  const p = ends(a);
  if (op === "contains" && isInstant(b.type)) {
    return call("contains_instant", BOOL, [p.from, p.to, b], ([f, t, x]) => `(${f} <= ${x} AND ${x} < ${t})`);
  }
  if (b.type.kind !== "period" && b.type.kind !== "null") {
    const hint = "write x.valid_time, or PERIOD(from, to)";
    throw wrongType(`${shownWord(op)} takes a period on its right, not ${shownType(b.type)}`, at, hint);
  }
  const q = ends(b);
  return call(op, BOOL, [p.from, p.to, q.from, q.to], ([pf, pt, qf, qt]) => PERIOD_TESTS[op]!(pf!, pt!, qf!, qt!));
}
