// Reads a text through the readers of src/interchange by way of a temporary file.
// Pieces are decoded to plain rows here, by code of the test's own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { PalimpsestError } from "../../src/contract/errors.js";
import { type EventOptions, type EventPiece, readEvents } from "../../src/interchange/events.js";
import type { InstantFormat } from "../../src/interchange/instants.js";
import type { PropertyValues } from "../../src/interchange/property-column.js";
import type { TextValues } from "../../src/interchange/text-column.js";

export interface Row {
  src: string;
  dst: string;
  time: bigint;
  validTo?: bigint;
  type?: string;
  txTime?: bigint;
  key?: string | null;
  props: Record<string, unknown>;
}

export type Overrides = Omit<Partial<EventOptions>, "columns"> & { columns?: Partial<EventOptions["columns"]> };

function texts(values: TextValues): string[] {
  return Array.from(values.ends, (end, i) =>
    Buffer.from(values.bytes.slice(i === 0 ? 0 : values.ends[i - 1], end)).toString("utf8"),
  );
}

function cells(column: PropertyValues): unknown[] {
  const { values } = column;
  if ("ends" in values) {
    const decoded = texts(values);
    return column.kind === "json" ? decoded.map((text) => (text === "" ? null : JSON.parse(text))) : decoded;
  }
  if (column.kind === "bool") return Array.from(values as Uint8Array, (value) => value === 1);
  return [...(values as Iterable<bigint | number>)];
}

export function rowsOf(piece: EventPiece): Row[] {
  const src = texts(piece.src);
  const dst = texts(piece.dst);
  const key = piece.key === undefined ? null : texts(piece.key);
  const rows = src.map((uid, i): Row => {
    const row: Row = { src: uid, dst: dst[i]!, time: piece.time[i]!, props: {} };
    if (piece.valid_to !== undefined) row.validTo = piece.valid_to[i]!;
    if (piece.type !== undefined) row.type = texts(piece.type)[i]!;
    if (piece.tx_time !== undefined) row.txTime = piece.tx_time[i]!;
    if (key !== null) row.key = piece.key!.present[i] === 1 ? key[i]! : null;
    return row;
  });
  for (const column of piece.props) {
    const values = cells(column);
    for (let i = 0; i < rows.length; i += 1) if (column.present[i] === 1) rows[i]!.props[column.name] = values[i];
  }
  return rows;
}

const COLUMNS: EventOptions["columns"] = {
  ...{ src: "src", dst: "dst", time: "time", clock: null, validTo: null, duration: null },
  ...{ type: null, typeOtherwise: null, key: null, txTime: null, props: [], allProps: false },
};

/** How times are read: numbers of seconds, unless said otherwise. */
export const instants = (given: Partial<InstantFormat> = {}): InstantFormat => ({
  unit: "s",
  zone: null,
  epochUs: 0n,
  patterns: null,
  isEndInclusive: false,
  ...given,
});

/** Hands the pieces of a text, as a file of this name, to `use`. */
export async function withEvents(
  text: string | Uint8Array,
  overrides: Overrides,
  use: (pieces: AsyncGenerator<EventPiece>) => Promise<void>,
  name = "events.csv",
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-reading-"));
  const file = join(folder, name);
  writeFileSync(file, name.endsWith(".gz") && typeof text === "string" ? gzipSync(text) : text);
  try {
    await use(
      readEvents(file, {
        format: "csv",
        delimiter: null,
        hasHeader: true,
        onError: "stop",
        instants: instants(),
        ...overrides,
        columns: { ...COLUMNS, ...overrides.columns },
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function readText(
  text: string | Uint8Array,
  overrides: Overrides = {},
  name = "events.csv",
): Promise<{ rows: Row[]; refusals: PalimpsestError[] }> {
  const refusals: PalimpsestError[] = [];
  const rows: Row[] = [];
  const collecting = { onRefusal: (error: PalimpsestError) => void refusals.push(error), ...overrides };
  const collect = async (pieces: AsyncGenerator<EventPiece>) => {
    for await (const piece of pieces) rows.push(...rowsOf(piece));
  };
  await withEvents(text, collecting, collect, name);
  return { rows, refusals };
}

/** The refusal that reading ends with, its file shown by base name. */
export async function refusalOf(
  text: string | Uint8Array,
  overrides: Overrides = {},
  name = "events.csv",
): Promise<{ code: string; message: string; hint: string; details: Record<string, unknown> }> {
  try {
    await readText(text, overrides, name);
  } catch (error) {
    const { code, message, hint, details } = error as PalimpsestError;
    return { code, message: message.replace(/^.*\/(?=[^/]*\.)/, ""), hint, details };
  }
  throw new Error("the text was read without a refusal");
}
