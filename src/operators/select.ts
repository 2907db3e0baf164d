// P4: everything relational, in one SELECT of the language over tables by columns. Reads no store.
// The whole contract of the operator; what the language means is in src/relational.
import { type TSchema, Type } from "typebox";
import { printQuery } from "../../grammar/index.js";
import { PalimpsestError } from "../contract/errors.js";
import { type OutputKind, oneOf, text } from "../contract/output-schemas.js";
import { COMMON_ARGUMENTS, closed, described, Json, StepTable, withDefault, Zone } from "../contract/schemas.js";
import { type JsonObject, type JsonValue, utf8Bytes } from "../contract/values.js";
import {
  bindQuery,
  readQuery,
  readsInAnyOrder,
  reducesRows,
  runSelect,
  type SelectResult,
  scalarOf,
  type TableSource,
} from "../relational/index.js";
import { type AnswerTypes, declareOperator, type PreparedCall, type Upstream } from "./declaration.js";
import { at, S1 } from "./example-stores.js";
import type { ValueType } from "./expressions/types.js";
import { sortColumns } from "./native/sort-columns.js";
import { literalsOf } from "./select-literals.js";
import { schemaOf, scopeOf, tablesOf } from "./select-tables.js";
import type { Turns } from "./turns.js";

export const LONGEST_QUERY_BYTES = 1 << 16;
export const MOST_TABLES = 64;
const MOST_PARAMETERS = 1024;
const MOST_INLINE_ROWS = 10_000;

const OUTPUT_TYPES: OutputKind[] = ["int", "double", "string", "bool", "instant", "instant_open", "duration", "json"];
const { limit, cursor } = COMMON_ARGUMENTS;

const InlineTable = Type.Unsafe<readonly { readonly [column: string]: unknown }[]>({
  type: "array",
  items: { kind: "json" },
  maxItems: MOST_INLINE_ROWS,
  title: "InlineTable",
});

function judgeLength(query: string): void {
  const bytes = utf8Bytes(query);
  if (bytes <= LONGEST_QUERY_BYTES) return;
  throw new PalimpsestError(
    "E_LIMIT",
    `/query: ${bytes} bytes are more than the ${LONGEST_QUERY_BYTES} that are allowed`,
    {
      details: { path: "/query", limit: LONGEST_QUERY_BYTES },
      hint: "split it into steps of a plan",
    },
  );
}

/** Whether the text asks for what only whole inputs have; what does not parse is told when the call is prepared. */
function reduces(query: string): boolean {
  try {
    return utf8Bytes(query) <= LONGEST_QUERY_BYTES && reducesRows(readQuery(query));
  } catch (error) {
    if (error instanceof PalimpsestError) return false;
    throw error;
  }
}

async function prepare(args: JsonObject, upstream: Upstream, turns: Turns): Promise<PreparedCall> {
  const query = readQuery(args.query as string);
  const tables = await tablesOf(args.tables as JsonObject, upstream);
  const schemas = new Map(Array.from(tables, ([name, { schema }]) => [name, schema]));
  const bound = bindQuery(query, scopeOf(schemas, args));
  const nameOf = ({ origin }: TableSource): string =>
    (origin as { readonly path: readonly { readonly text: string }[] }).path[0]!.text;
  let result: Promise<SelectResult> | undefined;
  const ran = (): Promise<SelectResult> => {
    const { stop, memoryBytes } = turns;
    result ??= runSelect(bound, (source) => tables.get(nameOf(source))!.table, {
      ...stop,
      memoryBytes,
      sort: sortColumns,
    });
    return result;
  };
  const fieldsOf = ({ columns }: SelectResult): JsonObject => ({
    columns: columns.map(({ name, type }) => ({ name, type: scalarOf(type) })),
  });
  return {
    args: { ...args, query: printQuery(query) },
    async columns() {
      const given = await ran();
      return { table: { ...given.table, total: given.rowCount }, fields: fieldsOf(given) };
    },
    async run(from, to) {
      const given = await ran();
      const { rowCount } = given;
      const rows: JsonObject[] = [];
      for (let at = from; at < Math.min(to, rowCount); at += ROWS_AT_ONCE) {
        rows.push(...given.rows(at, Math.min(to, at + ROWS_AT_ONCE)));
        if (turns.isDue) await turns.rest();
      }
      return { lists: [{ rows, total: rowCount }], fields: fieldsOf(given) };
    },
  };
}

