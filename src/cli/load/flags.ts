// The flags of `palimpsest load`, and which of them go together: what is wrong with them alone, whatever the file is.
// What they mean to the readers of files is in options.ts.
import { PalimpsestError } from "../../contract/errors.js";
import type { DocumentFormat, FileFormat, TableFormat } from "../../interchange/formats.js";
import type { Undirected } from "../../interchange/graph/graphml.js";
import type { TimeUnit } from "../../interchange/instants.js";

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

const TEXT_FLAGS = [
  ...(["type", "src", "dst", "time", "key", "validTo", "zone", "epoch", "clock", "typeColumn", "duration"] as const),
  ...(["txTime", "labelColumn", "rejects"] as const),
];

/** `validTo` as it is written: `--valid-to`. */
export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function refuse(what: string, hint: string): never {
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

/** Flags that mean something for a file of nodes alone. */
export function checkEventFlags(flags: LoadFlags): void {
  if (flags.labelColumn === undefined) return;
  refuse("--label-column needs --nodes", "label the nodes of a file of events with --node-label");
}

/** Flags that mean nothing for a file of nodes. */
export function checkNodeFlags(flags: LoadFlags): void {
  const unfit = (["dst", "key", "type", "typeColumn", "duration"] as const).find((name) => flags[name] !== undefined);
  if (unfit === undefined) return;
  const hint = "a file of nodes has --src (the uid), --props, --node-label, --time and --valid-to";
  refuse(`${flagOf(unfit)} does not go with --nodes`, hint);
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
