// One event block of the log as columns (FORMAT.md "Event block"), without native code.
// Node numbers stay numbers here: whose they are is known to the replay.

import { BlockReader } from "./block-codes.js";
import { parseExactJson } from "./exact-json.js";
import type { Props, Value } from "./values.js";

/** What a row is: an event, or what erasing one left of it. */
export type RowKind = "event" | "hole_with_number" | "hole";

export interface EventBlock {
  /** Uids that appear here for the first time, in the order of their numbers; empty for one that was erased. */
  readonly newUids: readonly string[];
  readonly rows: ReadonlyArray<{
    readonly kind: RowKind;
    readonly src: number;
    readonly dst: number;
    readonly type: string;
    readonly validFrom: bigint;
    /** null is open. */
    readonly validTo: bigint | null;
    /** null where the store chose it. */
    readonly key: string | null;
    readonly props: Props;
  }>;
}

const LAYOUT = 1;
const MAX_ROWS = 1024;
const MAX_COLUMNS = 5120;
const MAX_NAME_BYTES = 256;
const MAX_NODES = 2 ** 32 - 1;
const ALL_KEYS_CHOSEN = 1;
const HAS_HOLES = 2;
const [DURATION, INSTANT] = [0, 1];
const ROW_KINDS: readonly RowKind[] = ["event", "hole_with_number", "hole"];

/** Spreads values over the rows that have one. */
function spread<T>(has: readonly boolean[], values: readonly T[]): (T | undefined)[] {
  const rest = [...values];
  return has.map((isThere) => (isThere ? rest.shift() : undefined));
}

function readEnds(reader: BlockReader, validFrom: readonly bigint[]): (bigint | null)[] {
  const manners = reader.smallInts(validFrom.length, 2);
  const durations = spread(
    manners.map((manner) => manner === DURATION),
    reader.ints(manners.filter((manner) => manner === DURATION).length),
  );
  return validFrom.map((from, row) => {
    const duration = durations[row];
    if (duration !== undefined) return duration > 0n ? from + duration : reader.refuse(`a duration of ${duration}`);
    return manners[row] === INSTANT ? from + 1n : null;
  });
}

function readKeys(reader: BlockReader, rowCount: number, flags: number): (string | null)[] {
  if ((flags & ALL_KEYS_CHOSEN) !== 0) return Array.from({ length: rowCount }, () => null);
  const isGiven = reader.smallInts(rowCount, 1).map((isChosen) => isChosen === 0);
  return spread(isGiven, reader.texts(isGiven.filter(Boolean).length)).map((key) => key ?? null);
}

function readJson(reader: BlockReader, text: string): Value {
  try {
    return parseExactJson(text) as Value;
  } catch (cause) {
    if (cause instanceof SyntaxError) return reader.refuse(cause.message);
    throw cause;
  }
}

function readValues(reader: BlockReader, kind: number, count: number): Value[] {
  switch (kind) {
    case 0:
      return reader.ints(count);
    case 1:
      return reader.doubles(count);
    case 2:
      return reader.smallInts(count, 1).map((value) => value === 1);
    case 3:
      return reader.texts(count);
    case 4:
      return reader.texts(count).map((text) => readJson(reader, text));
    default:
      return reader.refuse(`a property column of kind ${kind}`);
  }
}

function readProps(reader: BlockReader, rowCount: number): Props[] {
  const props = Array.from({ length: rowCount }, (): Props => Object.create(null));
  const columnCount = reader.count(0, MAX_COLUMNS);
  for (let column = 0; column < columnCount; column++) {
    const kind = reader.byte();
    const name = reader.text(reader.count(0, MAX_NAME_BYTES));
    const has = reader.smallInts(rowCount, 1).map((bit) => bit === 1);
    if (!has.includes(true)) reader.refuse(`no row has a value of column ${name}`);
    for (const [row, value] of spread(has, readValues(reader, kind, has.filter(Boolean).length)).entries()) {
      if (value !== undefined) props[row]![name] = value;
    }
  }
  return props;
}

/** E_LOG_CORRUPT for anything that is not one whole block. */
export function decodeEventBlock(bytes: Uint8Array): EventBlock {
  const reader = new BlockReader(bytes);
  const layout = reader.byte();
  if (layout !== LAYOUT) reader.refuse(`layout ${layout}`);
  const flags = reader.byte();
  if (flags > (ALL_KEYS_CHOSEN | HAS_HOLES)) reader.refuse(`flags ${flags}`);
  const rowCount = reader.count(1, MAX_ROWS);
  const newUids = reader.texts(reader.count(0, 2 * rowCount));
  const src = reader.smallInts(rowCount, MAX_NODES);
  const dst = reader.smallInts(rowCount, MAX_NODES);
  const types = reader.texts(reader.count(1, rowCount));
  const typeOf = types.length > 1 ? reader.smallInts(rowCount, types.length - 1) : src.map(() => 0);
  const validFrom = reader.ints(rowCount);
  const validTo = readEnds(reader, validFrom);
  const keys = readKeys(reader, rowCount, flags);
  const kinds = (flags & HAS_HOLES) !== 0 ? reader.smallInts(rowCount, 2) : src.map(() => 0);
  const props = readProps(reader, rowCount);
  if (!reader.isAtEnd) reader.refuse("bytes after the last column");

  const rows = kinds.map((kind, row) => ({
    kind: ROW_KINDS[kind]!,
    src: src[row]!,
    dst: dst[row]!,
    type: types[typeOf[row]!]!,
    validFrom: validFrom[row]!,
    validTo: validTo[row]!,
    key: keys[row]!,
    props: props[row]!,
  }));
  return { newUids, rows };
}
