// The columns of dimensions and aggregates, for readers: asked of aggregate-columns.ts, one call for each.
import { CALENDAR_UNITS, STATISTICS } from "../aggregate-arguments.js";
import {
  type Aggregate,
  type AggregateColumn,
  aggregateColumns,
  type Dimension,
  dimensionColumns,
} from "../aggregate-columns.js";
import type { ManualTable } from "../declaration.js";

/** Stands where a caller names a unit, a role or a property. */
const UNIT = "<unit>";
const PROP = "<prop>";
const FN = "<fn>";
const zone = "UTC";

const DIMENSIONS: readonly (readonly [written: string, dim: Dimension])[] = [
  ["bucket", { dim: "bucket", stride: "P1D", zone }],
  ["trunc", { dim: "trunc", unit: UNIT, zone }],
  ...CALENDAR_UNITS.map((unit) => [`calendar, unit ${unit}`, { dim: "calendar", unit, zone }] as const),
  ["type", { dim: "type" }],
  ...(["src", "dst", "either"] as const).map((role) => [`node, role ${role}`, { dim: "node", role }] as const),
  ["pair", { dim: "pair", undirected: false }],
  ["pair, undirected", { dim: "pair", undirected: true }],
  ...(["src", "dst"] as const).map((role) => [`labels, role ${role}`, { dim: "labels", role }] as const),
  ...(["edge", "src", "dst"] as const).map((of) => [`prop, of ${of}`, { dim: "prop", of, prop: PROP }] as const),
];

const of = (fn: string, ...values: string[]): Aggregate[] => values.map((value) => ({ fn, of: value }));
const measured = (fn: string): Aggregate[] => [...of(fn, "at", "duration"), { fn, prop: PROP }];
const AGGREGATES: readonly Aggregate[] = [
  { fn: "count" },
  ...of("count_distinct", "src", "dst", "other", "pair", "type"),
  { fn: "count_distinct", prop: PROP },
  ...STATISTICS.flatMap(measured).filter((each) => each.fn !== "sum" || each.of !== "at"),
  ...measured("percentile").map((each) => ({ ...each, as: "<as>" })),
  ...["first", "last"].flatMap((fn) => [...of(fn, "at", "other", "src", "dst"), { fn, prop: PROP }]),
  ...["min_gap", "mean_gap", "max_gap"].map((fn) => ({ fn })),
  ...of("max_in_span", "events", "distinct_other", "distinct_dst"),
  { fn: "longest_session" },
];

const coded = (text: string): string => `\`${text}\``;
const each = (columns: readonly AggregateColumn[], say: (column: AggregateColumn) => string): string =>
  [...new Set(columns.map(say))].join(", ");

function dimensionRow(written: string, dim: Dimension): string[] {
  const columns = dimensionColumns(dim);
  return [
    written,
    each(columns, ({ name }) => coded(name)),
    each(columns, ({ kind }) => kind),
    each(columns, ({ description }) => description.replace(UNIT, "period")),
  ];
}

interface AggregateRow {
  readonly functions: readonly string[];
  readonly values: readonly string[];
  readonly cells: readonly string[];
}

function aggregateRow(aggregate: Aggregate): AggregateRow {
  const { fn, of: value, prop } = aggregate;
  const columns = aggregateColumns(aggregate);
  const told = (text: string): string => text.replace(`${fn} of`, "of").replace(`the ${fn} event`, "that event");
  return {
    functions: [fn],
    values: [value ?? (prop === undefined ? "" : "a property")],
    cells: [
      each(columns, ({ name }) => coded(name.replace(fn, FN))),
      each(columns, ({ kind }) => kind),
      each(columns, ({ description }) => told(description)),
    ],
  };
}

/** Rows that say the same are one: of functions about one value, then of values about the same functions. */
function together(
  rows: readonly AggregateRow[],
  isAlike: (a: AggregateRow, b: AggregateRow) => boolean,
): AggregateRow[] {
  const out: AggregateRow[] = [];
  for (const row of rows) {
    const at = out.findIndex((other) => String(other.cells) === String(row.cells) && isAlike(other, row));
    if (at < 0) {
      out.push(row);
      continue;
    }
    const joined = (key: "functions" | "values"): string[] => [...new Set([...out[at]![key], ...row[key]])];
    out[at] = { functions: joined("functions"), values: joined("values"), cells: row.cells };
  }
  return out;
}

function aggregateRows(): string[][] {
  const byValue = together(AGGREGATES.map(aggregateRow), (a, b) => String(a.values) === String(b.values));
  const rows = together(byValue, (a, b) => String(a.functions) === String(b.functions));
  return rows.map(({ functions, values, cells: [columns, ...rest] }) => [
    functions.map(coded).join(", "),
    values.join(", "),
    functions.length === 1 ? columns!.replaceAll(FN, functions[0]!) : columns!,
    ...rest,
  ]);
}

export const AGGREGATE_TABLES: readonly ManualTable[] = [
  {
    title: "Columns of dimensions",
    head: ["dim", "columns", "type", "meaning"],
    rows: DIMENSIONS.map(([written, dim]) => dimensionRow(written, dim)),
  },
  {
    title: "Columns of aggregates, called `as` where that is given",
    head: ["fn", "of", "columns", "type", "meaning"],
    rows: aggregateRows(),
  },
];
