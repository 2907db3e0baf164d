// The options of `palimpsest load` as the readers of files want them.
// What is wrong with them alone, without a look at the file, is found here.
import { PalimpsestError } from "../../contract/errors.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { EventColumnNames, PropertyRequest } from "../../interchange/events.js";
import { type DocumentFormat, type FileFormat, formatOfName, type TableFormat } from "../../interchange/formats.js";
import type { Undirected } from "../../interchange/graph/graphml.js";
import type { InstantFormat, TimeUnit } from "../../interchange/instants.js";
import type { NodeColumnNames } from "../../interchange/nodes.js";
import { TimePattern } from "../../interchange/time-pattern.js";
import { localZone } from "../../interchange/zones.js";

/** As commander gives them. */
export interface LoadFlags {
  readonly format?: FileFormat | TableFormat | DocumentFormat;
  readonly src?: string;
  readonly dst?: string;
  readonly time?: string;
  readonly unit?: TimeUnit;
  readonly epoch?: string;
  readonly timeFormat?: readonly string[];
  readonly zone?: string;
  readonly clock?: string;
  readonly type?: string;
  readonly typeColumn?: string;
  readonly key?: string;
  readonly props?: readonly string[];
  readonly allProps?: boolean;
  readonly validTo?: string;
  readonly endInclusive?: boolean;
  readonly duration?: string;
  readonly txTime?: string;
  readonly nodeLabel?: readonly string[];
  readonly labelColumn?: string;
  readonly nodes?: boolean;
  readonly undirected?: Undirected;
  readonly header: boolean;
  readonly delimiter?: string;
  readonly null?: readonly string[];
  readonly batch?: number;
  readonly onError: "stop" | "skip";
  readonly rejects?: string;
  readonly json?: boolean;
}

/** The type of events that a file gives none. */
export const DEFAULT_TYPE = "EVENT";

/** `amount,kind=3` names two properties: column `amount` as it is, and column 3 as `kind`. */
function propertyRequests(lists: readonly string[]): PropertyRequest[] {
  const requests = readRequests(lists);
  const names = requests.map(({ column, name }) => name ?? column);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return requests;
  throw new PalimpsestError("E_INVALID_ARG", `--props names ${JSON.stringify(twice)} twice`, {
    hint: "name each property once; write other=column to keep a column under another name",
  });
}

function readRequests(lists: readonly string[]): PropertyRequest[] {
  return lists.flatMap((list) =>
    list.split(",").map((item) => {
      const at = item.indexOf("=");
      const request = at < 0 ? { column: item, name: null } : { column: item.slice(at + 1), name: item.slice(0, at) };
      if (request.column !== "" && request.name !== "") return request;
      throw new PalimpsestError("E_INVALID_ARG", `--props ${JSON.stringify(list)} names no column`, {
        hint: "write --props amount,kind=3: columns, each with a name of its own where it needs one",
      });
    }),
  );
}

export interface FileOptions {
  readonly format: FileFormat;
  readonly delimiter: string | null;
  readonly hasHeader: boolean;
  readonly onError: "stop" | "skip";
  readonly instants: InstantFormat;
  readonly nullWords: readonly string[];
  readonly props: readonly PropertyRequest[];
}

const TEXT_FLAGS = [
  ...(["type", "src", "dst", "time", "key", "validTo", "zone", "epoch", "clock", "typeColumn", "duration"] as const),
  ...(["txTime", "labelColumn", "rejects"] as const),
];

/** `validTo` as it is written: `--valid-to`. */
const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function refuse(what: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", what, { hint });
}

/** Flags that contradict each other, whatever the file holds. */
export function checkTogether(flags: LoadFlags): void {
  const empty = TEXT_FLAGS.find((name) => flags[name] === "");
  if (empty !== undefined) refuse(`${flagOf(empty)} is empty`, `leave ${flagOf(empty)} out, or give it a value`);
  const pairs = [
    ["duration", "validTo", "give the end or the length"],
    ["txTime", "batch", "the column of --tx-time says where commits end"],
  ] as const;
  for (const [one, other, hint] of pairs) {
    if (flags[one] !== undefined && flags[other] !== undefined) {
      refuse(`${flagOf(one)} does not go with ${flagOf(other)}`, hint);
    }
  }
  if (flags.rejects !== undefined && flags.onError !== "skip") {
    refuse("--rejects needs --on-error skip", "without it the first refused record ends the load");
  }
  if (flags.endInclusive === true && flags.validTo === undefined) {
    refuse("--end-inclusive needs --valid-to", "name the column of the end");
  }
}

