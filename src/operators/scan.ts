// P7: rows of a base table, filtered and projected: the source of `select`.
// The whole contract of the operator but its columns, which are in scan-columns.ts.
import { type TSchema, Type } from "typebox";
import { MAX_BUCKETS } from "../calendar/buckets.js";
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";
import { type OutputKind, oneOf, text } from "../contract/output-schemas.js";
import { parseInstant } from "../contract/parse-instant.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  Instant,
  nullable,
  Pin,
  PinWindow,
  StrideText,
  setOf,
  Where,
  type WhereArgument,
  Window,
  type WindowArgument,
  withDefault,
  Zone,
} from "../contract/schemas.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { countOfWindow, judgeBuckets, withResolvedWindow } from "./bucketed-window.js";
import { invalid } from "./canonical-args.js";
import { largestWindows, windowUs } from "./cost-guard.js";
import { declareOperator } from "./declaration.js";
import type { Statistics, WindowUs } from "./engine.js";
import { at, S1, S2, txTime, whole } from "./example-stores.js";
import type { ValueType } from "./expressions/types.js";
import { SCAN_MANUAL } from "./manual-tables/scan.js";
import {
  ALL_PROPERTIES,
  columnType,
  hasProperties,
  propertyOfColumn,
  propertyTable,
  SCAN_TABLES,
  type ScanTable,
  tableColumns,
} from "./scan-columns.js";
import { typeShare } from "./suggestions.js";

const OUTPUT_TYPES: OutputKind[] = ["int", "double", "string", "bool", "instant", "instant_open", "duration", "json"];

const column = (name: string, type: OutputKind = columnType(name)): JsonObject => ({ name, type });
const columns = (of: ScanTable, kind: "node" | "edge" | null = null): string[] => [...tableColumns(of, kind)];
const DEFAULTS = { kind: null, names: null, valid: null, tx: null, stride: null, zone: "UTC" };

/** The window of an argument `valid`, or all time. */
function validWindow(valid: unknown): WindowArgument | null {
  return (valid as { window?: WindowArgument | null } | null)?.window ?? null;
}

function checkColumns(of: ScanTable, kind: "node" | "edge" | null, names: readonly string[]): void {
  const legal =
    of === "versions" && kind === null ? [...columns(of, "node"), ...columns(of, "edge")] : columns(of, kind);
  names.forEach((name, i) => {
    const isProperty = name === ALL_PROPERTIES || propertyOfColumn(name) !== undefined;
    if (isProperty ? hasProperties(of) : legal.includes(name)) return;
    const nearest = nearestNames(name, legal, 1);
    // What is a property is known of a store alone, and no store is asked here.
    const orProperty = hasProperties(of)
      ? `; of a property write ${JSON.stringify(`props.${name}`.slice(0, 200))}`
      : "";
    throw new PalimpsestError("E_SCHEMA", `/columns/${i}: ${of} has no column ${JSON.stringify(name)}`, {
      details: { path: `/columns/${i}` },
      hint: (nearest.length > 0 ? `did you mean ${nearest[0]}?` : `its columns are ${legal.join(", ")}`) + orProperty,
    });
  });
}

/** Of longer lists of uids in a filter the degrees are not added up. */
const MOST_NAMED = 64;

/** Edge versions at the ends that a filter names, the least over its ways to name them; Infinity where it names none. */
function rowsAtEnds({ src, dst, node }: WhereArgument, window: WindowUs, statistics: Statistics): number {
  const counts = [src, dst, node]
    .map((filter) => filter?.uids ?? null)
    .filter((uids) => uids !== null && uids.length <= MOST_NAMED)
    .map((uids) => uids!.reduce((sum, uid) => sum + statistics.degree(uid, window), 0));
  return Math.min(Number.POSITIVE_INFINITY, ...counts);
}

