// Bulk events that come in pieces, put together into one set of columns: a commit has to be one operation, as a node that
// it makes begins with its earliest event, whichever piece that is in. Copies piece by piece, in slices of a few milliseconds.
import { PalimpsestError } from "../contract/errors.js";
import type { NativeEventColumns, NativeProperty, NativeTextColumn } from "../native/store.js";
import { PROP_KINDS } from "../native/store.js";
import { Pace } from "./turns.js";

const MOST_TEXT_BYTES = 0xffff_ffff;

type Pieces = readonly NativeEventColumns[];

const SLICE_ROWS = 1 << 15;

/** Runs `step` over [from, to) for `count` rows, a slice at a time. */
async function inSlices(count: number, pace: Pace, step: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += SLICE_ROWS) {
    step(from, Math.min(count, from + SLICE_ROWS));
    if (pace.isDue) await pace.rest();
  }
}

type Numbers = BigInt64Array | Float64Array | Uint8Array;

const copySlices = (target: Numbers, source: Numbers, at: number, pace: Pace): Promise<void> =>
  inSlices(source.length, pace, (from, to) => target.set(source.subarray(from, to) as never, at + from));

const sum = (pieces: Pieces, of: (piece: NativeEventColumns) => number): number =>
  pieces.reduce((total, piece) => total + of(piece), 0);

/** One text column of all pieces; a piece that lacks it gets empty texts, marked as absent. */
class TextJoiner {
  private readonly bytes: Uint8Array;
  private readonly ends: Uint32Array;
  private readonly codes: Uint32Array | undefined;
  private readonly present: Uint8Array | undefined;
  private row = 0;
  private text = 0;
  private byte = 0;

  constructor(
    pieces: Pieces,
    private readonly of: (piece: NativeEventColumns) => NativeTextColumn | null,
  ) {
    const byteCount = sum(pieces, (piece) => of(piece)?.bytes.length ?? 0);
    if (byteCount > MOST_TEXT_BYTES) {
      throw new PalimpsestError("E_LIMIT", "the texts of one commit are more than 4 GiB", {
        hint: "commit fewer rows at a time",
      });
    }
    const rowCount = sum(pieces, (piece) => piece.rowCount);
    const columns = pieces.map(of);
    this.bytes = new Uint8Array(byteCount);
    this.ends = new Uint32Array(sum(pieces, (piece) => of(piece)?.ends.length ?? piece.rowCount));
    if (columns.some((column) => column?.codes !== undefined)) this.codes = new Uint32Array(rowCount);
    if (columns.some((column) => column === null || column.present !== undefined)) {
      this.present = new Uint8Array(rowCount);
    }
  }

  async copy(piece: NativeEventColumns, pace: Pace): Promise<void> {
    const column = this.of(piece);
    const textCount = column?.ends.length ?? piece.rowCount;
    const { ends, codes, row, text, byte } = this;
    if (column === null) ends.fill(byte, text, text + textCount);
    else {
      await copySlices(this.bytes, column.bytes, byte, pace);
      await inSlices(textCount, pace, (from, to) => {
        for (let i = from; i < to; i += 1) ends[text + i] = byte + column.ends[i]!;
      });
    }
    if (codes !== undefined) {
      const given = column?.codes;
      await inSlices(piece.rowCount, pace, (from, to) => {
        for (let i = from; i < to; i += 1) codes[row + i] = text + (given?.[i] ?? i);
      });
    }
    if (column?.present !== undefined) this.present?.set(column.present, this.row);
    else if (column !== null) this.present?.fill(1, this.row, this.row + piece.rowCount);
    this.row += piece.rowCount;
    this.text += textCount;
    this.byte += column?.bytes.length ?? 0;
  }

  joined(): NativeTextColumn {
    return { bytes: this.bytes, ends: this.ends, codes: this.codes, present: this.present };
  }
}

const isText = (values: NativeProperty["values"]): values is NativeTextColumn => "ends" in values;
const NUMBER_ARRAYS = {
  [PROP_KINDS.int64]: BigInt64Array,
  [PROP_KINDS.double]: Float64Array,
  [PROP_KINDS.bool]: Uint8Array,
};