/** Numbers have a unit and an epoch; texts have forms and a zone. */
export function timeFormat(flags: LoadFlags, format: FileFormat): InstantFormat {
  const { timeFormat: patterns, zone, epoch } = flags;
  // Lists in SNAP's format count in seconds; every other file has to say what its numbers mean.
  const unit = flags.unit ?? (format === "snap" && patterns === undefined ? "s" : "iso");
  if (unit !== "iso") {
    if (patterns !== undefined) refuse(`--time-format says nothing about numbers of unit ${unit}`, "leave --unit out");
    if (flags.endInclusive === true)
      refuse(`--end-inclusive says nothing about numbers of unit ${unit}`, "leave it out");
    if (zone !== undefined) {
      const hint = "numbers count from 1970-01-01T00:00:00Z: leave --zone out, or give --unit iso";
      refuse(`--zone says nothing about numbers of unit ${unit}`, hint);
    }
  } else if (epoch !== undefined) refuse("--epoch says nothing about texts", "give the --unit of the numbers");
  return {
    unit,
    zone: zone === undefined ? null : localZone(zone),
    epochUs: epoch === undefined ? 0n : parseInstant(epoch, "--epoch"),
    patterns: patterns?.map((pattern) => (pattern === "iso" ? "iso" : new TimePattern(pattern))) ?? null,
    isEndInclusive: flags.endInclusive === true,
  };
}

export function fileOptions(file: string, flags: LoadFlags & { format?: FileFormat }): FileOptions {
  checkTogether(flags);
  const format = flags.format ?? formatOfName(file);
  return {
    format,
    delimiter: flags.delimiter ?? null,
    hasHeader: flags.header && format !== "snap",
    onError: flags.onError,
    instants: timeFormat(flags, format),
    nullWords: flags.null ?? [],
    props: propertyRequests(flags.props ?? []),
  };
}

/** Flags of texts, which mean nothing where columns have types. */
export function tableOptions(file: string, { format: _, ...flags }: LoadFlags): FileOptions {
  const unfit = (["delimiter", "null", "clock"] as const).find((name) => flags[name] !== undefined);
  if (unfit !== undefined) refuse(`${flagOf(unfit)} is for files of text`, `leave ${flagOf(unfit)} out`);
  if (!flags.header) refuse("--no-header is for files of text", "columns have names, and numbers from 1, too");
  return fileOptions(file, { ...flags, format: "csv" });
}

/** Where src, dst and time are unless said otherwise: by name, or in that order where a file has no names. */
export function eventColumns(flags: LoadFlags, options: FileOptions): EventColumnNames {
  const hasNames = options.format === "jsonl" || options.hasHeader;
  return {
    src: flags.src ?? (hasNames ? "src" : "1"),
    dst: flags.dst ?? (hasNames ? "dst" : "2"),
    time: flags.time ?? (hasNames ? "time" : "3"),
    clock: flags.clock ?? null,
    validTo: flags.validTo ?? null,
    duration: flags.duration ?? null,
    type: flags.typeColumn ?? null,
    typeOtherwise: flags.type ?? null,
    key: flags.key ?? null,
    txTime: flags.txTime ?? null,
    props: options.props,
    allProps: flags.allProps === true,
  };
}

export function nodeColumns(flags: LoadFlags, options: FileOptions): NodeColumnNames {
  return {
    uid: flags.src ?? (options.format === "jsonl" ? "uid" : "1"),
    validFrom: flags.time ?? null,
    clock: flags.clock ?? null,
    validTo: flags.validTo ?? null,
    labels: flags.labelColumn ?? null,
    txTime: flags.txTime ?? null,
    props: options.props,
    allProps: flags.allProps === true,
  };
}

/** Flags that mean something for a file of nodes alone. */
export function checkEventFlags(flags: LoadFlags): void {
  if (flags.labelColumn === undefined) return;
  refuse("--label-column needs --nodes", "label the nodes of a file of events with --node-label");
}

/** Flags that mean nothing for a file of nodes. */
export function checkNodeFlags(flags: LoadFlags): void {
  const unfit = (["dst", "key", "type", "typeColumn", "duration"] as const).find((name) => flags[name] !== undefined);
  if (unfit === undefined) return;
  throw new PalimpsestError("E_INVALID_ARG", `${flagOf(unfit)} does not go with --nodes`, {
    hint: "a file of nodes has --src (the uid), --props, --node-label, --time and --valid-to",
  });
}

/** Flags that say what the columns of a file mean: a file of an export says it itself. */
const MEANINGS = [
  ...(["src", "dst", "time", "unit", "epoch", "timeFormat", "zone", "clock", "type", "typeColumn", "key"] as const),
  ...(["props", "allProps", "validTo", "endInclusive", "duration", "txTime", "nodeLabel", "labelColumn"] as const),
  ...(["nodes", "null", "delimiter", "undirected"] as const),
];

/** The first flag that gives columns a meaning, as it is written; null where there is none. */
export function meaningFlag(flags: LoadFlags): string | null {
  const found = MEANINGS.find((name) => flags[name] !== undefined);
  return found === undefined ? (flags.header ? null : "--no-header") : flagOf(found);
}
