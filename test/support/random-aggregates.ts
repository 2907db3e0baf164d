// Random calls of aggregate_events: every dimension and measure, conditions and orders over the columns that they give.
import type { Random } from "./random.js";
import { LABELS, NAMES, randomInstant, randomValue, randomWhere, randomWindow, TYPES, UIDS } from "./random-store.js";

type Fields = Record<string, unknown>;

// Without summer time today: for the far future the two engines read different tables.
const ZONES = ["UTC", "UTC", "Asia/Kathmandu", "America/Phoenix"];
const TRUNC_UNITS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"];
const CYCLES = ["month_of_year", "day_of_month", "day_of_week", "hour_of_day"];
const PARTS = ["year", "quarter", "month", "week", "date", ...CYCLES];
const STATISTICS = ["min", "max", "sum", "mean", "median", "stddev"];
const SPANS = ["PT0.000001S", "PT1S", "PT5S", "PT10S", "P300D"];

function randomDimension(random: Random, isPlain: boolean): Fields {
  const zone = isPlain || random.chance(1, 2) ? {} : { zone: random.pick(ZONES) };
  return random.pick<() => Fields>([
    () => ({ dim: "bucket", stride: random.pick(["PT2S", "PT0.5S", "PT10S", "PT24H", "P1D", "P20M"]) }),
    () => ({ dim: "bucket", stride: random.pick(["P50Y", "P400Y"]), ...zone }),
    () => ({ dim: "trunc", unit: random.pick(TRUNC_UNITS), ...zone }),
    () => ({ dim: "calendar", unit: random.pick(isPlain ? CYCLES : PARTS), ...zone }),
    () => ({ dim: "type" }),
    () => ({ dim: "node", role: random.pick(["src", "dst", "either"]) }),
    () => ({ dim: "node", role: "either" }),
    () => ({ dim: "pair", undirected: random.chance(1, 2) }),
    () => ({ dim: "labels", role: random.pick(["src", "dst"]) }),
    () => ({ dim: "prop", of: random.pick(["edge", "src", "dst"]), prop: random.pick([...NAMES, "none"]) }),
  ])();
}

function randomAggregate(random: Random): Fields {
  const name = random.pick([...NAMES, "none"]);
  const looked = random.chance(2, 3) ? { prop: name } : { of: random.pick(["at", "duration"]) };
  return random.pick<() => Fields>([
    () => ({ fn: "count" }),
    () => ({ fn: "count_distinct", of: random.pick(["src", "dst", "other", "pair", "type"]) }),
    () => ({ fn: "count_distinct", prop: name }),
    () => ({ fn: random.pick(STATISTICS), ...looked }),
    () => ({ fn: random.pick(STATISTICS), ...looked }),
    () => ({ fn: "percentile", ...looked, p: random.pick([0, 1e-7, 12.5, 50, 90, 100]), as: "pc" }),
    () => ({ fn: random.pick(["first", "last"]), of: random.pick(["at", "other", "src", "dst"]) }),
    () => ({ fn: random.pick(["first", "last"]), prop: name }),
    () => ({ fn: random.pick(["min_gap", "mean_gap", "max_gap"]) }),
    () => ({
      fn: "max_in_span",
      span: random.pick(SPANS),
      of: random.pick(["events", "distinct_other", "distinct_dst"]),
    }),
    () => ({ fn: "longest_session", gap: random.pick(SPANS) }),
  ])();
}

function nameOf({ fn, of, prop, as }: Fields): string {
  const looked = prop ?? of;
  if (as !== undefined || fn === "max_in_span" || looked === undefined) return (as ?? fn) as string;
  return `${fn === "count_distinct" ? "distinct" : fn}_${looked}`;
}

/** A column that an aggregate gives. */
function randomColumn(random: Random, aggregates: readonly Fields[]): string {
  const aggregate = random.pick(aggregates);
  const { fn } = aggregate;
  const name = nameOf(aggregate);
  if (fn === "max_in_span" && random.chance(1, 2)) return `${name}_at`;
  if (fn === "longest_session" && random.chance(1, 2)) return `${name}_events`;
  return name;
}

function randomHaving(random: Random, column: string): Fields {
  const value = () =>
    random.pick<() => unknown>([
      () => random.below(4),
      () => random.below(4),
      () => randomValue(random),
      () => randomInstant(random),
      () => random.pick(["PT0S", "PT2S", "PT5.5S", "P1D", "soon"]),
      () => random.pick([...UIDS, ...TYPES, "2020-01", "2020-Q1"]),
      () => [random.pick(LABELS)],
    ])();
  const op = random.pick(["eq", "ne", "lt", "le", "gt", "ge", "in", "between", "contains", "starts_with", "ends_with"]);
  if (op === "in") return { column, op, value: random.list(4, value) };
  if (op === "between") return { column, op, value: [value(), value()] };
  if (op === "starts_with" || op === "ends_with") return { column, op, value: random.pick(["a", "", "P", "2020"]) };
  return { column, op, value: value() };
}

const columnsOf = ({ dim, role, unit, undirected, of, prop }: Fields): unknown[] =>
  dim === "node"
    ? [role === "either" ? "node" : role]
    : dim === "calendar"
      ? [unit]
      : dim === "trunc"
        ? [`${unit}_from`]
        : dim === "bucket"
          ? ["from", "to"]
          : dim === "pair"
            ? undirected === true
              ? ["node_1", "node_2"]
              : ["src", "dst"]
            : dim === "labels"
              ? [`${role}_labels`]
              : dim === "prop"
                ? [`${of}.${prop}`]
                : [dim];

/** Mostly the first of those that have a column in common. */
function apart(random: Random, members: readonly Fields[], namesOf: (member: Fields) => unknown[]): Fields[] {
  const taken = new Set<unknown>();
  return members.filter((member) => {
    const isNew = namesOf(member).every((name) => !taken.has(name));
    for (const name of namesOf(member)) taken.add(name);
    return isNew || random.chance(1, 30);
  });
}

/**
 * Arguments without pin and page. Some are refused: two alike, no such column, the far end of no node. Plain ones name no
 * years, no zones and no values, so that laws about shifted times and other names hold for them.
 */
export function aggregateArguments(random: Random, isPlain = false): Fields {
  const group_by = apart(
    random,
    random.list(3, () => randomDimension(random, isPlain)),
    columnsOf,
  );
  const hasNode = group_by.filter(({ dim }) => dim === "node").length === 1;
  const legal = (aggregate: Fields): boolean =>
    random.chance(1, 30) ||
    ((hasNode || !String(aggregate.of).endsWith("other")) && !(aggregate.fn === "sum" && aggregate.of === "at"));
  const drawn = Array.from({ length: 2 + random.below(5) }, () => randomAggregate(random)).filter(legal);
  const aggregates = apart(random, [...drawn, { fn: "count", as: "n" }], (aggregate) => [nameOf(aggregate)]);
  const dims = group_by.flatMap(columnsOf) as string[];
  const column = () => (dims.length > 0 && random.chance(1, 3) ? random.pick(dims) : randomColumn(random, aggregates));
  return {
    group_by,
    aggregates,
    window: random.chance(2, 3) ? null : randomWindow(random),
    where: random.chance(2, 3) ? {} : randomWhere(random),
    pairs: random.pick(["all", "all", "all", "reciprocal"]),
    having: !isPlain && random.chance(1, 3) ? [randomHaving(random, column())] : [],
    order_by: random.chance(1, 2)
      ? random.list(2, () => ({
          column: column(),
          desc: random.chance(1, 2),
          nulls: random.pick(["first", "last"]),
        }))
      : [],
  };
}
