// Base tables in FROM: the scan that each becomes, its columns at the pin, and what of its time no scan can say.
import type { BaseTable, BucketsTable, CommitsTable, Expr, VersionsTable } from "../../../grammar/ast.js";
import type { JsonObject } from "../../contract/values.js";
import { ALL_PROPERTIES, columnType, type PropertyTable, tableColumns } from "../../operators/scan-columns.js";
import { NULL_TYPE, type SchemaColumn, type TableSchema } from "../../relational/index.js";
import type { Compiler } from "./compiler.js";
import { strideText } from "./fold.js";
import { checkNames, labelCondition, labelParts } from "./labels.js";
import { instantLiteral } from "./parameters.js";
import { instantValue, isRef, type Point, type TransactionPeriod, type ValidPeriod, windowValue } from "./periods.js";
import { refuse } from "./problem.js";
import { typeOfKind } from "./relation.js";
import type { Element, ScanSource, StoredTable } from "./scan-source.js";
import { compare } from "./syntax.js";
import type { SourceTimes } from "./times.js";

const HINT = "read VERSIONS(NODES …) or VERSIONS(EDGES …), which hold every belief";

/** A table of the text is one source, whoever asks for its scan. */
export function scanOf(table: StoredTable, compiler: Compiler): ScanSource {
  let scan = compiler.scans.get(table);
  if (scan === undefined) {
    scan = scanSource(table, compiler);
    compiler.scans.set(table, scan);
  }
  return scan;
}

function scanSource(table: StoredTable, compiler: Compiler): ScanSource {
  switch (table.kind) {
    case "commits":
      return commitsSource(table, compiler);
    case "buckets":
      return bucketsSource(table, compiler);
    default:
      return elementSource(table, compiler);
  }
}

function shownName(table: StoredTable): string {
  if (table.alias !== null) return table.alias.name.text;
  return table.kind === "base" ? table.of.toUpperCase() : table.kind.toUpperCase();
}

const plainColumns = (names: readonly string[]): SchemaColumn[] =>
  names.map((name) => ({ name, type: typeOfKind(columnType(name)) }));

function elementSource(table: BaseTable | VersionsTable, compiler: Compiler): ScanSource {
  const times = compiler.times.of(table.times, table);
  const isVersions = table.kind === "versions";
  const isEvents = table.of === "events" || table.of === "endpoints";
  const element = table.of === "nodes" ? "node" : "edge";
  // Over versions a clause filters; only a default is a pin that hides what was learnt later.
  const isFilter = isVersions && (times.transactionFrom === "clause" || isRange(times.transaction));
  const pinned = isFilter ? (compiler.times.defaultPin() ?? ({ kind: "latest" } as const)) : times.transaction;
  const pin = compiler.times.pin(isFilter && isRange(pinned) ? { kind: "latest" } : pinned, times.transactionAt, HINT);
  const of = element === "node" ? "labels" : "types";
  checkNames(compiler, table.labels, of, pin.tx);
  const { any, all, rest } = labelParts(table.labels);
  compiler.note(shownName(table), times, pin.asOf);

  const args: JsonObject = { of: isVersions ? "versions" : table.of, as_of_tt: pin.asOf };
  if (isVersions) args.kind = element;
  if (any !== null) args.names = [...any];
  const valid = validArgument(times, isEvents, times.validAt);
  if (valid !== null) args.valid = valid;
  const tx = isFilter ? txArgument(times.transaction) : null;
  if (tx !== null) args.tx = tx;
  const scanned: PropertyTable = isVersions
    ? `${element}_versions`
    : isEvents
      ? "events"
      : (table.of as "nodes" | "edges");
  return {
    element,
    args,
    schema: schemaOf(table, compiler, { table: scanned, names: any, tx: pin.tx, element }),
    where: all.length === 0 ? {} : typesOrLabels(element, all),
    rest: (column) => [
      ...rest.map((part) => labelCondition(part, column(of === "labels" ? "labels" : "type"), of)),
      ...(isEvents ? [] : containedIn(times.valid, "valid_from", "valid_to", column)),
      ...(isFilter ? containedIn(times.transaction, "tx_from", "tx_to", column) : []),
    ],
    times,
    asOf: pin.asOf,
    names: any,
  };
}

