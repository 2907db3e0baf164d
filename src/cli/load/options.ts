// The flags of `palimpsest load` as the readers of files want them: columns, properties, forms of times.
import { parseInstant } from "../../contract/parse-instant.js";
import type { EventColumnNames, PropertyRequest } from "../../interchange/events.js";
import { type FileFormat, formatOfName } from "../../interchange/formats.js";
import type { InstantFormat } from "../../interchange/instants.js";
import type { NodeColumnNames } from "../../interchange/nodes.js";
import { TimePattern } from "../../interchange/time-pattern.js";
import { localZone } from "../../interchange/zones.js";
import { checkTogether, flagOf, type LoadFlags, refuse } from "./flags.js";

/** The type of events that a file gives none. */
export const DEFAULT_TYPE = "EVENT";

/** `amount,kind=3` names two properties: column `amount` as it is, and column 3 as `kind`. */
function propertyRequests(lists: readonly string[]): PropertyRequest[] {
  const requests = readRequests(lists);
  const names = requests.map(({ column, name }) => name ?? column);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return requests;
  const hint = "name each property once; write other=column to keep a column under another name";
  return refuse(`--props names ${JSON.stringify(twice)} twice`, hint);
}

function readRequests(lists: readonly string[]): PropertyRequest[] {
  return lists.flatMap((list) =>
    list.split(",").map((item) => {
      const at = item.indexOf("=");
      const request = at < 0 ? { column: item, name: null } : { column: item.slice(at + 1), name: item.slice(0, at) };
      if (request.column !== "" && request.name !== "") return request;
      const hint = "write --props amount,kind=3: columns, each with a name of its own where it needs one";
      return refuse(`--props ${JSON.stringify(list)} names no column`, hint);
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
