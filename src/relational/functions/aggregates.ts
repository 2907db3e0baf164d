// Aggregates: exact over integers, compensated over doubles in the order of the rows, ties broken by value.
// FOREVER has no place in sums, means and quantiles, and takes no part in them.
import type { AggregateSql, Bound, BoundSort } from "../bound.js";
import { call, keyOf, settled } from "../nodes.js";
import { problem } from "../problems.js";
import { BOOL, DOUBLE, INT, isInstant, isNumber, listOf, STRING, type TqlType } from "../types.js";
import { memberAsNumber } from "./casts.js";
import {
  type AggregateRule,
  aBool,
  aConstantText,
  aNumber,
  ascending,
  aText,
  descending,
  type Folded,
  fold,
  type Site,
  theConstant,
  written,
  wrongArgument,
} from "./rule.js";
import { divideHalfEven, exactMean, finite, once } from "./sql.js";

const aggregate = (
  name: string,
  signature: string,
  least: number,
  most: number,
  bind: (site: Site) => Folded,
  ordered = false,
): AggregateRule => ({ kind: "aggregate", name, signature, least, most, bind, ordered });

const plainFold = (sqlName: string, type: TqlType, args: readonly Bound[]): Folded => ({
  args,
  type,
  sql: fold(sqlName),
});

/** A number, a duration, or an instant without FOREVER. */
function measure(site: Site, takesInstants: boolean): Bound {
  const arg = memberAsNumber(site.args[0]!);
  if (isNumber(arg.type) || arg.type.kind === "duration" || arg.type.kind === "null") return arg;
  if (!takesInstants || !isInstant(arg.type))
    throw wrongArgument(site, 0, takesInstants ? "numbers, durations or instants" : "numbers or durations");
  return arg.type.kind === "instant" ? arg : call("finite", { kind: "instant" }, [arg], ([x]) => finite(x!));
}

/** DuckDB's compensated sums see the values in the order of the rows; different ones alone, in their own order. */
const compensated =
  (sqlName: string): AggregateSql =>
  (args, each) =>
    fold(sqlName)(args, each.distinct ? { ...each, orderBy: args[0]! } : each);

function sum(site: Site): Folded {
  const x = measure(site, false);
  if (x.type.kind === "double") return { args: [x], type: DOUBLE, sql: compensated("fsum"), unrounded: true };
  return { args: [x], type: x.type, sql: (args, each) => `CAST(${fold("sum")(args, each)} AS BIGINT)` };
}

function mean(site: Site): Folded {
  const x = measure(site, true);
  if (x.type.kind === "double") return { args: [x], type: DOUBLE, sql: compensated("favg"), unrounded: true };
  const parts: (body: (sum: string, count: string) => string) => AggregateSql = (body) => (args, each) =>
    once([fold("sum")(args, each), fold("count")(args, each)], ([s, n]) => body(s!, n!), 20);
  if (x.type.kind === "int") return { args: [x], type: DOUBLE, sql: parts(exactMean), unrounded: true };
  return { args: [x], type: x.type, sql: parts((s, n) => `${divideHalfEven(s, n)}::BIGINT`) };
}

function extreme(sqlName: "min" | "max") {
  return (site: Site): Folded => {
    const x = settled(site.args[0]!);
    if (x.type.kind === "period" || x.type.kind === "row" || x.type.kind === "interval") {
      throw wrongArgument(site, 0, "values that have an order");
    }
    return plainFold(sqlName, x.type, [x]);
  };
}

/** Runs over the sorted list of the values that are not null. */
const overSorted =
  (body: (list: string) => string): AggregateSql =>
  (args, each) => {
    const [x] = args;
    const test = each.filter === null ? `${x} IS NOT NULL` : `${x} IS NOT NULL AND (${each.filter})`;
    const suffix = `${` FILTER (WHERE ${test})`}${each.over}`;
    return once([`list(${each.distinct ? "DISTINCT " : ""}${x} ORDER BY ${x})${suffix}`], ([l]) => body(l!), 0);
  };

/** The two members around the place (n - 1) * q, and how far it is from the first to the second. */
function around(list: string, q: number): { readonly below: string; readonly above: string; readonly share: string } {
  const place = `((len(${list}) - 1) * ${q.toExponential()})`;
  return {
    below: `${list}[floor(${place})::BIGINT + 1]`,
    above: `${list}[ceil(${place})::BIGINT + 1]`,
    share: `(${place} - floor(${place}))`,
  };
}

function quantile(site: Site, q: number): Folded {
  const x = measure(site, true);
  if (x.type.kind === "double" || (x.type.kind === "int" && q !== 0.5)) {
    const sql: AggregateSql = ([value], each) => fold("quantile_cont")([`${value}::DOUBLE`, q.toExponential()], each);
    return { args: [settled(x)], type: DOUBLE, sql, unrounded: true };
  }
  const middle = (l: string): string => `(${around(l, q).below}::HUGEINT + ${around(l, q).above})`;
  if (x.type.kind === "int" || x.type.kind === "null") {
    return { args: [x], type: DOUBLE, sql: overSorted((l) => exactMean(middle(l), "2")), unrounded: true };
  }
  const sql = overSorted((l) => {
    if (q === 0.5) return `${divideHalfEven(middle(l), "2")}::BIGINT`;
    const { below, above, share } = around(l, q);
    return `(${below} + round_even((${above} - ${below}) * ${share}, 0)::BIGINT)`;
  });
  return { args: [x], type: x.type, sql };
}