export const scan = declareOperator({
  name: "scan",
  aliases: [],
  version: 1,
  summary: "Rows of a base table, filtered and projected.",
  doc: `The base tables are nodes and edges (versions believed at the pin), events (beginnings of facts), endpoints (each
event once per end), versions (every version written, with \`kind\`), commits, and buckets (stretches of time). Columns
are all but properties unless named; \`props.<name>\` shows a property, \`props\` all of them.`,
  args: closed({
    of: described(choice(SCAN_TABLES), "the table"),
    kind: described(
      withDefault(nullable(Type.Enum(["node", "edge"])), null),
      "versions: of nodes or of edges, required there; null elsewhere",
    ),
    names: described(
      withDefault(nullable(setOf(Type.String(), { maxItems: 10_000 })), null),
      "labels of nodes (any of them) or types of edges; null: all",
    ),
    valid: described(
      withDefault(
        nullable(
          Type.Union([
            closed({ at: described(Instant, "versions that hold at this instant") }),
            closed({
              window: described(
                nullable(Window),
                "rows that touch this stretch, or happen in it; null: all of valid time",
              ),
              clamp: described(withDefault(Type.Boolean(), false), "show the interval cut to the window"),
            }),
          ]),
        ),
        null,
      ),
      "rows by valid time; null: all",
    ),
    tx: described(
      withDefault(
        nullable(
          Type.Union([
            closed({ at: described(nullable(Pin), "believed at this commit or instant; null: the latest") }),
            closed({ window: described(nullable(PinWindow), "believed at some time of this stretch") }),
          ]),
        ),
        null,
      ),
      "versions: by when they were believed, in place of the pin; null: all up to the pin",
    ),
    where: described(withDefault(Where, {}), "filter on edges and their ends; rows of nodes are judged by `node`"),
    columns: described(
      Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
      "columns in their order, `props.<name>` for a property, `props` for all of them; if left out, all but properties",
    ),
    stride: described(withDefault(nullable(StrideText), null), "buckets: their length, required there; null elsewhere"),
    zone: described(withDefault(Zone, "UTC"), "zone whose local days, weeks, months and years a calendar stride means"),
    ...COMMON_ARGUMENTS,
  }),
  tables: SCAN_MANUAL,
  output: closed({
    rows: Type.Array(Type.Unsafe<Record<string, unknown>>({ description: "one value per column" })),
    columns: Type.Array(closed({ name: text("name of the column"), type: oneOf(OUTPUT_TYPES, "type of its values") })),
  }),
  lists: [
    {
      field: "rows",
      order:
        "nodes by uid, valid_from; edges by src, type, dst, key, valid_from; events by at, seq; endpoints by at, seq, " +
        "src before dst; versions by tx, identity, valid_from; commits by tx; buckets by their beginning",
    },
  ],
  subjects: { paths: [], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Every table is ordered by a key of its rows: identity and time, event order, commit or beginning.",
  errors: [
    { code: "E_SCHEMA", when: "a column that the table lacks", args: { of: "nodes", columns: ["src"] } },
    { code: "E_INVALID_ARG", when: "kind is missing for versions, or given elsewhere", args: { of: "versions" } },
    { code: "E_AXIS", when: "events at an instant", args: { of: "events", valid: { at: "2020-01-01" } } },
    {
      code: "E_LIMIT",
      when: `more than ${MAX_BUCKETS} buckets`,
      args: { of: "buckets", stride: "PT1S", valid: { window: { from: "2020-01-01", to: "2022-01-01" } } },
    },
  ],
  shape(args) {
    if (args.columns === undefined) return;
    checkColumns(args.of as ScanTable, (args.kind ?? null) as "node" | "edge" | null, args.columns as string[]);
  },
  judge(args, report) {
    const { of } = args;
    const isBuckets = of === "buckets";
    if (of === "versions" && args.kind === null) {
      report(invalid("versions are of nodes or of edges", "/kind", 'give kind "node" or "edge"'));
    }
    if (of !== "versions" && args.kind !== null) report(invalid(`${of} have no kind`, "/kind", "leave kind out"));
    if (of !== "versions" && args.tx !== null) {
      report(invalid(`${of} are believed at the pin`, "/tx", "leave tx out, or read versions"));
    }
    if ((of === "commits" || isBuckets) && args.names !== null)
      report(invalid(`${of} have no names`, "/names", "leave names out"));
    if (of === "commits" && args.valid !== null)
      report(invalid("commits have no valid time", "/valid", "leave valid out"));
    if (!isBuckets && args.stride !== null) report(invalid(`${of} have no stride`, "/stride", "read buckets"));
    if (isBuckets && args.stride === null) report(invalid("buckets need a stride", "/stride", 'give stride "P1D"'));
    if (isBuckets && (args.valid === null || "at" in args.valid)) {
      report(invalid("buckets need a window", "/valid", "give valid.window"));
    }
    if ((of === "events" || of === "endpoints") && args.valid !== null && "at" in args.valid) {
      report(
        new PalimpsestError("E_AXIS", `/valid/at: ${of} happen in a window, not at an instant`, {
          details: { path: "/valid/at" },
          hint: "give valid.window",
        }),
      );
    }
    if (isBuckets && args.stride !== null) judgeBuckets(args.stride, args.zone, validWindow(args.valid), report);
  },
  complete(args) {
    const names = args.columns as string[] | undefined;
    const kind = args.kind as "node" | "edge" | null;
    return { ...args, columns: names === undefined ? columns(args.of as ScanTable, kind) : [...new Set(names)] };
  },
  resolve(args, pinned, limits) {
    if (args.of !== "buckets") return args;
    const question = { where: args.where as unknown as WhereArgument, node: null };
    return withResolvedWindow(validWindow(args.valid), question, pinned, limits, (window) => {
      countOfWindow(args.stride as string, args.zone as string, window);
      return { ...args, valid: { ...(args.valid as JsonObject), window } as unknown as JsonObject };
    });
  },
  rowSchema: (_args, fields) => rowSchemaOf(fields.columns as JsonObject[]),
  answerTypes(args, _inputs, properties) {
    const table = propertyTable(args.of as ScanTable, args.kind as "node" | "edge" | null);
    const names = args.names as readonly string[] | null;
    // Without a store the type of a property is known when the table is read.
    const known = table === null ? null : (properties?.(args.as_of_tt as JsonValue, table, names) ?? null);
    const typeOf = (name: string): ValueType => {
      const property = propertyOfColumn(name);
      if (property === undefined) return columnType(name);
      return known === null ? "null" : (known.get(property) ?? "json");
    };
    return {
      kind: "table",
      columns: Object.fromEntries((args.columns as string[]).map((name) => [name, typeOf(name)])),
    };
  },
  cost(args, statistics) {
    const window = askedWindow(args.valid);
    const { of } = args;
    const isOfNodes = of === "nodes" || args.kind === "node";
    const isOfEdges = !isOfNodes && of !== "commits" && of !== "buckets";
    const share = isOfEdges ? typeShare(namesAsTypes(args.names, args.where), statistics) : 1;
    const rows = {
      nodes: () => statistics.nodesTouching(window),
      edges: () => statistics.edgesTouching(window),
      events: () => statistics.eventsIn(window),
      endpoints: () => 2 * statistics.eventsIn(window),
      versions: () => (isOfNodes ? statistics.nodesTouching(window) : statistics.edgesTouching(window)),
      commits: () => statistics.commits(),
      buckets: () => (args.stride === null ? 0 : countOfWindow(args.stride, args.zone, validWindow(args.valid))),
    }[of]();
    const looked = of === "versions" || !isOfEdges ? rows : Math.min(rows, rowsAtEnds(args.where, window, statistics));
    return { rows: Math.ceil(Math.min(rows * share, looked * (of === "endpoints" ? 2 : 1))), steps: looked };
  },
  suggest(args, statistics, fits) {
    const { of, valid } = args;
    if (of === "commits") return [];
    const clamp = valid !== null && "clamp" in valid && valid.clamp;
    const windows =
      valid !== null && "at" in valid
        ? []
        : largestWindows(
            validWindow(valid),
            statistics.wholeExtent(),
            (window) => ({ valid: { window, clamp } }) as unknown as JsonObject,
            fits,
          );
    if (of === "buckets" || of === "nodes" || args.kind === "node") return windows;
    for (const type of statistics.typeShares().keys()) {
      const args_patch: JsonObject = { names: [type] };
      if (fits(args_patch)) return [...windows, { args_patch, why: `read the type ${JSON.stringify(type)} alone` }];
    }
    return windows;
  },
  examples: [
    {
      title: "each event once per end",
      store: S1,
      args: {
        of: "endpoints",
        valid: { window: { from: at(12), to: at(13) } },
        columns: ["uid", "other", "at"],
      },
      envelope: whole(
        "scan",
        1,
        {
          ...DEFAULTS,
          of: "endpoints",
          valid: { window: { from: at(12), to: at(13) }, clamp: false },
          columns: ["uid", "other", "at"],
        },
        [
          { uid: "b", other: "c", at: at(12) },
          { uid: "c", other: "b", at: at(12) },
          { uid: "b", other: "a", at: at(12) },
          { uid: "a", other: "b", at: at(12) },
        ],
        { columns: [column("uid"), column("other"), column("at")] },
      ),
    },
    {
      title: "edges that hold at an instant, with a property",
      store: S2,
      args: { of: "edges", valid: { at: at(50) }, columns: ["type", "seq", "valid_from", "props.w"] },
      envelope: whole(
        "scan",
        5,
        {
          ...DEFAULTS,
          of: "edges",
          valid: { at: at(50) },
          columns: ["type", "seq", "valid_from", "props.w"],
        },
        [
          { type: "R", seq: 1, valid_from: at(40), "props.w": 5 },
          { type: "S", seq: 2, valid_from: at(20), "props.w": 2 },
        ],
        { columns: [column("type"), column("seq"), column("valid_from"), column("props.w", "int")] },
      ),
    },
    {
      title: "what each commit did",
      store: S2,
      args: { of: "commits", as_of_tt: "tx:4", limit: 10 },
      envelope: whole(
        "scan",
        4,
        { ...DEFAULTS, of: "commits", columns: columns("commits"), limit: 10 },
        [
          { tx: 1, tx_time: txTime(1), operations: 2, asserted: 2, retracted: 0, corrected: 0, ingested: 0 },
          { tx: 2, tx_time: txTime(2), operations: 2, asserted: 2, retracted: 0, corrected: 0, ingested: 0 },
          { tx: 3, tx_time: txTime(3), operations: 1, asserted: 0, retracted: 0, corrected: 1, ingested: 0 },
          { tx: 4, tx_time: txTime(4), operations: 1, asserted: 0, retracted: 1, corrected: 0, ingested: 0 },
        ],
        { columns: columns("commits").map((name) => column(name)) },
      ),
    },
    {
      title: "days that a window cuts",
      store: S1,
      args: { of: "buckets", stride: "P1D", valid: { window: { from: "2020-01-01T12:00:00Z", to: "2020-01-03" } } },
      envelope: whole(
        "scan",
        1,
        {
          ...DEFAULTS,
          of: "buckets",
          stride: "P1D",
          valid: { window: { from: "2020-01-01T12:00:00Z", to: "2020-01-03T00:00:00Z" }, clamp: false },
          columns: columns("buckets"),
        },
        [
          { bucket_from: "2020-01-01T12:00:00Z", bucket_to: "2020-01-02T00:00:00Z", partial: true },
          { bucket_from: "2020-01-02T00:00:00Z", bucket_to: "2020-01-03T00:00:00Z", partial: false },
        ],
        { columns: columns("buckets").map((name) => column(name)) },
      ),
    },
  ],
});

/** The stretch of valid time that an argument `valid` asks for. */
function askedWindow(valid: unknown): WindowUs {
  const at = (valid as { at?: string } | null)?.at;
  if (at === undefined) return windowUs(validWindow(valid));
  const fromUs = parseInstant(at, "/valid/at");
  return { fromUs, toUs: fromUs + 1n };
}

/** The filter that names and where.types put on the types of edges together. */
function namesAsTypes(names: readonly string[] | null, where: WhereArgument): WhereArgument {
  if (names === null) return where;
  return { ...where, types: where.types === null ? [...names] : names.filter((name) => where.types?.includes(name)) };
}

/** The schema of rows that have these columns. */
function rowSchemaOf(shown: readonly JsonObject[]): TSchema {
  const properties = shown.map(({ name, type }) => [name as string, { kind: type as JsonValue }] as const);
  return { type: "object", properties: Object.fromEntries(properties) } as unknown as TSchema;
}