/** The versions of nodes that hold where another scan looks, read at its pin. */
export function nodesLike(scan: ScanSource, table: BaseTable, compiler: Compiler): ScanSource {
  const valid = scan.args.valid as JsonObject | undefined;
  const args: JsonObject = { of: "nodes", as_of_tt: scan.asOf };
  if (valid !== undefined) args.valid = "at" in valid ? valid : { window: valid.window! };
  const tx = compiler.commitOf(scan.asOf);
  const schema = schemaOf(table, compiler, { table: "nodes", names: null, tx, element: "node" });
  return { element: "node", args, schema, where: {}, rest: () => [], times: scan.times, asOf: scan.asOf, names: null };
}

const isRange = (period: TransactionPeriod): boolean => period.kind === "window" || period.kind === "all";

/** `A & B`: of nodes both labels; no edge has two types. */
function typesOrLabels(element: Element, all: readonly string[]): JsonObject {
  return element === "node" ? { node: { labels: [...all] } } : { types: [...all] };
}

function validArgument(times: SourceTimes, isEvents: boolean, at: SourceTimes["validAt"]): JsonObject | null {
  const { valid } = times;
  if (valid.kind === "all") return null;
  if (valid.kind === "at") {
    // A default of AS OF says nothing about what happens at instants.
    if (isEvents) {
      refuse(
        "E_AXIS",
        "events_at",
        at,
        "events happen in a stretch of time, not at an instant",
        "write FOR VALID_TIME FROM … TO …, or read EDGES",
      );
    }
    return { at: instantValue(valid.at) };
  }
  const window = windowValue(valid);
  if (window.from === null && window.to === null) return null;
  return valid.form === "only" && !isEvents ? { window, clamp: true } : { window };
}

function txArgument(period: TransactionPeriod): JsonObject | null {
  switch (period.kind) {
    case "all":
      return null;
    case "latest":
      return { at: null };
    case "tx":
      return { at: `tx:${period.tx}` };
    case "at":
      return { at: instantValue(period.at) };
    default:
      return { window: windowValue(period) };
  }
}

/** A whole life inside: begun and ended there. */
function containedIn(
  period: ValidPeriod | TransactionPeriod,
  from: string,
  to: string,
  column: (name: string) => Expr,
): Expr[] {
  if (period.kind !== "window" || period.form !== "contained_in") return [];
  const bound = (point: Point): Expr =>
    isRef(point)
      ? refuse(
          "E_INVALID_ARG",
          "point",
          {},
          "CONTAINED IN takes instants that are known when the statement is compiled",
          "write FROM … TO …, and compare the ends in WHERE",
        )
      : instantLiteral(point.us);
  return [compare(">=", column(from), bound(period.from)), compare("<=", column(to), bound(period.to))];
}

interface Scanned {
  readonly table: PropertyTable;
  readonly names: readonly string[] | null;
  readonly tx: number;
  readonly element: "node" | "edge";
}

