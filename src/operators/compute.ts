// O13: typed arithmetic, sets, grouping and joins over earlier results. Never reads the store.
// The whole contract of the operator; what its functions do is in compute/, expressions in expressions/.
import { Type } from "typebox";
import { json, oneOf } from "../contract/output-schemas.js";
import { closed } from "../contract/schemas.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { AGGREGATES, COMPUTE_ARGUMENTS } from "./compute/arguments.js";
import { answerTypes, prepare } from "./compute/functions.js";
import { emptyInterval, type IntervalArgument } from "./compute/values.js";
import { declareOperator, type Report } from "./declaration.js";
import { at, S1 } from "./example-stores.js";
import { EXPRESSION_FUNCTIONS } from "./expressions/function-table.js";
import { checkExpression } from "./expressions/schema.js";
import type { ValueType } from "./expressions/types.js";

const REDUCING = new Set<string>([
  ...AGGREGATES,
  "percentile",
  "group",
  "topk",
  "difference",
  "ratio",
  "diff",
  "percent",
]);
const VALUE_TYPES: ValueType[] = [
  "int",
  "double",
  "string",
  "bool",
  "instant",
  "instant_open",
  "duration",
  "json",
  "null",
];
/** Reports every name that stands twice in a list. */
function distinctNames(list: readonly string[], path: (i: number) => string, report: Report): void {
  list.forEach((name, i) => {
    if (list.indexOf(name) < i) report(invalid(`${JSON.stringify(name)} stands here twice`, path(i), "name it once"));
  });
}

type Named = { readonly as: string };

function judgeAggregates(args: JsonObject, report: Report): void {
  const aggregates = args.aggregates as unknown as (Named & { fn: string; p: number | null })[];
  const all = [...(args.by as string[]), ...aggregates.map(({ as }) => as)];
  distinctNames(all, (i) => `/aggregates/${i - (args.by as string[]).length}/as`, report);
  for (const [i, { fn, p }] of aggregates.entries()) {
    const path = `/aggregates/${i}/p`;
    if (fn === "percentile" && p === null) report(invalid("percentile needs p", path, "give p from 0 to 100"));
    if (fn !== "percentile" && p !== null) report(invalid(`${fn} takes no p`, path, "leave p out"));
  }
}

/** Rows of a group and a number. */
const columns = (...rows: [g: string, n: number][]): JsonObject[] => rows.map(([g, n]) => ({ g, n }));

const NONE = { cursor: null, limit: 100, types: {} };

/** An envelope without a pin, whose list is whole. */
function answered(
  args: JsonObject,
  answer: { rows: JsonObject[] } | { value: JsonValue; value_type: ValueType },
): JsonObject {
  const rows = "rows" in answer ? answer.rows : null;
  return {
    op: "compute",
    args,
    pin: null,
    ...answer,
    rows,
    rows_total: rows?.length ?? null,
    truncated: false,
    cursor: null,
    complete: true,
    incomplete: [],
    erased: 0,
  };
}

const FACTS: JsonObject[] = [
  { uid: "a", valid_from: at(0), valid_to: at(40) },
  { uid: "b", valid_from: at(20), valid_to: null },
];
const FACT_TYPES = { valid_from: "instant", valid_to: "instant_open" } as const;

