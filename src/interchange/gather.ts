// Pieces of a file put together, so that a whole file (or a whole batch of it) is one bulk operation.
// It has to be one: a node that a file makes begins with its earliest event of the operation, wherever in the file that is.
import type { EventPiece } from "./events.js";
import { Pace } from "./pace.js";
import type { PropertyKind, PropertyValues } from "./property-column.js";
import type { TextValues } from "./text-column.js";

class TextGatherer {
  private readonly bytes: Uint8Array;
  private readonly ends: Uint32Array;
  private used = 0;

  constructor(byteCount: number, rows: number) {
    this.bytes = new Uint8Array(byteCount);
    this.ends = new Uint32Array(rows);
  }

  /** Copies a piece to the rows from `at` on; null is a piece without texts: `rows` empty ones. */
  copy(at: number, piece: TextValues | null, rows: number): void {
    if (piece === null) {
      this.ends.fill(this.used, at, at + rows);
      return;
    }
    this.bytes.set(piece.bytes, this.used);
    for (let i = 0; i < rows; i += 1) this.ends[at + i] = this.used + piece.ends[i]!;
    this.used += piece.bytes.length;
  }

  values(): TextValues {
    return { bytes: this.bytes, ends: this.ends };
  }
}

const isText = (values: PropertyValues["values"]): values is TextValues => "ends" in values;

class PropertyGatherer {
  private readonly present: Uint8Array;
  private readonly texts: TextGatherer | null;
  private readonly numbers: BigInt64Array | Float64Array | Uint8Array;

  constructor(
    private readonly name: string,
    private readonly kind: PropertyKind,
    pieces: readonly EventPiece[],
    rows: number,
  ) {
    this.present = new Uint8Array(rows);
    const isTextual = kind === "string" || kind === "json";
    const bytes = isTextual ? sum(pieces, (piece) => textOf(this.find(piece))?.bytes.length ?? 0) : 0;
    this.texts = isTextual ? new TextGatherer(bytes, rows) : null;
    if (kind === "int64") this.numbers = new BigInt64Array(rows);
    else this.numbers = kind === "double" ? new Float64Array(rows) : new Uint8Array(isTextual ? 0 : rows);
  }

  private find(piece: EventPiece): PropertyValues | undefined {
    return piece.props.find((column) => column.name === this.name && column.kind === this.kind);
  }

  copy(at: number, piece: EventPiece): void {
    const column = this.find(piece);
    if (column !== undefined) this.present.set(column.present, at);
    if (this.texts !== null) this.texts.copy(at, textOf(column), piece.rows);
    else if (column !== undefined) (this.numbers as Float64Array).set(column.values as Float64Array, at);
  }

  column(): PropertyValues {
    const values = this.texts === null ? this.numbers : this.texts.values();
    return { name: this.name, kind: this.kind, values, present: this.present } as PropertyValues;
  }
}

function textOf(column: PropertyValues | undefined): TextValues | null {
  return column !== undefined && isText(column.values) ? column.values : null;
}

function sum(pieces: readonly EventPiece[], of: (piece: EventPiece) => number): number {
  return pieces.reduce((total, piece) => total + of(piece), 0);
}

function propertyGatherers(pieces: readonly EventPiece[], rows: number): PropertyGatherer[] {
  const wanted = new Map<string, [string, PropertyKind]>();
  for (const piece of pieces) {
    for (const { name, kind } of piece.props) wanted.set(`${kind} ${name}`, [name, kind]);
  }
  return Array.from(wanted.values(), ([name, kind]) => new PropertyGatherer(name, kind, pieces, rows));
}

/** One piece with the rows of all, in order. Copies in slices, letting the event loop go between them. */
async function join(pieces: EventPiece[]): Promise<EventPiece> {
  const [first] = pieces;
  if (first === undefined || pieces.length === 1) return first!;
  const rows = sum(pieces, (piece) => piece.rows);
  const src = new TextGatherer(
    sum(pieces, (piece) => piece.src.bytes.length),
    rows,
  );
  const dst = new TextGatherer(
    sum(pieces, (piece) => piece.dst.bytes.length),
    rows,
  );
  const key =
    first.key &&
    new TextGatherer(
      sum(pieces, (piece) => piece.key!.bytes.length),
      rows,
    );
  const keyPresent = new Uint8Array(first.key === undefined ? 0 : rows);
  const time = new BigInt64Array(rows);
  const validTo = first.valid_to && new BigInt64Array(rows);
  const props = propertyGatherers(pieces, rows);
  const pace = new Pace();
  let at = 0;
  for (const piece of pieces) {
    src.copy(at, piece.src, piece.rows);
    dst.copy(at, piece.dst, piece.rows);
    key?.copy(at, piece.key!, piece.rows);
    if (piece.key !== undefined) keyPresent.set(piece.key.present, at);
    time.set(piece.time, at);
    validTo?.set(piece.valid_to!, at);
    for (const prop of props) prop.copy(at, piece);
    at += piece.rows;
    if (pace.isDue) await pace.rest();
  }
  return {
    rows,
    endsBatch: true,
    src: src.values(),
    dst: dst.values(),
    time,
    ...(validTo === undefined ? {} : { valid_to: validTo }),
    ...(key === undefined ? {} : { key: { ...key.values(), present: keyPresent } }),
    props: props.map((prop) => prop.column()),
  };
}

/** The batches of a file, each as one piece. */
export async function* gatherBatches(pieces: AsyncIterable<EventPiece>): AsyncGenerator<EventPiece> {
  let batch: EventPiece[] = [];
  for await (const piece of pieces) {
    batch.push(piece);
    if (!piece.endsBatch) continue;
    const whole = batch;
    batch = [];
    yield await join(whole);
  }
  if (batch.length > 0) yield await join(batch);
}
