// What the closed table holds for each function, and the checks of arguments that rules share.
// Rules type a call and give the SQL of it; the binder has resolved the arguments before.
import type { FunctionCall } from "../../../grammar/ast.js";
import type { AggregateSql, Bound, BoundSort } from "../bound.js";
import { constant, settled } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { isInstant, isNull, isNumber, shownType, type TqlType } from "../types.js";
import { readInstantConstant } from "../values.js";

/** A call as it was written, its arguments bound. */
export interface Site {
  readonly ast: FunctionCall;
  readonly name: string;
  readonly args: readonly Bound[];
  /** The zone in force. */
  readonly zone: string;
}

interface Named {
  readonly name: string;
  /** For people: `ROUND(number, integer) → DOUBLE`. */
  readonly signature: string;
  readonly least: number;
  readonly most: number;
}
export interface ScalarRule extends Named {
  readonly kind: "scalar";
  bind(site: Site): Bound;
}
export const scalar = (
  name: string,
  signature: string,
  least: number,
  most: number,
  bind: (site: Site) => Bound,
): ScalarRule => ({ kind: "scalar", name, signature, least, most, bind });
/** What an aggregate or window function computes, before OVER, FILTER and the like are added. */
export interface Folded {
  readonly args: readonly Bound[];
  readonly type: TqlType;
  readonly sql: AggregateSql;
  /** Order of the values where the text gives none, or what comes after the order that it gives. */
  readonly orderBy?: readonly BoundSort[];
  readonly unrounded?: boolean;
}
export interface AggregateRule extends Named {
  readonly kind: "aggregate";
  /** Whether ORDER BY may stand inside its parentheses. */
  readonly ordered?: boolean;
  bind(site: Site): Folded;
}
export interface WindowRule extends Named {
  readonly kind: "window";
  /** Whether it has a meaning only in an order. */
  readonly needsOrder: boolean;
  /** Whether rows that are equal in the written order are told apart. */
  readonly breaksTies: boolean;
  readonly takesFrame: boolean;
  bind(site: Site): Folded;
}
/** MAX_GAP and its like: only `aggregate_events` computes them. */
export interface EventRule extends Named {
  readonly kind: "event";
  type(site: Site): TqlType;
}
export type FunctionRule = ScalarRule | AggregateRule | WindowRule | EventRule;

export const written = (site: Site, i: number) => site.ast.args[i] ?? site.ast;

/** E_SCHEMA that shows what a function takes. */
export const wrongArgument = (site: Site, i: number, takes: string) =>
  wrongType(
    `${site.name} takes ${takes}, not ${shownType(site.args[i]!.type)}`,
    written(site, i),
    cureOf(site.args[i]!.type),
  );

const cureOf = (type: TqlType): string =>
  type.kind === "json" ? "a property of mixed types is CAST first: CAST(x AS DOUBLE)" : "";

const taking = (takes: string, test: (type: TqlType) => boolean) => (site: Site, i: number) => {
  const arg = site.args[i]!;
  if (!isNull(arg.type) && !test(arg.type)) throw wrongArgument(site, i, takes);
  return arg;
};
export const aNumber = taking("a number", isNumber);
export const anInt = taking("an integer", ({ kind }) => kind === "int");
export const aText = taking("a string", ({ kind }) => kind === "string");
export const aDuration = taking("a duration", ({ kind }) => kind === "duration");
export const aPeriod = taking("a period", ({ kind }) => kind === "period");
export const aBool = taking("a boolean", ({ kind }) => kind === "bool");

export function anInstant(site: Site, i: number): Bound {
  const arg = readInstantConstant(site.args[i]!, written(site, i));
  if (isNull(arg.type) || isInstant(arg.type)) return arg;
  throw wrongArgument(site, i, "an instant");
}

/** An argument that must be written out: a literal or a parameter. */
export function theConstant(site: Site, i: number, what: string): NonNullable<unknown> {
  const arg = site.args[i]!;
  if (arg.kind === "constant" && arg.value !== null) return arg.value;
  throw problem("not_constant", `${what} of ${site.name} must be a literal or a parameter`, written(site, i));
}

export function aConstantText(site: Site, i: number, what: string): string {
  aText(site, i);
  return theConstant(site, i, what) as string;
}

/** Rows of a Sort that an aggregate keeps beside its arguments. */
export const ascending = (expr: Bound, nullsFirst = true): BoundSort => ({
  expr: settled(expr),
  desc: false,
  nullsFirst,
});
export const descending = (expr: Bound): BoundSort => ({ expr: settled(expr), desc: true, nullsFirst: false });

/** An aggregate of DuckDB over its arguments. */
export const fold =
  (sqlName: string): AggregateSql =>
  (args, { distinct, orderBy, suffix }) =>
    `${sqlName}(${distinct ? "DISTINCT " : ""}${args.join(", ")}${orderBy === "" ? "" : ` ORDER BY ${orderBy}`})${suffix}`;

export const nothing = constant(null, { kind: "null" });
