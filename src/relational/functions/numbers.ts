// ABS SIGN FLOOR CEIL ROUND DIV MOD SQRT POWER LEAST GREATEST, and the choices COALESCE NULLIF.

import { comparison } from "../binder/comparisons.js";
import type { Bound } from "../bound.js";
import { asType, call, plain, settled, unrounded } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { DURATION, INT, isNumber, mixedType, NULL_TYPE, shownType, type TqlType } from "../types.js";
import { readInstantConstant } from "../values.js";
import { aNumber, anInt, nothing, type ScalarRule, type Site, scalar, written, wrongArgument } from "./rule.js";
import { once } from "./sql.js";

/** A number or a duration: integers stay integers. */
function measure(site: Site, i = 0): Bound {
  const arg = site.args[i]!;
  if (isNumber(arg.type) || arg.type.kind === "duration" || arg.type.kind === "null") return arg;
  throw wrongArgument(site, i, "a number or a duration");
}

const absolute = (site: Site): Bound => {
  const x = measure(site);
  return x.type.kind === "double" ? unrounded("abs", [x], ([v]) => `abs(${v})`) : plain("abs", x.type, [x]);
};

const sign = (site: Site): Bound => call("sign", INT, [settled(measure(site))], ([v]) => `sign(${v})::BIGINT`);

/** FLOOR and CEIL see the rounded value, as 0.1 * 30 should have no step above 3. */
const whole =
  (name: string) =>
  (site: Site): Bound => {
    const x = aNumber(site, 0);
    return x.type.kind === "int" ? x : unrounded(name, [settled(x)], ([v]) => `${name}(${v})`);
  };

function round(site: Site): Bound {
  const x = aNumber(site, 0);
  const digits = site.args.length > 1 ? anInt(site, 1) : undefined;
  if (digits !== undefined && digits.kind !== "constant") {
    throw problem("not_constant", "the digits of ROUND must be written out", written(site, 1));
  }
  const n = Number(digits?.value ?? 0);
  if (!(n >= 0 && n <= 9)) {
    const hint = "derived numbers have at most 9 decimals";
    throw problem("out_of_range", `ROUND to ${n} digits`, written(site, 1), { code: "E_INVALID_ARG", hint });
  }
  if (x.type.kind === "int") return x;
  const sql = ([v]: readonly string[]): string => `TRY_CAST(replace(format('{:.${n}f}', ${v}), 'n', '!') AS DOUBLE)`;
  return unrounded(`round${n}`, [settled(x)], sql);
}

function division(name: "DIV" | "MOD", site: Site): Bound {
  const [a, b] = [measure(site, 0), measure(site, 1)];
  return quotient(name === "DIV" ? "//" : "%", a, b, site);
}

/** The whole part of a / b, and what is left: of the sign of a. Null where b is zero. */
export function quotient(
  op: "//" | "%",
  a: Bound,
  b: Bound,
  site: { readonly ast: Site["ast"]; readonly name: string },
): Bound {
  const kinds = `${a.type.kind} ${b.type.kind}`;
  const sql = ([x, y]: readonly string[]): string => `(${x} ${op} ${y})`;
  if (a.type.kind === "null" || b.type.kind === "null") return nothing;
  if (kinds === "int int") return call(op, INT, [a, b], sql);
  if (kinds === "duration duration") return call(op, op === "//" ? INT : DURATION, [a, b], sql);
  if (!isNumber(a.type) || !isNumber(b.type)) {
    throw wrongType(`${site.name} has no meaning for ${shownType(a.type)} and ${shownType(b.type)}`, site.ast);
  }
  const parts = [settled(a), settled(b)];
  const half = ([x, y]: readonly string[]): string =>
    once([`${x}::DOUBLE`, `${y}::DOUBLE`], ([u, v]) => `trunc(${u} / ${v})`);
  return op === "//" ? unrounded(op, parts, half) : unrounded(op, parts, ([x, y]) => `(${x}::DOUBLE % ${y}::DOUBLE)`);
}

