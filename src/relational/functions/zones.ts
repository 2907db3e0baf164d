// Local time in SQL: macros that hold the offset table of a zone, so that DuckDB's own zones are never asked.
// The table is the pinned one of calendar/zones.ts; each zone is written out once per process.
import { type Zone, zoneOf } from "../../calendar/zones.js";
import { int, once } from "./sql.js";

/** The tree of a zone repeats its argument hundreds of times. */
const LONGEST_IN_TREE = 40;

export interface ZoneSql {
  /** An instant as local time. */
  toLocal(us: string): string;
  /** Local minus UTC at an instant. */
  offset(us: string): string;
  /** The instant of a local time: after a gap where it does not exist, the first one where it is twice. */
  toUtc(local: string): string;
}

interface Piece {
  /** The piece holds from here on. */
  readonly from: bigint;
  readonly value: string;
}

const UTC: ZoneSql = { toLocal: (us) => us, offset: () => int(0), toUtc: (local) => local };

/** The value of the last piece that begins at or before x, found by halving. */
function chosen(x: string, pieces: readonly Piece[]): string {
  if (pieces.length === 1) return pieces[0]!.value;
  const middle = pieces.length >> 1;
  const [below, above] = [chosen(x, pieces.slice(0, middle)), chosen(x, pieces.slice(middle))];
  return `CASE WHEN ${x} < ${int(pieces[middle]!.from)} THEN ${below} ELSE ${above} END`;
}

function offsetPieces(zone: Zone): Piece[] {
  return zone.offsets().map(({ fromUs, offsetUs }) => ({ from: fromUs, value: int(offsetUs) }));
}

/** Pieces over local time: of a time that is twice the earlier instant, of one that is skipped the end of the gap. */
function localPieces(zone: Zone): Piece[] {
  const stretches = zone.offsets();
  const less = (offset: bigint): string => `(x - ${int(offset)})`;
  const pieces: Piece[] = [{ from: 0n, value: less(stretches[0]!.offsetUs) }];
  for (let i = 1; i < stretches.length; i += 1) {
    const before = stretches[i - 1]!.offsetUs;
    const { fromUs, offsetUs } = stretches[i]!;
    const isGap = offsetUs > before;
    if (isGap) pieces.push({ from: fromUs + before, value: int(fromUs) });
    pieces.push({ from: fromUs + (isGap ? offsetUs : before), value: less(offsetUs) });
  }
  return pieces;
}

const known = new Map<string, ZoneSql>([["UTC", UTC]]);
const definitions: string[] = [];

/** CREATE MACRO statements of all zones that were asked for, in the order of asking: an instance runs what is new to it. */
export const zoneDefinitions = (): readonly string[] => definitions;

/** E_INVALID_ARG with the nearest names for what is no zone. */
export function zoneSql(name: string): ZoneSql {
  let sql = known.get(name);
  if (sql === undefined) {
    const zone = zoneOf(name, "zone");
    const number = known.size;
    definitions.push(`CREATE MACRO zone_offset_${number}(x) AS ${chosen("x", offsetPieces(zone))}`);
    definitions.push(`CREATE MACRO zone_utc_${number}(x) AS ${chosen("x", localPieces(zone))}`);
    const offset = (us: string): string => once([us], ([x]) => `zone_offset_${number}(${x})`, LONGEST_IN_TREE);
    sql = {
      toLocal: (us) => once([us], ([x]) => `(${x} + ${offset(x!)})`),
      offset,
      toUtc: (local) => once([local], ([x]) => `zone_utc_${number}(${x})`, LONGEST_IN_TREE),
    };
    known.set(name, sql);
  }
  return sql;
}