function schemaOf(table: BaseTable | VersionsTable, compiler: Compiler, scanned: Scanned): TableSchema {
  const { catalogue } = compiler.context;
  const own = tableColumns(table.kind === "versions" ? "versions" : table.of, scanned.element);
  const properties = catalogue.at(scanned.tx).properties(scanned.table, scanned.names);
  const columns = plainColumns([...own, ALL_PROPERTIES]);
  for (const [name, kind] of properties) columns.push({ name: `props.${name}`, type: { kind } });
  const ever = () => catalogue.head().properties(`${scanned.element}_versions`, scanned.names);
  const isEvents = table.of === "events" || table.of === "endpoints";
  return {
    columns,
    star: starColumns(table, [...properties.keys()]),
    identity:
      table.of === "endpoints"
        ? ["at", "seq", "role"]
        : isEvents
          ? ["at", "seq"]
          : identityOf(scanned.element, table.kind === "versions"),
    // A property that the pin does not show, but the store has seen, is NULL; who asks by props['…'] wants no notice.
    column: (name) => {
      if (!name.startsWith("props.")) return null;
      const key = name.slice("props.".length);
      if (!ever().has(key)) return null;
      const atPin = catalogue.at(scanned.tx).properties(`${scanned.element}_versions`, scanned.names);
      if (!atPin.has(key)) compiler.times.say("W_NOT_YET", `${key} is only known after the pin`);
      return NULL_TYPE;
    },
    near: [],
    shown: scanned.names === null ? `the table ${table.of}` : scanned.names.join("|"),
  };
}

const TIMES = ["valid_from", "valid_to", "tx_from", "tx_to"];

/** Identity, labels or type, properties, then the times. */
function starColumns(table: BaseTable | VersionsTable, properties: readonly string[]): string[] {
  const shown = properties.map((name) => `props.${name}`).sort();
  switch (table.of) {
    case "nodes":
      return ["uid", "labels", ...shown, ...TIMES];
    case "edges":
      return ["src", "type", "dst", "key", ...shown, ...TIMES];
    case "events":
      return ["src", "type", "dst", "key", ...shown, "at", "duration"];
    case "endpoints":
      return ["uid", "other", "role", "src", "type", "dst", "key", ...shown, "at", "duration"];
  }
}

function identityOf(element: "node" | "edge", isVersions: boolean): string[] {
  const own = element === "node" ? ["uid"] : ["src", "type", "dst", "key"];
  return isVersions ? ["tx", ...own, "valid_from"] : [...own, "valid_from"];
}

function commitsSource(table: CommitsTable, compiler: Compiler): ScanSource {
  const times = compiler.times.of(table.times, table);
  if (times.validFrom === "clause") {
    refuse(
      "E_AXIS",
      "valid_time",
      times.validAt,
      "commits have no valid time",
      "write FOR TRANSACTION_TIME …, or compare c.tx_time",
    );
  }
  const pin = compiler.times.pin(times.transaction, times.transactionAt, "compare c.tx or c.tx_time in WHERE");
  compiler.note(shownName(table), times, pin.asOf, false);
  return {
    element: "none",
    args: { of: "commits", as_of_tt: pin.asOf },
    schema: { columns: plainColumns(tableColumns("commits", null)), identity: ["tx"], shown: "COMMITS" },
    where: {},
    rest: () => [],
    times,
    asOf: pin.asOf,
    names: null,
  };
}

function bucketsSource(table: BucketsTable, compiler: Compiler): ScanSource {
  const { folder } = compiler;
  const from = folder.point(table.from);
  const to = folder.point(table.to);
  if (!isRef(from) && !isRef(to) && from.us >= to.us) {
    refuse("E_PERIOD_ORDER", "period", table, "FROM is not before TO", "exchange the two");
  }
  const stride = folder.span(table.step);
  if (stride === undefined) {
    refuse(
      "E_SCHEMA",
      "step",
      table.step,
      "a step is a duration or an interval",
      "write STEP DURATION 'PT1H' or STEP INTERVAL 'P1D'",
    );
  }
  const zone = table.zone ?? compiler.context.zone;
  const args: JsonObject = {
    of: "buckets",
    valid: { window: { from: instantValue(from), to: instantValue(to) } },
    stride: strideText(stride),
    as_of_tt: null,
  };
  if (zone !== null) args.zone = zone;
  return {
    element: "none",
    args,
    schema: { columns: plainColumns(tableColumns("buckets", null)), identity: ["bucket_from"], shown: "BUCKETS" },
    where: {},
    rest: () => [],
    times: null,
    asOf: null,
    names: null,
  };
}