const root = (site: Site): Bound =>
  unrounded("sqrt", [settled(aNumber(site, 0))], ([x]) =>
    once([`${x}::DOUBLE`], ([v]) => `CASE WHEN ${v} >= 0 THEN sqrt(${v}) END`),
  );

function power(site: Site): Bound {
  const exponent = anInt(site, 1);
  const n = exponent.kind === "constant" ? Number(exponent.value) : Number.NaN;
  if (!(Math.abs(n) <= 64)) {
    throw problem("not_constant", "the exponent of POWER is an integer literal from -64 to 64", written(site, 1));
  }
  // Repeated products, as the power functions of C libraries differ in the last bit.
  const product = (x: string): string => Array.from({ length: Math.abs(n) }, () => x).join(" * ") || "1e0";
  const sql = ([x]: readonly string[]): string =>
    once(
      [`${x}::DOUBLE`],
      ([v]) => (n < 0 ? `CASE WHEN ${v} <> 0 THEN 1e0 / (${product(v!)}) END` : `(${product(v!)})`),
      30,
    );
  return unrounded(`power${n}`, [aNumber(site, 0)], sql);
}

/** The common type of values of which one is chosen. */
export function commonType(
  args: readonly Bound[],
  site: { readonly ast: Site["ast"]; readonly name: string },
): TqlType {
  return args.reduce<TqlType>((type, arg, i) => {
    const mixed = mixedType(type, arg.type);
    if (mixed !== undefined) return mixed;
    const at = site.ast.args[i] ?? site.ast;
    throw wrongType(`${site.name} has no common type for ${shownType(type)} and ${shownType(arg.type)}`, at);
  }, NULL_TYPE);
}

/** String parameters beside instants are instants. */
function together(site: Site): Bound[] {
  const isTimed = site.args.some(({ type }) => type.kind === "instant" || type.kind === "instant_open");
  const args = isTimed ? site.args.map((arg, i) => readInstantConstant(arg, written(site, i))) : [...site.args];
  const type = commonType(args, { ast: site.ast, name: site.name });
  return args.map((arg) => asType(arg, type));
}

const choice =
  (sqlName: string) =>
  (site: Site): Bound => {
    const args = together(site);
    return plain(sqlName, args[0]!.type, args);
  };

const nullIf = (site: Site): Bound => {
  const [a, b] = [settled(site.args[0]!), site.args[1]!];
  const isSame = comparison("=", a, b, site.ast);
  return call("nullif", a.type, [a, isSame], ([x, test]) => `CASE WHEN ${test} THEN NULL ELSE ${x} END`);
};

const ANY = Number.POSITIVE_INFINITY;

export const NUMBER_RULES: readonly ScalarRule[] = [
  scalar("ABS", "ABS(number | duration) → the same", 1, 1, absolute),
  scalar("SIGN", "SIGN(number | duration) → INT64", 1, 1, sign),
  scalar("FLOOR", "FLOOR(number) → the same", 1, 1, whole("floor")),
  scalar("CEIL", "CEIL(number) → the same", 1, 1, whole("ceil")),
  scalar("ROUND", "ROUND(number [, digits 0 to 9]) → the same, half to even", 1, 2, round),
  scalar("DIV", "DIV(a, b) → the whole part of a / b, NULL where b is 0", 2, 2, (site) => division("DIV", site)),
  scalar("MOD", "MOD(a, b) → what DIV leaves, of the sign of a", 2, 2, (site) => division("MOD", site)),
  scalar("SQRT", "SQRT(number) → DOUBLE, NULL below 0", 1, 1, root),
  scalar("POWER", "POWER(number, integer literal) → DOUBLE", 2, 2, power),
  scalar("LEAST", "LEAST(a, b, …) → the least that is not NULL", 1, ANY, choice("least")),
  scalar("GREATEST", "GREATEST(a, b, …) → the greatest that is not NULL", 1, ANY, choice("greatest")),
  scalar("COALESCE", "COALESCE(a, b, …) → the first that is not NULL", 1, ANY, choice("coalesce")),
  scalar("NULLIF", "NULLIF(a, b) → NULL where a = b, else a", 2, 2, nullIf),
];