const ROWS_AT_ONCE = 200;

function answerTypes(args: JsonObject, inputs: Upstream["types"]): AnswerTypes {
  judgeLength(args.query as string);
  const names = Object.keys(args.tables as JsonObject);
  const schemas = new Map(
    names.map((name) => [name, schemaOf(name, Object.hasOwn(inputs, name) ? inputs[name] : undefined)]),
  );
  const { columns } = bindQuery(readQuery(args.query as string), scopeOf(schemas, args));
  const typeOf = (type: (typeof columns)[number]["type"]): ValueType =>
    type.kind === "null" ? "null" : scalarOf(type);
  return { kind: "table", columns: Object.fromEntries(columns.map(({ name, type }) => [name, typeOf(type)])) };
}

const NONE = { cursor: null, limit: 100, params: {}, tables: {}, zone: "UTC" };

/** An envelope without a pin, whose list is whole. */
function answered(args: JsonObject, columns: Readonly<Record<string, OutputKind>>, rows: JsonObject[]): JsonObject {
  return {
    op: "select",
    args: { ...NONE, ...args },
    pin: null,
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    rows,
    rows_total: rows.length,
    truncated: false,
    cursor: null,
    complete: true,
    incomplete: [],
    erased: 0,
  };
}

const SPELLS: JsonObject[] = [
  { src: "ada", ward: "w1", hours: 6 },
  { src: "ada", ward: "w2", hours: 2 },
  { src: "bob", ward: "w1", hours: 4 },
];
const WARDS: JsonObject[] = [
  { uid: "w1", name: "north" },
  { uid: "w3", name: "south" },
];

