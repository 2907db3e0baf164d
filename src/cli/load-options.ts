// The options of `palimpsest load` as the readers of files want them.
// What is wrong with them alone, without a look at the file, is found here.
import { PalimpsestError } from "../contract/errors.js";
import type { EventColumnNames, PropertyRequest } from "../interchange/events.js";
import { type DocumentFormat, type FileFormat, formatOfName } from "../interchange/formats.js";
import type { InstantFormat, TimeUnit } from "../interchange/instants.js";
import { offsetOfZone } from "../interchange/zones.js";

/** As commander gives them. */
export interface LoadFlags {
  readonly format?: FileFormat | DocumentFormat;
  readonly src?: string;
  readonly dst?: string;
  readonly time?: string;
  readonly unit?: TimeUnit;
  readonly zone?: string;
  readonly type?: string;
  readonly key?: string;
  readonly props?: readonly string[];
  readonly validTo?: string;
  readonly nodeLabel?: readonly string[];
  readonly nodes?: boolean;
  readonly header: boolean;
  readonly delimiter?: string;
  readonly batch?: number;
  readonly onError: "stop" | "skip";
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
  readonly props: readonly PropertyRequest[];
}

export function fileOptions(file: string, flags: LoadFlags & { format?: FileFormat }): FileOptions {
  for (const name of ["type", "src", "dst", "time", "key", "validTo", "zone"] as const) {
    if (flags[name] !== "") continue;
    const flag = name === "validTo" ? "valid-to" : name;
    throw new PalimpsestError("E_INVALID_ARG", `--${flag} is empty`, {
      hint: `leave --${flag} out, or give it a value`,
    });
  }
  const format = flags.format ?? formatOfName(file);
  // Lists in SNAP's format count in seconds; every other file has to say what its numbers mean.
  const unit = flags.unit ?? (format === "snap" ? "s" : "iso");
  if (flags.zone !== undefined && unit !== "iso") {
    throw new PalimpsestError("E_INVALID_ARG", `--zone says nothing about numbers of unit ${unit}`, {
      hint: "numbers count from 1970-01-01T00:00:00Z: leave --zone out, or give --unit iso",
    });
  }
  return {
    format,
    delimiter: flags.delimiter ?? null,
    hasHeader: flags.header && format !== "snap",
    onError: flags.onError,
    instants: { unit, offset: flags.zone === undefined ? null : offsetOfZone(flags.zone) },
    props: propertyRequests(flags.props ?? []),
  };
}

/** Where src, dst and time are unless said otherwise: by name, or in that order where a file has no names. */
export function eventColumns(flags: LoadFlags, options: FileOptions): EventColumnNames {
  const hasNames = options.format === "jsonl" || options.hasHeader;
  return {
    src: flags.src ?? (hasNames ? "src" : "1"),
    dst: flags.dst ?? (hasNames ? "dst" : "2"),
    time: flags.time ?? (hasNames ? "time" : "3"),
    validTo: flags.validTo ?? null,
    key: flags.key ?? null,
    props: options.props,
  };
}

/** Flags that mean nothing for a file of nodes. */
export function checkNodeFlags(flags: LoadFlags): void {
  const unfit = (["dst", "key", "type"] as const).find((name) => flags[name] !== undefined);
  if (unfit === undefined) return;
  throw new PalimpsestError("E_INVALID_ARG", `--${unfit} does not go with --nodes`, {
    hint: "a file of nodes has --src (the uid), --props, --node-label, --time and --valid-to",
  });
}
