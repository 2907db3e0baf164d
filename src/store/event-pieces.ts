// Bulk events that come in pieces: put together into commits of so many events each.
// Every piece is checked before it joins the others, so that a bad row is named by its place in the whole.
import { PalimpsestError } from "../contract/errors.js";
import type { NativeEventColumns, NativeProperty, NativeTextColumn } from "../native/store.js";
import { PROP_KINDS } from "../native/store.js";

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

type Numbers = BigInt64Array | Float64Array | Uint8Array | Uint32Array;

function joinNumbers<T extends Numbers>(make: new (length: number) => T, parts: readonly (T | number)[]): T {
  const lengthOf = (part: T | number): number => (typeof part === "number" ? part : part.length);
  const out = new make(parts.reduce<number>((sum, part) => sum + lengthOf(part), 0));
  let at = 0;
  for (const part of parts) {
    // A number stands for so many rows without a value.
    if (typeof part !== "number") out.set(part as never, at);
    at += lengthOf(part);
  }
  return out;
}

/** Text columns end to end; null stands for `rowCount` rows without one. */
function joinTexts(parts: readonly { column: NativeTextColumn | null; rowCount: number }[]): NativeTextColumn {
  const bytes = joinBytes(parts.map(({ column }) => column?.bytes ?? new Uint8Array(0)));
  if (bytes.length > 0xffff_ffff) {
    throw new PalimpsestError("E_LIMIT", "the texts of one commit are more than 4 GiB", {
      hint: "commit fewer rows at a time",
    });
  }
  const rowCount = parts.reduce((sum, part) => sum + part.rowCount, 0);
  const textCount = parts.reduce((sum, { column, rowCount: rows }) => sum + (column?.ends.length ?? rows), 0);
  const ends = new Uint32Array(textCount);
  const hasCodes = parts.some(({ column }) => column?.codes !== undefined);
  const codes = hasCodes ? new Uint32Array(rowCount) : undefined;
  const present = new Uint8Array(rowCount).fill(1);
  let row = 0;
  let text = 0;
  let byte = 0;
  for (const { column, rowCount: rows } of parts) {
    if (column === null) {
      ends.fill(byte, text, text + rows);
      present.fill(0, row, row + rows);
    } else {
      for (let i = 0; i < column.ends.length; i += 1) ends[text + i] = byte + column.ends[i]!;
      if (column.present !== undefined) present.set(column.present, row);
    }
    if (codes !== undefined) for (let i = 0; i < rows; i += 1) codes[row + i] = text + (column?.codes?.[i] ?? i);
    text += column?.ends.length ?? rows;
    byte += column?.bytes.length ?? 0;
    row += rows;
  }
  return { bytes, ends, codes, present: present.includes(0) ? present : undefined };
}

const isText = (values: NativeProperty["values"]): values is NativeTextColumn => "ends" in values;

function joinProperty(name: string, kind: number, pieces: readonly NativeEventColumns[]): NativeProperty {
  const found = pieces.map((piece) => piece.props.find((each) => each.name === name && each.kind === kind));
  const present = joinNumbers(
    Uint8Array,
    found.map((each, i) => {
      const { rowCount } = pieces[i]!;
      return each === undefined ? rowCount : (each.present ?? new Uint8Array(rowCount).fill(1));
    }),
  );
  const numbers = <T extends Numbers>(make: new (length: number) => T): T =>
    joinNumbers(
      make,
      found.map((each, i) => (each === undefined ? pieces[i]!.rowCount : (each.values as T))),
    );
  const values =
    kind === PROP_KINDS.int64
      ? numbers(BigInt64Array)
      : kind === PROP_KINDS.double
        ? numbers(Float64Array)
        : kind === PROP_KINDS.bool
          ? numbers(Uint8Array)
          : joinTexts(
              found.map((each, i) => ({
                column: each !== undefined && isText(each.values) ? each.values : null,
                rowCount: pieces[i]!.rowCount,
              })),
            );
  return { name, kind, values, present };
}

/** Pieces as one set of columns, rows in order. */
export function joinColumns(pieces: readonly NativeEventColumns[]): NativeEventColumns {
  if (pieces.length === 1) return pieces[0]!;
  const texts = (of: (piece: NativeEventColumns) => NativeTextColumn | null) =>
    joinTexts(pieces.map((piece) => ({ column: of(piece), rowCount: piece.rowCount })));
  const kinds = new Map(
    pieces.flatMap(({ props }) => props.map(({ name, kind }) => [`${kind} ${name}`, { name, kind }])),
  );
  const ends = pieces.map(({ time, validTo }) => validTo ?? time.map((us) => us + 1n));
  return {
    rowCount: pieces.reduce((sum, piece) => sum + piece.rowCount, 0),
    src: texts(({ src }) => src),
    dst: texts(({ dst }) => dst),
    type: texts(({ type }) => type),
    key: pieces.every(({ key }) => key === null) ? null : texts(({ key }) => key),
    time: joinNumbers(
      BigInt64Array,
      pieces.map(({ time }) => time),
    ),
    validTo: pieces.every(({ validTo }) => validTo === null) ? null : joinNumbers(BigInt64Array, ends),
    props: [...kinds.values()].map(({ name, kind }) => joinProperty(name, kind, pieces)),
  };
}