export const select = declareOperator({
  name: "select",
  aliases: [],
  version: 1,
  summary: "Joins, groups, windows and order over tables of earlier steps, in one SELECT.",
  doc: `One SELECT of TQL (WITH, joins, GROUP BY, window functions, set operations) over the names of \`tables\`. In a plan they
are lists of earlier steps, each read to its end; by hand, arrays of objects. Names and types are resolved before
anything runs. Rows stand in the order of the statement's ORDER BY (NULL last unless it says FIRST), then by all columns
from left to right, ascending, NULL first. Derived numbers are rounded to 9 decimals. A column of properties
\`props.hours\` is read as \`x.hours\`, or as \`x.props['hours']\`. Instants stand in \`params\` as texts or as {"us": n}.`,
  args: closed({
    query: described(Type.String(), "one SELECT of TQL, at most 64 KiB"),
    params: described(
      withDefault(
        Type.Record(Type.String({ pattern: "^" }), Json, {
          additionalProperties: false,
          maxProperties: MOST_PARAMETERS,
        }),
        {},
      ),
      "values of $name",
    ),
    tables: described(
      withDefault(
        Type.Record(Type.String({ pattern: "^" }), Type.Union([StepTable, InlineTable]), {
          additionalProperties: false,
          maxProperties: MOST_TABLES,
        }),
        {},
      ),
      "by the name that FROM uses: the rows of an earlier step, or an array of objects",
    ),
    zone: described(withDefault(Zone, "UTC"), "the zone of calendar functions and steps that name none"),
    limit,
    cursor,
  }),
  output: closed({
    rows: Type.Array(Type.Unsafe<Record<string, unknown>>({ description: "one value per column" })),
    columns: Type.Array(closed({ name: text("name of the column"), type: oneOf(OUTPUT_TYPES, "type of its values") })),
  }),
  lists: [{ field: "rows", order: "ORDER BY of the statement, then all columns from left to right, NULL first" }],
  subjects: { paths: [], introduces: false },
  pins: null,
  reduces: (args) => reduces(args.query),
  determinism: "One thread; rows enter in the order of their tables, and stand in an order that decides every tie.",
  errors: [
    { code: "E_SYNTAX", when: "a text that does not parse", args: { query: "SELCT 1" } },
    {
      code: "E_SCHEMA",
      when: "a name that nothing has",
      args: { query: "SELECT t.a FROM t", tables: { t: [{ b: 1 }] } },
    },
    { code: "E_INVALID_ARG", when: "a value that does not convert", args: { query: "SELECT CAST('x' AS INT64) AS n" } },
    { code: "E_LIMIT", when: "a number that leaves its range", args: { query: "SELECT 9223372036854775807 + 1 AS n" } },
    {
      code: "E_UPSTREAM",
      when: "an aggregate over a part of a list",
      args: { query: "SELECT COUNT(*) AS n FROM t", tables: { t: [{ a: 1 }] } },
      upstream: { isIncomplete: true, erased: 0, types: {} },
    },
  ],
  judge(args, report) {
    try {
      judgeLength(args.query);
    } catch (error) {
      report(error as PalimpsestError);
    }
  },
  prepare: (args, upstream, turns) => prepare(args as unknown as JsonObject, upstream, turns),
  spell: (args) => (typeof args.query === "string" ? { ...args, query: printQuery(readQuery(args.query)) } : args),
  readsInAnyOrder: (args) => readsInAnyOrder(readQuery(args.query)),
  literals: (args) => literalsOf(readQuery(args.query), args.params as unknown as JsonObject),
  answerTypes: (args, inputs) => answerTypes(args as unknown as JsonObject, inputs),
  rowSchema: (_args, fields) => rowSchemaOf(fields.columns as JsonObject[]),
  cost(args) {
    const tables: readonly JsonValue[] = Object.values(args.tables as unknown as JsonObject);
    const rows = tables.reduce<number>((sum, table) => sum + (Array.isArray(table) ? table.length : 0), 0);
    return { rows, steps: rows };
  },
  suggest: () => [],
  examples: [
    {
      title: "hours per ward, the most first; a tie would be broken by the ward",
      store: S1,
      args: {
        query: "SELECT s.ward, SUM(s.hours) AS hours FROM s GROUP BY s.ward ORDER BY hours DESC",
        tables: { s: SPELLS },
      },
      envelope: answered(
        {
          query: "SELECT s.ward, SUM(s.hours) AS hours FROM s GROUP BY s.ward ORDER BY hours DESC",
          tables: { s: SPELLS },
        },
        { ward: "string", hours: "int" },
        [
          { ward: "w1", hours: 10 },
          { ward: "w2", hours: 2 },
        ],
      ),
    },
    {
      title: "wards where nobody was",
      store: S1,
      args: {
        query: "select w.name from w anti join s on s.ward = w.uid",
        tables: { w: WARDS, s: SPELLS },
      },
      envelope: answered(
        { query: "SELECT w.name FROM w ANTI JOIN s ON s.ward = w.uid", tables: { s: SPELLS, w: WARDS } },
        { name: "string" },
        [{ name: "south" }],
      ),
    },
    {
      title: "the longest spell of each nurse, with a parameter that is an instant",
      store: S1,
      args: {
        query:
          "SELECT s.src, s.ward, $since + DURATION 'PT1H' * s.hours AS until FROM s QUALIFY RANK() OVER (PARTITION BY s.src ORDER BY s.hours DESC) = 1",
        params: { since: { us: 1_577_836_800_000_000 } },
        tables: { s: SPELLS },
      },
      envelope: answered(
        {
          query:
            "SELECT s.src, s.ward, $since + DURATION 'PT1H' * s.hours AS until FROM s QUALIFY RANK() OVER (PARTITION BY s.src ORDER BY s.hours DESC) = 1",
          params: { since: { us: 1_577_836_800_000_000 } },
          tables: { s: SPELLS },
        },
        { src: "string", ward: "string", until: "instant" },
        [
          { src: "ada", ward: "w1", until: at(6 * 3600) },
          { src: "bob", ward: "w1", until: at(4 * 3600) },
        ],
      ),
    },
  ],
});

function rowSchemaOf(columns: readonly JsonObject[]): TSchema {
  const properties = columns.map(({ name, type }) => [name as string, { kind: type as JsonValue }] as const);
  return { type: "object", properties: Object.fromEntries(properties) } as unknown as TSchema;
}
