// Functions of instants, durations and periods: EPOCH_MICROS SECONDS … DAYS, PERIOD and its parts, WIDTH ALLEN INTERSECT_TIME.
import type { AllenRelation } from "../../contract/allen.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import type { Bound } from "../bound.js";
import { call, unrounded } from "../nodes.js";
import { problem } from "../problems.js";
import { DURATION, INSTANT, INSTANT_OPEN, INT, PERIOD, STRING } from "../types.js";
import { aDuration, anInstant, aPeriod, type ScalarRule, type Site, scalar, written } from "./rule.js";
import { finite, fromOf, once, periodOf, toOf } from "./sql.js";

/** The period of a stored version: never empty, so its ends may be used as they are. */
const STORED = "stored_period";
export const storedPeriod = (from: Bound, to: Bound): Bound =>
  call(STORED, PERIOD, [from, to], ([a, b]) => periodOf(a!, b!));

/** The ends of a period; of one that is made of two columns, these. */
export function endsOf(period: Bound): { readonly from: Bound; readonly to: Bound } {
  if (period.kind === "call" && period.name === STORED) return { from: period.args[0]!, to: period.args[1]! };
  return {
    from: call("period_from", INSTANT, [period], ([p]) => fromOf(p!)),
    to: call("period_to", INSTANT_OPEN, [period], ([p]) => toOf(p!)),
  };
}

function period(site: Site): Bound {
  const [from, to] = [anInstant(site, 0), anInstant(site, 1)];
  if (from.kind === "constant" && to.kind === "constant" && from.value !== null && to.value !== null) {
    const [a, b] = [from.value as bigint, to.value as bigint];
    if (a >= b) {
      const shown = (us: bigint): string => (us === OPEN_END_US ? "FOREVER" : formatInstant(us));
      throw problem("period", `${shown(a)} is not before ${shown(b)}`, written(site, 0), {
        code: "E_PERIOD_ORDER",
        hint: `PERIOD(${shown(b)}, ${shown(a)})?`,
      });
    }
  }
  return call("period", PERIOD, [from, to], ([a, b]) => periodOf(a!, b!));
}

const length = (site: Site, us: number): Bound =>
  unrounded(`per ${us}`, [aDuration(site, 0)], ([d]) => `(${d}::DOUBLE / ${us}e0)`);

function width(site: Site): Bound {
  const { from, to } = endsOf(aPeriod(site, 0));
  return call("width", DURATION, [from, to], ([a, b]) =>
    once([a!, b!], ([f, t]) => `CASE WHEN ${f} < ${t} THEN ${finite(t!)} - ${f} END`),
  );
}

/** The first that holds; p is [pf, pt) and q is [qf, qt). */
const RELATIONS: readonly (readonly [string, AllenRelation])[] = [
  ["pt < qf", "before"],
  ["pt = qf", "meets"],
  ["qt < pf", "after"],
  ["qt = pf", "met_by"],
  ["pf = qf AND pt = qt", "equals"],
  ["pf = qf AND pt < qt", "starts"],
  ["pf = qf", "started_by"],
  ["pt = qt AND pf > qf", "finishes"],
  ["pt = qt", "finished_by"],
  ["pf > qf AND pt < qt", "during"],
  ["pf < qf AND pt > qt", "contains"],
  ["pf < qf", "overlaps"],
];

function allen(site: Site): Bound {
  const [p, q] = [aPeriod(site, 0), aPeriod(site, 1)];
  return call("allen", STRING, [p, q], (args) =>
    once(
      args,
      ([a, b]) => {
        const ends: Readonly<Record<string, string>> = { pf: fromOf(a!), pt: toOf(a!), qf: fromOf(b!), qt: toOf(b!) };
        const test = (text: string): string => text.replace(/[pq][ft]/g, (end) => ends[end]!);
        const when = RELATIONS.map(([text, name]) => `WHEN ${test(text)} THEN '${name}'`).join(" ");
        return `CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL ${when} ELSE 'overlapped_by' END`;
      },
      60,
    ),
  );
}

function intersection(site: Site): Bound {
  const ends = site.args.map((_, i) => endsOf(aPeriod(site, i)));
  const all = [...ends.map(({ from }) => from), ...ends.map(({ to }) => to)];
  const count = ends.length;
  // least and greatest leave NULLs out, but an unknown end makes the whole unknown.
  return call(
    "period",
    PERIOD,
    [
      call("latest", INSTANT, all.slice(0, count), (args) => noNull("greatest", args)),
      call("earliest", INSTANT_OPEN, all.slice(count), (args) => noNull("least", args)),
    ],
    ([a, b]) => periodOf(a!, b!),
  );
}

const noNull = (name: string, args: readonly string[]): string =>
  args.length === 1
    ? args[0]!
    : once(
        args,
        (each) => `CASE WHEN ${each.map((x) => `${x} IS NOT NULL`).join(" AND ")} THEN ${name}(${each.join(", ")}) END`,
      );

const ANY = Number.POSITIVE_INFINITY;

export const TIME_RULES: readonly ScalarRule[] = [
  scalar("EPOCH_MICROS", "EPOCH_MICROS(instant) → INT64; NULL for FOREVER", 1, 1, (site) =>
    call("epoch_micros", INT, [anInstant(site, 0)], ([x]) => finite(x!)),
  ),
  scalar("SECONDS", "SECONDS(duration) → DOUBLE", 1, 1, (site) => length(site, 1e6)),
  scalar("MINUTES", "MINUTES(duration) → DOUBLE", 1, 1, (site) => length(site, 6e7)),
  scalar("HOURS", "HOURS(duration) → DOUBLE", 1, 1, (site) => length(site, 36e8)),
  scalar("DAYS", "DAYS(duration) → DOUBLE, of 24 hours", 1, 1, (site) => length(site, 864e8)),
  scalar("PERIOD", "PERIOD(from, to) → PERIOD", 2, 2, period),
  scalar("PERIOD_FROM", "PERIOD_FROM(period) → INSTANT", 1, 1, (site) =>
    call("period_from", INSTANT, [aPeriod(site, 0)], ([p]) => fromOf(p!)),
  ),
  scalar("PERIOD_TO", "PERIOD_TO(period) → INSTANT or FOREVER", 1, 1, (site) =>
    call("period_to", INSTANT_OPEN, [aPeriod(site, 0)], ([p]) => toOf(p!)),
  ),
  scalar("WIDTH", "WIDTH(period) → DURATION; NULL for an open one", 1, 1, width),
  scalar("ALLEN", "ALLEN(p, q) → STRING, one of the thirteen relations", 2, 2, allen),
  scalar("INTERSECT_TIME", "INTERSECT_TIME(x, y, …) → PERIOD, the common part", 1, ANY, intersection),
];