/** One property in one kind: where it stands in each piece that has it. */
interface PropertyPieces {
  readonly name: string;
  readonly kind: number;
  readonly byPiece: Map<NativeEventColumns, NativeProperty>;
}

function propertiesOf(pieces: Pieces): PropertyPieces[] {
  const found = new Map<string, PropertyPieces>();
  for (const piece of pieces) {
    for (const property of piece.props) {
      const { name, kind } = property;
      const id = `${kind} ${name}`;
      const known = found.get(id) ?? { name, kind, byPiece: new Map() };
      known.byPiece.set(piece, property);
      found.set(id, known);
    }
  }
  return [...found.values()];
}

/** One property in one kind over all pieces. */
class PropertyJoiner {
  private readonly present: Uint8Array;
  private readonly texts: TextJoiner | undefined;
  private readonly numbers: Numbers | undefined;
  private row = 0;

  constructor(
    pieces: Pieces,
    private readonly property: PropertyPieces,
  ) {
    const rowCount = sum(pieces, (piece) => piece.rowCount);
    this.present = new Uint8Array(rowCount);
    const make = NUMBER_ARRAYS[property.kind as keyof typeof NUMBER_ARRAYS];
    if (make !== undefined) this.numbers = new make(rowCount);
    else this.texts = new TextJoiner(pieces, (piece) => this.textsOf(piece));
  }

  private textsOf(piece: NativeEventColumns): NativeTextColumn | null {
    const found = this.property.byPiece.get(piece);
    return found !== undefined && isText(found.values) ? found.values : null;
  }

  async copy(piece: NativeEventColumns, pace: Pace): Promise<void> {
    const found = this.property.byPiece.get(piece);
    await this.texts?.copy(piece, pace);
    if (found !== undefined) {
      if (found.present === undefined) this.present.fill(1, this.row, this.row + piece.rowCount);
      else this.present.set(found.present, this.row);
      if (this.numbers !== undefined) await copySlices(this.numbers, found.values as Numbers, this.row, pace);
    }
    this.row += piece.rowCount;
  }

  joined(): NativeProperty {
    const { name, kind } = this.property;
    return { name, kind, values: (this.texts?.joined() ?? this.numbers)!, present: this.present };
  }
}

/** Pieces as one set of columns, rows in order. */
export async function joinColumns(pieces: Pieces): Promise<NativeEventColumns> {
  if (pieces.length === 1) return pieces[0]!;
  const rowCount = sum(pieces, (piece) => piece.rowCount);
  const src = new TextJoiner(pieces, (piece) => piece.src);
  const dst = new TextJoiner(pieces, (piece) => piece.dst);
  const type = new TextJoiner(pieces, (piece) => piece.type);
  const key = pieces.every((piece) => piece.key === null) ? null : new TextJoiner(pieces, (piece) => piece.key);
  const time = new BigInt64Array(rowCount);
  const validTo = pieces.every((piece) => piece.validTo === null) ? null : new BigInt64Array(rowCount);
  const props = propertiesOf(pieces).map((property) => new PropertyJoiner(pieces, property));
  const texts = key === null ? [src, dst, type] : [src, dst, type, key];
  const pace = new Pace();
  let row = 0;
  for (const piece of pieces) {
    for (const column of [...texts, ...props]) await column.copy(piece, pace);
    await copySlices(time, piece.time, row, pace);
    if (validTo !== null && piece.validTo !== null) await copySlices(validTo, piece.validTo, row, pace);
    else if (validTo !== null) {
      // Instants among intervals: each ends a microsecond after it begins.
      await inSlices(piece.rowCount, pace, (from, to) => {
        for (let i = from; i < to; i += 1) validTo[row + i] = piece.time[i]! + 1n;
      });
    }
    row += piece.rowCount;
  }
  return {
    rowCount,
    src: src.joined(),
    dst: dst.joined(),
    type: type.joined(),
    key: key?.joined() ?? null,
    time,
    validTo,
    props: props.map((each) => each.joined()),
  };
}
