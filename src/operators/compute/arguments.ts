// The arguments of compute: one form for each function, with what the function gives.
import { type TSchema, Type } from "typebox";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  Instant,
  Json,
  nullable,
  OpenEnd,
  Table,
  withDefault,
} from "../../contract/schemas.js";
import { ColumnExpressionRef, LITERAL_TYPES } from "../expressions/schema.js";

export const AGGREGATES = ["count", "count_distinct", "sum", "min", "max", "mean", "median", "stddev"] as const;
const MOST_COLUMNS = 1024;

const { limit, cursor } = COMMON_ARGUMENTS;
const PAGE = { limit, cursor };
const types = described(
  withDefault(
    Type.Record(Type.String({ pattern: "^" }), Type.Enum([...LITERAL_TYPES]), {
      additionalProperties: false,
      maxProperties: MOST_COLUMNS,
    }),
    {},
  ),
  "by column, what its texts are; of x and y under these names",
);
const INPUT = { input: described(Table, "the rows"), types, ...PAGE };
const BOTH = { ...INPUT, other: described(Table, "the rows on the other side") };
const orNothing = <S extends TSchema>(schema: S) => withDefault(nullable(schema), null);
const names = (maxItems: number) => Type.Array(Type.String(), { minItems: 1, maxItems });
const by = names(8);
const fields = described(orNothing(names(MOST_COLUMNS)), "the columns that are compared and shown; null: all");
const percent = Type.Number({ minimum: 0, maximum: 100 });
const order = described(
  Type.Array(
    closed({
      field: described(Type.String(), "a column"),
      desc: described(withDefault(Type.Boolean(), false), "greatest first"),
    }),
    { minItems: 1, maxItems: 8 },
  ),
  "the columns that order the rows, the most important first",
);
const Interval = closed(
  { from: described(Instant, "its first instant"), to: described(OpenEnd, "the first instant after it") },
  { title: "Interval" },
);
const ONE_COLUMN = {
  field: described(orNothing(Type.String()), "the column; null: the one of scalars, or for count the rows themselves"),
  by: described(orNothing(by), "columns that make groups; null: one value over all rows"),
};
const OPERANDS = { x: described(Json, "the first value"), y: described(Json, "the second") };

const fn = <S extends TSchema>(schema: S) => ({
  fn: described(schema, "the function, which decides the other arguments"),
});

/** The forms, told apart by `fn`. */
export const COMPUTE_ARGUMENTS = Type.Union([
  closed(
    { ...fn(Type.Enum([...AGGREGATES])), ...INPUT, ...ONE_COLUMN },
    { description: "a value over all rows, or one for each group; nulls take no part" },
  ),
  closed(
    {
      ...fn(Type.Literal("percentile")),
      ...INPUT,
      ...ONE_COLUMN,
      p: described(percent, "which percentile"),
      method: described(
        withDefault(
          choice({
            nearest: "the value of rank ceil(n p / 100), for p = 0 the first",
            linear: "between two neighbours where it falls there",
          }),
          "nearest",
        ),
        "how it is found",
      ),
    },
    { description: "a value over all rows, or one for each group" },
  ),
  closed(
    {
      ...fn(Type.Literal("group")),
      ...INPUT,
      by: described(by, "the columns that make groups"),
      aggregates: described(
        Type.Array(
          closed({
            fn: described(Type.Enum([...AGGREGATES, "percentile"]), "the aggregate"),
            field: described(
              orNothing(Type.String()),
              "its column; null: the one of scalars, or for count the rows themselves",
            ),
            p: described(orNothing(percent), "which percentile, required there"),
            as: described(Type.String(), "name of the new column"),
          }),
          { minItems: 1, maxItems: 16 },
        ),
        "what is computed of each group",
      ),
    },
    { description: "one row for each group, by its key" },
  ),
  closed(
    {
      ...fn(Type.Literal("topk")),
      ...INPUT,
      order,
      k: described(orNothing(Type.Integer({ minimum: 1, maximum: 1_000_000 })), "how many rows; give this or `pct`"),
      pct: described(orNothing(percent), "which share of the rows, rounded up"),
      side: described(
        withDefault(choice({ top: "the first rows in the order", bottom: "the last" }), "top"),
        "from which end",
      ),
      by: described(orNothing(by), "columns that make groups, each with rows of its own; null: all rows together"),
    },
    { description: "the first or last rows of an order" },
  ),
  closed(
    { ...fn(Type.Literal("filter")), ...INPUT, test: described(ColumnExpressionRef, "what must be true") },
    { description: "the rows for which an expression is true, neither false nor null" },
  ),
  closed({ ...fn(Type.Literal("sort")), ...INPUT, order }, { description: "the rows in an order" }),
  closed({ ...fn(Type.Literal("distinct")), ...INPUT, fields }, { description: "each different row once" }),
  closed(
    {
      ...fn(Type.Literal("derive")),
      ...INPUT,
      columns: described(
        Type.Array(
          closed({
            as: described(Type.String(), "name of the column, which no row may have"),
            expr: described(ColumnExpressionRef, "its value in each row"),
          }),
          { minItems: 1, maxItems: 16 },
        ),
        "the new columns",
      ),
    },
    { description: "the rows with new columns" },
  ),
  closed(
    {
      ...fn(Type.Literal("project")),
      ...INPUT,
      fields: described(
        Type.Array(
          closed({
            from: described(Type.String(), "a column"),
            as: described(Type.String(), "its name in the answer"),
          }),
          { minItems: 1, maxItems: MOST_COLUMNS },
        ),
        "the columns that are kept",
      ),
    },
    { description: "some columns of the rows, under these names" },
  ),
  closed(
    {
      ...fn(Type.Literal("join")),
      ...BOTH,
      on: described(
        Type.Array(Type.Unsafe<[string, string]>(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })), {
          minItems: 1,
          maxItems: 8,
        }),
        "pairs of columns that must be equal, each as [of input, of other]; null equals nothing",
      ),
      how: described(
        withDefault(
          choice({
            inner: "each pair of rows that agree",
            left: "these, and rows of input without a partner",
            semi: "rows of input with a partner",
            anti: "rows of input without one",
          }),
          "inner",
        ),
        "which rows are shown",
      ),
      prefix: described(withDefault(Type.String(), "r_"), "put before columns of other whose name input has too"),
    },
    { description: "rows of two tables that agree in some columns" },
  ),
  closed(
    {
      ...fn(Type.Enum(["union", "intersect", "difference"])),
      ...BOTH,
      fields,
      all: described(withDefault(Type.Boolean(), false), "count how often a row stands; else each stands once"),
    },
    { description: "rows in either table, in both, or in input alone" },
  ),
  closed(
    { ...fn(Type.Enum(["ratio", "diff", "percent"])), ...OPERANDS, types, ...PAGE },
    { description: "x / y, x - y, or 100 x / y" },
  ),
  closed(
    {
      ...fn(Type.Literal("interval_relation")),
      a: described(Interval, "one interval"),
      b: described(Interval, "the other"),
      ...PAGE,
    },
    { description: "which of the thirteen relations holds between two intervals" },
  ),
]);
