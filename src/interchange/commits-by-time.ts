// Rows of a file put in order of the time at which they came to be believed, one commit for each such time.
// The rows of one time keep the order of the file. All rows are in memory: nothing is written before the last was read.
import type { EventPiece } from "./events.js";
import type { PropertyValues } from "./property-column.js";
import type { TextValues } from "./text-column.js";

export interface TimedCommit<T> {
  readonly txTimeUs: bigint;
  readonly content: T;
}

/** Where a row is: its piece, and its place there. */
interface Rows {
  readonly pieces: Uint32Array;
  readonly rows: Uint32Array;
}

/** Places of all rows in order of time, and where each time begins. */
function inOrder(pieces: readonly EventPiece[]): Rows & { readonly starts: number[]; readonly times: bigint[] } {
  const count = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const places: Rows = { pieces: new Uint32Array(count), rows: new Uint32Array(count) };
  const times = new BigInt64Array(count);
  let at = 0;
  for (const [number, piece] of pieces.entries()) {
    times.set(piece.tx_time!, at);
    for (let row = 0; row < piece.rows; row += 1, at += 1) {
      places.pieces[at] = number;
      places.rows[at] = row;
    }
  }
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (times.some((us, i) => i > 0 && us < times[i - 1]!)) {
    order.sort((a, b) => (times[a]! < times[b]! ? -1 : times[a]! > times[b]! ? 1 : a - b));
  }
  const starts: number[] = [];
  const found: bigint[] = [];
  for (let i = 0; i < count; i += 1) {
    const us = times[order[i]!]!;
    if (found.length > 0 && found[found.length - 1] === us) continue;
    starts.push(i);
    found.push(us);
  }
  return {
    pieces: order.map((place) => places.pieces[place]!),
    rows: order.map((place) => places.rows[place]!),
    starts: [...starts, count],
    times: found,
  };
}

function textsAt(rows: Rows, of: (piece: number) => TextValues | undefined): TextValues {
  const count = rows.rows.length;
  const ends = new Uint32Array(count);
  const parts: Uint8Array[] = [];
  let used = 0;
  for (let i = 0; i < count; i += 1) {
    const source = of(rows.pieces[i]!);
    const row = rows.rows[i]!;
    if (source !== undefined) {
      const part = source.bytes.subarray(row === 0 ? 0 : source.ends[row - 1]!, source.ends[row]!);
      parts.push(part);
      used += part.length;
    }
    ends[i] = used;
  }
  const bytes = new Uint8Array(used);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, ends };
}

type Numbers = BigInt64Array | Float64Array | Uint8Array;

function numbersAt<T extends Numbers>(rows: Rows, into: T, of: (piece: number) => T | undefined): T {
  for (let i = 0; i < rows.rows.length; i += 1) {
    const source = of(rows.pieces[i]!);
    if (source !== undefined) into[i] = source[rows.rows[i]!] as never;
  }
  return into;
}

/** The columns of one property name and kind, by piece. */
type PropertyPieces = Map<string, Map<number, PropertyValues>>;

function propertyAt(rows: Rows, byPiece: ReadonlyMap<number, PropertyValues>): PropertyValues | null {
  const count = rows.rows.length;
  const present = numbersAt(rows, new Uint8Array(count), (piece) => byPiece.get(piece)?.present);
  if (!present.includes(1)) return null;
  const { name, kind } = byPiece.values().next().value!;
  const values = <T>(piece: number) => byPiece.get(piece)?.values as T | undefined;
  switch (kind) {
    case "int64":
      return { name, kind, present, values: numbersAt(rows, new BigInt64Array(count), values<BigInt64Array>) };
    case "double":
      return { name, kind, present, values: numbersAt(rows, new Float64Array(count), values<Float64Array>) };
    case "bool":
      return { name, kind, present, values: numbersAt(rows, new Uint8Array(count), values<Uint8Array>) };
    default:
      return { name, kind, present, values: textsAt(rows, values<TextValues>) };
  }
}

function pieceAt(pieces: readonly EventPiece[], properties: PropertyPieces, rows: Rows): EventPiece {
  const count = rows.rows.length;
  const first = pieces[0]!;
  const words = (of: (piece: EventPiece) => BigInt64Array | undefined) =>
    numbersAt(rows, new BigInt64Array(count), (piece) => of(pieces[piece]!));
  const key =
    first.key === undefined
      ? {}
      : {
          key: {
            ...textsAt(rows, (piece) => pieces[piece]!.key),
            present: numbersAt(rows, new Uint8Array(count), (piece) => pieces[piece]!.key!.present),
          },
        };
  return {
    rows: count,
    src: textsAt(rows, (piece) => pieces[piece]!.src),
    dst: textsAt(rows, (piece) => pieces[piece]!.dst),
    time: words((piece) => piece.time),
    ...(first.valid_to === undefined ? {} : { valid_to: words((piece) => piece.valid_to) }),
    ...(first.type === undefined ? {} : { type: textsAt(rows, (piece) => pieces[piece]!.type) }),
    ...key,
    props: [...properties.values()].flatMap((byPiece) => propertyAt(rows, byPiece) ?? []),
  };
}

/** The commits of events that have `tx_time`, in its order. Pieces of one file have the same columns. */
export function* eventCommits(pieces: readonly EventPiece[]): Generator<TimedCommit<EventPiece>> {
  const properties: PropertyPieces = new Map();
  for (const [number, piece] of pieces.entries()) {
    for (const property of piece.props) {
      const id = `${property.kind} ${property.name}`;
      const known = properties.get(id) ?? new Map<number, PropertyValues>();
      properties.set(id, known.set(number, property));
    }
  }
  const { starts, times, ...order } = inOrder(pieces);
  for (const [i, txTimeUs] of times.entries()) {
    const [from, to] = [starts[i]!, starts[i + 1]!];
    const rows = { pieces: order.pieces.subarray(from, to), rows: order.rows.subarray(from, to) };
    yield { txTimeUs, content: pieceAt(pieces, properties, rows) };
  }
}

/** The commits of items that stand beside their times. */
export function commitsOf<T>(items: readonly T[], txTimesUs: readonly bigint[]): TimedCommit<T[]>[] {
  const byTime = new Map<bigint, T[]>();
  for (const [i, item] of items.entries()) {
    const txTimeUs = txTimesUs[i]!;
    const known = byTime.get(txTimeUs);
    if (known === undefined) byTime.set(txTimeUs, [item]);
    else known.push(item);
  }
  return [...byTime]
    .map(([txTimeUs, content]) => ({ txTimeUs, content }))
    .sort((a, b) => (a.txTimeUs < b.txTimeUs ? -1 : 1));
}
