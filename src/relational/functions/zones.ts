// Local time in SQL: functions of DuckDB that are computed here, by the offset table of a zone, chunk by chunk.
// So DuckDB's own zones are never asked; the table is the pinned one of calendar/zones.ts.
import { type OffsetStretch, zoneOf } from "../../calendar/zones.js";
import { int, once } from "./sql.js";

export interface ZoneSql {
  /** An instant as local time. */
  toLocal(us: string): string;
  /** Local minus UTC at an instant. */
  offset(us: string): string;
  /** The instant of a local time: after a gap where it does not exist, the first one where it is twice. */
  toUtc(local: string): string;
}

/** Gives `out` for each word of `from`. */
type WordFunction = (from: BigInt64Array, out: BigInt64Array) => void;

/** A function that an instance of DuckDB registers under the name. */
export interface ZoneFunction {
  readonly name: string;
  readonly apply: WordFunction;
}

interface Piece {
  /** The piece holds from here on; the first one before it, too. */
  readonly from: bigint;
  /** What is taken off a word. */
  readonly shift: bigint;
  /** What stands for every word of it instead; null where a shift does. */
  readonly value: bigint | null;
}

const EXACT = 2n ** 53n;

/** Finds the piece that holds a word: most follow each other in one piece, and most are exact as numbers. */
class Pieces {
  private readonly froms: readonly number[];
  private readonly exactFroms: readonly bigint[];
  private last = 0;

  constructor(private readonly pieces: readonly Piece[]) {
    this.exactFroms = pieces.map(({ from }) => from);
    this.froms = this.exactFroms.map(Number);
  }

  at(word: bigint): Piece {
    const isExact = word > -EXACT && word < EXACT;
    return this.pieces[isExact ? this.find(Number(word), this.froms) : this.find(word, this.exactFroms)]!;
  }

  private find(word: number | bigint, froms: readonly (number | bigint)[]): number {
    const { last } = this;
    if (froms[last]! <= word && !(froms[last + 1]! <= word)) return last;
    let low = 0;
    let high = froms.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (froms[middle]! <= word) low = middle;
      else high = middle;
    }
    this.last = low;
    return low;
  }
}

function offsetPieces(stretches: readonly OffsetStretch[]): Piece[] {
  return stretches.map(({ fromUs, offsetUs }) => ({ from: fromUs, shift: 0n, value: offsetUs }));
}

/** Pieces over local time: of a time that is twice the earlier instant, of one that is skipped the end of the gap. */
function localPieces(stretches: readonly OffsetStretch[]): Piece[] {
  const pieces: Piece[] = [{ from: stretches[0]!.fromUs, shift: stretches[0]!.offsetUs, value: null }];
  for (let i = 1; i < stretches.length; i += 1) {
    const before = stretches[i - 1]!.offsetUs;
    const { fromUs, offsetUs } = stretches[i]!;
    const isGap = offsetUs > before;
    if (isGap) pieces.push({ from: fromUs + before, shift: 0n, value: fromUs });
    pieces.push({ from: fromUs + (isGap ? offsetUs : before), shift: offsetUs, value: null });
  }
  return pieces;
}

function wordFunction(pieces: Pieces): WordFunction {
  return (from, out) => {
    for (let i = 0; i < from.length; i += 1) {
      const word = from[i]!;
      const { shift, value } = pieces.at(word);
      out[i] = value ?? word - shift;
    }
  };
}

const UTC: ZoneSql = { toLocal: (us) => us, offset: () => int(0), toUtc: (local) => local };
const known = new Map<string, ZoneSql>([["UTC", UTC]]);
const functions: ZoneFunction[] = [];

/** The functions of all zones that were asked for, in the order of asking: an instance registers what is new to it. */
export const zoneFunctions = (): readonly ZoneFunction[] => functions;

/** E_INVALID_ARG with the nearest names for what is no zone. */
export function zoneSql(name: string): ZoneSql {
  let sql = known.get(name);
  if (sql === undefined) {
    const stretches = zoneOf(name, "zone").offsets();
    const [offset, utc] = [`zone_offset_${known.size}`, `zone_utc_${known.size}`];
    functions.push({ name: offset, apply: wordFunction(new Pieces(offsetPieces(stretches))) });
    functions.push({ name: utc, apply: wordFunction(new Pieces(localPieces(stretches))) });
    sql = {
      toLocal: (us) => once([us], ([x]) => `(${x} + ${offset}(${x}))`),
      offset: (us) => `${offset}(${us})`,
      toUtc: (local) => `${utc}(${local})`,
    };
    known.set(name, sql);
  }
  return sql;
}
