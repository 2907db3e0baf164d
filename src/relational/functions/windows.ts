// Window functions, and the aggregates over events that only aggregate_events computes.
import type { AggregateSql } from "../bound.js";
import { asType, settled } from "../nodes.js";
import { problem } from "../problems.js";
import { DOUBLE, DURATION, INT, mixedType, type TqlType } from "../types.js";
import {
  aDuration,
  anInstant,
  anInt,
  type EventRule,
  type Folded,
  type Site,
  theConstant,
  type WindowRule,
  written,
  wrongArgument,
} from "./rule.js";

type Flags = Pick<WindowRule, "needsOrder" | "breaksTies" | "takesFrame">;
const RANKING: Flags = { needsOrder: true, breaksTies: false, takesFrame: false };
const NUMBERING: Flags = { needsOrder: false, breaksTies: true, takesFrame: false };
const MOVING: Flags = { needsOrder: true, breaksTies: true, takesFrame: false };
const FRAMED: Flags = { needsOrder: true, breaksTies: true, takesFrame: true };

const rule = (
  name: string,
  signature: string,
  least: number,
  most: number,
  flags: Flags,
  bind: (site: Site) => Folded,
): WindowRule => ({ kind: "window", name, signature, least, most, ...flags, bind });

const over =
  (sqlName: string, isDouble = false): ((site: Site) => Folded) =>
  () => ({
    args: [],
    type: isDouble ? DOUBLE : INT,
    sql: (_, { suffix }) => `${sqlName}()${suffix}`,
    unrounded: isDouble,
  });

/** `IGNORE NULLS` stands behind the arguments. */
const called =
  (sqlName: string): AggregateSql =>
  (args, { suffix, ignoreNulls }) =>
    `${sqlName}(${args.join(", ")}${ignoreNulls === true ? " IGNORE NULLS" : ""})${suffix}`;

function neighbour(sqlName: "lag" | "lead") {
  return (site: Site): Folded => {
    const x = settled(site.args[0]!);
    const distance = site.args.length > 1 ? [anInt(site, 1)] : [];
    if (site.args.length < 3) return { args: [x, ...distance], type: x.type, sql: called(sqlName) };
    const other = site.args[2]!;
    const type = mixedType(x.type, other.type);
    if (type === undefined) throw wrongArgument(site, 2, `a default of the type of its value`);
    return { args: [asType(x, type), ...distance, asType(other, type)], type, sql: called(sqlName) };
  };
}

const valueAt =
  (sqlName: string) =>
  (site: Site): Folded => {
    const x = settled(site.args[0]!);
    return { args: [x], type: x.type, sql: called(sqlName) };
  };

function nth(site: Site): Folded {
  const x = settled(site.args[0]!);
  return { args: [x, anInt(site, 1)], type: x.type, sql: called("nth_value") };
}

function tiles(site: Site): Folded {
  const n = theConstant(site, 0, "the number of tiles");
  if (Number(n) >= 1) return { args: [anInt(site, 0)], type: INT, sql: called("ntile") };
  throw problem("out_of_range", `NTILE(${n}) makes no tiles`, written(site, 0), { code: "E_INVALID_ARG" });
}

/** How many pauses longer than the gap came before, and one. The printer gives the pauses of each row. */
function session(site: Site): Folded {
  const at = anInstant(site, 0);
  aDuration(site, 1);
  theConstant(site, 1, "the gap");
  return {
    args: [at, site.args[1]!],
    type: INT,
    sql: ([isNew], { suffix }) => `(count(*) FILTER (WHERE ${isNew})${suffix} + 1)`,
  };
}

export const SESSION_NO = "SESSION_NO";

export const WINDOW_RULES: readonly WindowRule[] = [
  rule("ROW_NUMBER", "ROW_NUMBER() → INT64", 0, 0, NUMBERING, over("row_number")),
  rule("RANK", "RANK() → INT64", 0, 0, RANKING, over("rank")),
  rule("DENSE_RANK", "DENSE_RANK() → INT64", 0, 0, RANKING, over("dense_rank")),
  rule("PERCENT_RANK", "PERCENT_RANK() → DOUBLE", 0, 0, RANKING, over("percent_rank", true)),
  rule("CUME_DIST", "CUME_DIST() → DOUBLE", 0, 0, RANKING, over("cume_dist", true)),
  rule("NTILE", "NTILE(n) → INT64", 1, 1, MOVING, tiles),
  rule("LAG", "LAG(x [, distance [, default]]) → the same", 1, 3, MOVING, neighbour("lag")),
  rule("LEAD", "LEAD(x [, distance [, default]]) → the same", 1, 3, MOVING, neighbour("lead")),
  rule("FIRST_VALUE", "FIRST_VALUE(x) → the same", 1, 1, FRAMED, valueAt("first_value")),
  rule("LAST_VALUE", "LAST_VALUE(x) → the same", 1, 1, FRAMED, valueAt("last_value")),
  rule("NTH_VALUE", "NTH_VALUE(x, n) → the same", 2, 2, FRAMED, nth),
  rule(SESSION_NO, "SESSION_NO(instant, gap) → INT64, counted from 1", 2, 2, MOVING, session),
];

const event = (
  name: string,
  signature: string,
  least: number,
  most: number,
  type: (site: Site) => TqlType,
): EventRule => ({
  kind: "event",
  name,
  signature,
  least,
  most,
  type,
});

const gap = (site: Site): TqlType => {
  anInstant(site, 0);
  return DURATION;
};

export const EVENT_RULES: readonly EventRule[] = [
  event("MIN_GAP", "MIN_GAP(at) → DURATION between consecutive events", 1, 1, gap),
  event("MEAN_GAP", "MEAN_GAP(at) → DURATION", 1, 1, gap),
  event("MAX_GAP", "MAX_GAP(at) → DURATION", 1, 1, gap),
  event(
    "MAX_IN_SPAN",
    "MAX_IN_SPAN([DISTINCT x,] at, duration) → INT64, most events in any such span",
    2,
    3,
    (site) => {
      const last = site.args.length - 1;
      anInstant(site, last - 1);
      aDuration(site, last);
      return INT;
    },
  ),
  event("LONGEST_SESSION", "LONGEST_SESSION(at, gap) → DURATION of the longest run", 2, 2, (site) => {
    anInstant(site, 0);
    aDuration(site, 1);
    return DURATION;
  }),
];
