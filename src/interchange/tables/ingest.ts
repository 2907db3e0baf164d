// A table into a store: which column is what, and the commits that its rows become. What `db.ingest` of Arrow and
// `db.importFrom` do once they have a reader.

import { PalimpsestError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { LIMITS } from "../../contract/values.js";
import type { EventInput } from "../../store/event-input.js";
import { checkNames } from "../../store/option-checks.js";
import type { CommitHead, IngestOptions, IngestResult, WriteOptions } from "../../store/types.js";
import { commitsOf, eventCommits } from "../commits-by-time.js";
import type { EventColumnNames, EventPiece } from "../events.js";
import { type InstantFormat, TIME_UNITS, type TimeUnit } from "../instants.js";
import type { AssertNode, NodeColumnNames } from "../nodes.js";
import { localZone } from "../zones.js";
import { readTableEvents } from "./events.js";
import { readTableNodes } from "./nodes.js";
import type { TableReader } from "./table-reader.js";

/** What is written to. */
export interface TableTarget {
  ingest(pieces: AsyncIterable<EventInput> | EventInput, options: IngestOptions): Promise<IngestResult>;
  write(operations: readonly unknown[], options: WriteOptions): Promise<CommitHead>;
}

/**
 * Columns are named as the table has them. Left out: `src`, `dst`, `time` (else `valid_from`) and, where the table has
 * them, `valid_to`, `type` and `key`; of nodes `uid`, `valid_from`, `valid_to` and `labels`. `tx_from` and `tx_to` are
 * passed over unless they are asked for.
 */
export interface TableIngestOptions extends IngestOptions {
  /** Rows are nodes, not edges. */
  readonly nodes?: boolean;
  readonly src?: string;
  readonly dst?: string;
  readonly uid?: string;
  readonly time?: string;
  readonly validTo?: string;
  /** How many seconds an event holds, instead of `validTo`. */
  readonly duration?: string;
  readonly typeColumn?: string;
  readonly labelColumn?: string;
  readonly key?: string;
  /** When each row came to be believed: rows of one such time are one commit, in ascending order. */
  readonly txTimeColumn?: string;
  /** Columns that are properties, `{name: column}` for other names; left out: all that are nothing else. */
  readonly props?: readonly string[] | Readonly<Record<string, string>>;
  /** Of times that are numbers. */
  readonly unit?: TimeUnit;
  /** What times without zone mean: UTC, an offset, or a name. */
  readonly zone?: string;
  /** The instant that numbers count from. */
  readonly epoch?: string;
  readonly onError?: "stop" | "skip";
  /** Hears why a row was left out. */
  readonly onRefusal?: (error: PalimpsestError) => void;
}

const TEXT_OPTIONS = [
  "src",
  "dst",
  "uid",
  "time",
  "validTo",
  "duration",
  "typeColumn",
  "labelColumn",
  "key",
  "txTimeColumn",
  "zone",
  "epoch",
] as const;
const OWN_OPTIONS = [...TEXT_OPTIONS, "nodes", "props", "unit", "onError", "onRefusal"] as const;
const COMMIT_OPTIONS = [
  "txTime",
  "ifTx",
  "idempotencyKey",
  "type",
  "nodeLabels",
  "source",
  "provenanceRef",
  "reason",
  "rowsPerCommit",
];

function refuse(message: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", message, { hint });
}

export function checkTableOptions(options: TableIngestOptions): void {
  if (typeof options !== "object" || options === null) refuse("options are an object", "see TableIngestOptions");
  checkNames(options, [...OWN_OPTIONS, ...COMMIT_OPTIONS], "option");
  for (const name of TEXT_OPTIONS) {
    const given = options[name];
    if (given !== undefined && (typeof given !== "string" || given === ""))
      refuse(`${name} is a text`, "name a column");
  }
  const { unit, onError, onRefusal, nodes, props } = options;
  if (unit !== undefined && !TIME_UNITS.includes(unit)) {
    const near = nearestNames(String(unit), TIME_UNITS, 1);
    refuse(
      `${JSON.stringify(unit)} is no unit`,
      `units are ${TIME_UNITS.join(", ")}${near.length > 0 ? `: ${near[0]}?` : ""}`,
    );
  }
  if (onError !== undefined && onError !== "stop" && onError !== "skip")
    refuse('onError is "stop" or "skip"', "see TableIngestOptions");
  if (onRefusal !== undefined && typeof onRefusal !== "function")
    refuse("onRefusal is a function", "see TableIngestOptions");
  if (nodes !== undefined && typeof nodes !== "boolean") refuse("nodes is true or false", "see TableIngestOptions");
  const list = props === undefined ? [] : Array.isArray(props) ? props : Object.values(props as object);
  if (!list.every((column) => typeof column === "string"))
    refuse("props names columns", "give [column, …] or {name: column}");
  if (options.validTo !== undefined && options.duration !== undefined)
    refuse("validTo does not go with duration", "give the end or the length");
}

export function instantsOf({ unit, zone, epoch }: TableIngestOptions): InstantFormat {
  return {
    unit: unit ?? "iso",
    zone: zone === undefined ? null : localZone(zone),
    epochUs: epoch === undefined ? 0n : parseInstant(epoch, "epoch"),
    patterns: null,
    isEndInclusive: false,
  };
}

/** What our own tables have beside properties: never taken for one. */
const NOT_PROPERTIES = new Set(["tx_from", "tx_to", "ended_by", "ended_reason", "source", "provenance_ref", "reason"]);

class Columns {
  constructor(
    private readonly reader: TableReader,
    private readonly options: TableIngestOptions,
  ) {}

  private ifThere(...names: string[]): string | null {
    return names.find((name) => this.reader.columns.includes(name)) ?? null;
  }

  private props(taken: readonly (string | null)[]) {
    const { props } = this.options;
    if (props === undefined) {
      const rest = this.reader.columns.filter((column) => !taken.includes(column) && !NOT_PROPERTIES.has(column));
      return rest.map((column) => ({ column, name: null }));
    }
    if (Array.isArray(props)) return (props as string[]).map((column) => ({ column, name: null }));
    return Object.entries(props as Record<string, string>).map(([name, column]) => ({ column, name }));
  }

  events(): EventColumnNames {
    const { options } = this;
    const own = {
      src: options.src ?? "src",
      dst: options.dst ?? "dst",
      time: options.time ?? this.ifThere("time", "valid_from") ?? "time",
      validTo: options.validTo ?? (options.duration === undefined ? this.ifThere("valid_to") : null),
      duration: options.duration ?? null,
      type: options.typeColumn ?? (options.type === undefined ? this.ifThere("type") : null),
      key: options.key ?? this.ifThere("key"),
      txTime: options.txTimeColumn ?? null,
    };
    const props = this.props(Object.values(own));
    return { ...own, clock: null, typeOtherwise: options.type ?? null, props, allProps: false };
  }

  nodes(): NodeColumnNames {
    const { options } = this;
    const own = {
      uid: options.uid ?? options.src ?? this.ifThere("uid") ?? "uid",
      validFrom: options.time ?? this.ifThere("time", "valid_from"),
      validTo: options.validTo ?? this.ifThere("valid_to"),
      labels: options.labelColumn ?? this.ifThere("labels"),
      txTime: options.txTimeColumn ?? null,
    };
    return { ...own, clock: null, props: this.props(Object.values(own)), allProps: false };
  }
}

function commitOptions(options: TableIngestOptions): IngestOptions {
  const own = COMMIT_OPTIONS.map((name) => [name, options[name as keyof IngestOptions]] as const);
  return Object.fromEntries(own.filter(([, value]) => value !== undefined)) as IngestOptions;
}

async function* eventInputs(pieces: AsyncIterable<EventPiece>): AsyncGenerator<EventInput> {
  for await (const { rows: _, tx_time: _time, ...columns } of pieces) yield columns;
}

const nothing = (reader: TableReader): PalimpsestError =>
  new PalimpsestError("E_INVALID_ARG", `${reader.name}: there is no row to take`, { details: { file: reader.name } });

async function ingestEvents(
  target: TableTarget,
  reader: TableReader,
  options: TableIngestOptions,
): Promise<IngestResult> {
  const pieces = readTableEvents(reader, {
    columns: new Columns(reader, options).events(),
    instants: instantsOf(options),
    onError: options.onError ?? "stop",
    ...(options.onRefusal === undefined ? {} : { onRefusal: options.onRefusal }),
  });
  const how = commitOptions(options);
  if (options.txTimeColumn === undefined) {
    // One commit unless a number of rows is said, as of one object of columns.
    return target.ingest(eventInputs(pieces), {
      ...how,
      rowsPerCommit: options.rowsPerCommit ?? Number.POSITIVE_INFINITY,
    });
  }
  const all: EventPiece[] = [];
  for await (const piece of pieces) all.push(piece);
  let rows = 0;
  let last: IngestResult | undefined;
  for (const { txTimeUs, content } of eventCommits(all)) {
    const { rows: count, ...columns } = content;
    last = await target.ingest(columns, { ...how, txTime: txTimeUs });
    rows += count;
  }
  if (last === undefined) throw nothing(reader);
  return { ...last, rows };
}

async function ingestNodes(
  target: TableTarget,
  reader: TableReader,
  options: TableIngestOptions,
): Promise<IngestResult> {
  const { txTime, ifTx, idempotencyKey, nodeLabels, source } = options;
  const perCommit = Math.min(options.rowsPerCommit ?? Number.POSITIVE_INFINITY, LIMITS.batchOperations);
  const batches = readTableNodes(reader, {
    columns: new Columns(reader, options).nodes(),
    instants: instantsOf(options),
    labels: nodeLabels ?? [],
    ...(typeof source === "string" ? { source } : {}),
    operationsPerBatch: perCommit,
    onError: options.onError ?? "stop",
    ...(options.onRefusal === undefined ? {} : { onRefusal: options.onRefusal }),
  });
  let rows = 0;
  let last: CommitHead | undefined;
  const write = async (operations: readonly AssertNode[], how: WriteOptions): Promise<void> => {
    last = await target.write(operations, how);
    rows += operations.length;
  };
  if (options.txTimeColumn !== undefined) {
    const operations: AssertNode[] = [];
    const times: bigint[] = [];
    for await (const batch of batches) {
      for (const operation of batch.operations) operations.push(operation);
      for (const us of batch.txTimesUs!) times.push(us);
    }
    for (const { txTimeUs, content } of commitsOf(operations, times)) await write(content, { txTime: txTimeUs });
  } else if (options.rowsPerCommit !== undefined && options.rowsPerCommit !== Number.POSITIVE_INFINITY) {
    for await (const { operations } of batches) await write(operations, {});
  } else {
    const operations: AssertNode[] = [];
    for await (const batch of batches) for (const operation of batch.operations) operations.push(operation);
    if (operations.length > LIMITS.batchOperations) {
      throw new PalimpsestError("E_LIMIT", `${reader.name}: more than ${LIMITS.batchOperations} nodes in one commit`, {
        hint: `give rowsPerCommit: ${LIMITS.batchOperations}`,
      });
    }
    const how = Object.fromEntries(
      Object.entries({ txTime, ifTx, idempotencyKey }).filter(([, value]) => value !== undefined),
    );
    if (operations.length > 0) await write(operations, how as WriteOptions);
  }
  if (last === undefined) throw nothing(reader);
  return { ...last, rows };
}

/** Reads a table into a store, and closes it. */
export function ingestTable(
  target: TableTarget,
  reader: TableReader,
  options: TableIngestOptions,
): Promise<IngestResult> {
  return options.nodes === true ? ingestNodes(target, reader, options) : ingestEvents(target, reader, options);
}