export const compute = declareOperator({
  name: "compute",
  aliases: [],
  version: 1,
  summary: "Typed arithmetic, sets, grouping and joins over earlier results.",
  doc: `\`fn\` chooses the function and with it the other arguments. \`input\` and \`other\` are arrays of objects, or of scalars,
which are rows with the one column \`value\`. Inline texts are strings unless \`types\` names a column as instant,
instant_open or duration; numbers mix with numbers and instants with instants, and nothing else does. Null in a column
of type instant_open is forever, above every instant; any other null takes no part in aggregates, joins nothing and
stands first. Expressions (filter, derive) name a column as {"field": "n"}.`,
  args: COMPUTE_ARGUMENTS,
  tables: [EXPRESSION_FUNCTIONS],
  output: closed({
    value: Type.Optional(json("the value of a function that gives one")),
    value_type: Type.Optional(oneOf(VALUE_TYPES, "its type; null where there is no value")),
    rows: Type.Array(Type.Unsafe<Record<string, unknown>>({ description: "one value per column" })),
  }),
  lists: [
    {
      field: "rows",
      order:
        "sort and topk by order, then the canonical JSON of the row; groups and sets by their key, " +
        "null < bool < number < string < json; all else as in the input",
    },
  ],
  subjects: { paths: [], introduces: false },
  pins: null,
  reduces: (args) => REDUCING.has(args.fn) || (args.fn === "join" && args.how === "anti"),
  determinism:
    "The order of rows follows from their values, or from the order of the input; sums are exact in any order.",
  errors: [
    { code: "E_SCHEMA", when: "a column that is in no row", args: { fn: "sum", input: [{ n: 1 }], field: "m" } },
    { code: "E_INVALID_ARG", when: "values that do not mix", args: { fn: "max", input: [1, "a"] } },
    { code: "E_LIMIT", when: "a sum beyond int64", args: { fn: "sum", input: [2n ** 63n - 1n, 1] } },
    {
      code: "E_PERIOD_ORDER",
      when: "an interval that is empty",
      args: { fn: "interval_relation", a: { from: at(1), to: at(1) }, b: { from: at(0), to: null } },
    },
    {
      code: "E_UPSTREAM",
      when: "an aggregate over a part of a list",
      args: { fn: "count", input: [1, 2] },
      upstream: { isIncomplete: true, erased: 0, types: {} },
    },
  ],
  shape(args) {
    if (args.fn === "filter") checkExpression(args.test!, "/test");
    if (args.fn !== "derive") return;
    for (const [i, { expr }] of (args.columns as { expr: JsonValue }[]).entries()) {
      checkExpression(expr, `/columns/${i}/expr`);
    }
  },
  judge(args, report) {
    const given = args as unknown as JsonObject;
    if (Array.isArray(given.by)) distinctNames(given.by as string[], (i) => `/by/${i}`, report);
    switch (args.fn) {
      case "group":
        judgeAggregates(given, report);
        break;
      case "topk":
        if ((args.k === null) === (args.pct === null))
          report(invalid("give k or pct, and not both", "/k", "k: so many rows; pct: so many percent of them"));
        break;
      case "derive":
        distinctNames(
          args.columns.map(({ as }) => as),
          (i) => `/columns/${i}/as`,
          report,
        );
        break;
      case "project":
        distinctNames(
          args.fields.map(({ as }) => as),
          (i) => `/fields/${i}/as`,
          report,
        );
        break;
      case "distinct":
      case "union":
      case "intersect":
      case "difference":
        distinctNames(args.fields ?? [], (i) => `/fields/${i}`, report);
        break;
      case "interval_relation":
        for (const name of ["a", "b"] as const) {
          const error = emptyInterval(args[name] as IntervalArgument, `/${name}`);
          if (error !== undefined) report(error);
        }
        break;
      default:
        if ("by" in args && args.by?.includes("value")) {
          report(
            invalid("the column of the values would be named value, too", "/by", "take group, and name it by `as`"),
          );
        }
    }
  },
  prepare: (args, upstream, turns) => prepare(args as unknown as JsonObject, upstream, turns),
  answerTypes: (args, inputs) => answerTypes(args as unknown as JsonObject, inputs),
  cost(args) {
    const given = args as unknown as JsonObject;
    const rows = [given.input, given.other].reduce<number>(
      (sum, table) => sum + (Array.isArray(table) ? table.length : 0),
      0,
    );
    return { rows, steps: rows * partsOf(given) };
  },
  suggest: () => [],
  examples: [
    {
      title: "a mean and a count per group",
      store: S1,
      args: {
        fn: "group",
        input: columns(["y", 1], ["x", 2], ["y", 2]),
        by: ["g"],
        aggregates: [
          { fn: "mean", field: "n", as: "m" },
          { fn: "count", as: "c" },
        ],
      },
      envelope: answered(
        {
          ...NONE,
          fn: "group",
          input: columns(["y", 1], ["x", 2], ["y", 2]),
          by: ["g"],
          aggregates: [
            { fn: "mean", field: "n", p: null, as: "m" },
            { fn: "count", field: null, p: null, as: "c" },
          ],
        },
        {
          rows: [
            { g: "x", m: 2, c: 1 },
            { g: "y", m: 1.5, c: 2 },
          ],
        },
      ),
    },
    {
      title: "the time between two instants",
      store: S1,
      args: { fn: "diff", x: at(30), y: "2020-01-01", types: { x: "instant", y: "instant" } },
      envelope: answered(
        { ...NONE, fn: "diff", x: at(30), y: at(0), types: { x: "instant", y: "instant" } },
        { value: "PT30S", value_type: "duration" },
      ),
    },
    {
      title: "facts that hold after an instant: an open end does",
      store: S1,
      args: {
        fn: "filter",
        input: FACTS,
        types: FACT_TYPES,
        test: { fn: "gt", args: [{ field: "valid_to" }, { value: at(40) }] },
      },
      envelope: answered(
        {
          ...NONE,
          fn: "filter",
          input: FACTS,
          types: FACT_TYPES,
          test: { fn: "gt", args: [{ field: "valid_to" }, { value: at(40) }] },
        },
        { rows: [{ uid: "b", valid_from: at(20), valid_to: null }] },
      ),
    },
    {
      title: "who is in the one list and not in the other",
      store: S1,
      args: { fn: "difference", input: ["c", "a", "b", "a"], other: ["b"] },
      envelope: answered(
        { ...NONE, fn: "difference", input: ["c", "a", "b", "a"], other: ["b"], fields: null, all: false },
        { rows: [{ value: "a" }, { value: "c" }] },
      ),
    },
    {
      title: "how one interval stands to another",
      store: S1,
      args: { fn: "interval_relation", a: { from: at(0), to: at(40) }, b: { from: at(20), to: null } },
      envelope: answered(
        {
          cursor: null,
          limit: 100,
          fn: "interval_relation",
          a: { from: at(0), to: at(40) },
          b: { from: at(20), to: null },
        },
        { value: "overlaps", value_type: "string" },
      ),
    },
  ],
});

/** How many parts of expressions, or columns, are looked at for each row. */
function partsOf(args: JsonObject): number {
  if (args.fn === "filter") return checkExpression(args.test!, "/test");
  if (args.fn !== "derive") return 1;
  const parts = (args.columns as { expr: JsonValue }[]).map(({ expr }) => checkExpression(expr, "/columns"));
  return parts.reduce((sum, count) => sum + count, 0);
}