function share(site: Site): number {
  const q = Number(theConstant(site, 1, "the share"));
  if (q >= 0 && q <= 1) return q;
  const hint = q > 1 && q <= 100 ? `write ${q / 100}` : "";
  throw problem("out_of_range", `the share of ${site.name} is from 0 to 1, not ${q}`, written(site, 1), {
    code: "E_INVALID_ARG",
    hint,
  });
}

function discrete(site: Site): Folded {
  const q = share(site);
  const x = settled(site.args[0]!);
  return { args: [x], type: x.type, sql: ([value], each) => fold("quantile_disc")([value!, q.toExponential()], each) };
}

const deviation =
  (sqlName: string) =>
  (site: Site): Folded => ({
    args: [settled(aNumber(site, 0))],
    type: DOUBLE,
    sql: ([x], each) => fold(sqlName)([`${x}::DOUBLE`], each),
    unrounded: true,
  });

const ofBools =
  (sqlName: string) =>
  (site: Site): Folded =>
    plainFold(sqlName, BOOL, [aBool(site, 0)]);

/** The value of `by`'s extreme; of several the smallest. Rows with a NULL in either take no part. */
const atExtreme =
  (isMax: boolean) =>
  (site: Site): Folded => {
    const [x, by] = site.args.map(settled) as [Bound, Bound];
    return {
      args: [x, by],
      type: x.type,
      orderBy: [isMax ? descending(by) : ascending(by), ascending(x)],
      sql: ([value, key], each) => {
        const known = `${value} IS NOT NULL AND ${key} IS NOT NULL`;
        const test = each.filter === null ? known : `${known} AND (${each.filter})`;
        // Over a window, `first` would be FIRST_VALUE, which has no FILTER.
        const name = each.over === "" ? "first" : "list";
        const all = `${name}(${value} ORDER BY ${each.orderBy}) FILTER (WHERE ${test})${each.over}`;
        return each.over === "" ? all : `(${all})[1]`;
      },
    };
  };

/** Different values are ordered by themselves: DuckDB, as SQL, takes no other order beside DISTINCT. */
export function checkDistinctOrder(site: Site, orderBy: readonly BoundSort[]): void {
  if (!site.ast.distinct) return;
  const own = keyOf(settled(site.args[0]!));
  const other = orderBy.findIndex(({ expr }) => keyOf(expr) !== own);
  if (other < 0) return;
  throw problem(
    "distinct_order",
    `${site.name}(DISTINCT …) can be ordered by its own value alone`,
    site.ast.orderBy[other]?.expr ?? site.ast,
    {
      hint: "leave DISTINCT out, or order by the value",
    },
  );
}

function list(site: Site): Folded {
  const x = settled(site.args[0]!);
  if (x.type.kind === "row" || x.type.kind === "interval") throw wrongArgument(site, 0, "one value");
  return { args: [x], type: listOf(x.type), sql: fold("list"), orderBy: [ascending(x)] };
}

function joined(site: Site): Folded {
  const x = aText(site, 0);
  aConstantText(site, 1, "the separator");
  return { args: [x, site.args[1]!], type: STRING, sql: fold("string_agg"), orderBy: [ascending(x)] };
}

const count = (site: Site): Folded =>
  site.ast.star
    ? { args: [], type: INT, sql: (_, { suffix }) => `count(*)${suffix}` }
    : plainFold("count", INT, [settled(site.args[0]!)]);

export const AGGREGATE_RULES: readonly AggregateRule[] = [
  aggregate("COUNT", "COUNT(*) | COUNT(x) → INT64", 0, 1, count),
  aggregate("SUM", "SUM(number | duration) → the same, exact over integers", 1, 1, sum),
  aggregate("AVG", "AVG(number | duration | instant) → DOUBLE, DURATION, INSTANT", 1, 1, mean),
  aggregate("MIN", "MIN(x) → the same", 1, 1, extreme("min")),
  aggregate("MAX", "MAX(x) → the same", 1, 1, extreme("max")),
  aggregate("MEDIAN", "MEDIAN(number | duration | instant) → DOUBLE, DURATION, INSTANT", 1, 1, (site) =>
    quantile(site, 0.5),
  ),
  aggregate("QUANTILE", "QUANTILE(x, 0 to 1) → as MEDIAN, between the two nearest", 2, 2, (site) =>
    quantile(site, share(site)),
  ),
  aggregate("QUANTILE_DISC", "QUANTILE_DISC(x, 0 to 1) → a value that is there", 2, 2, discrete),
  aggregate("STDDEV_POP", "STDDEV_POP(number) → DOUBLE", 1, 1, deviation("stddev_pop")),
  aggregate("STDDEV_SAMP", "STDDEV_SAMP(number) → DOUBLE, NULL of one value", 1, 1, deviation("stddev_samp")),
  aggregate("BOOL_AND", "BOOL_AND(boolean) → BOOL", 1, 1, ofBools("bool_and")),
  aggregate("BOOL_OR", "BOOL_OR(boolean) → BOOL", 1, 1, ofBools("bool_or")),
  aggregate("ARG_MIN", "ARG_MIN(x, by) → x where by is least; of ties the smallest x", 2, 2, atExtreme(false)),
  aggregate("ARG_MAX", "ARG_MAX(x, by) → x where by is greatest; of ties the smallest x", 2, 2, atExtreme(true)),
  aggregate("LIST", "LIST(x [ORDER BY …]) → LIST; without an order by value", 1, 1, list, true),
  aggregate(
    "STRING_AGG",
    "STRING_AGG(string, separator [ORDER BY …]) → STRING; without an order by value",
    2,
    2,
    joined,
    true,
  ),
];
