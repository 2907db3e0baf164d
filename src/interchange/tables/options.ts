// What is said of a table that goes into a store, and what is wrong with it alone.
import { PalimpsestError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { checkNames } from "../../store/option-checks.js";
import type { IngestOptions } from "../../store/types.js";
import { type InstantFormat, TIME_UNITS, type TimeUnit } from "../instants.js";
import { localZone } from "../zones.js";

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

/** What of it is for the commits. */
export function commitOptions(options: TableIngestOptions): IngestOptions {
  const own = COMMIT_OPTIONS.map((name) => [name, options[name as keyof IngestOptions]] as const);
  return Object.fromEntries(own.filter(([, value]) => value !== undefined)) as IngestOptions;
}
