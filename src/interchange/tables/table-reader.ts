// A table that somebody gives, whatever holds it: its columns by name, and its rows in pieces of those that are wanted.
import type { GivenPiece } from "../../columns/given.js";
import { PalimpsestError } from "../../contract/errors.js";

export interface TableReader {
  /** How messages name it: a file, or what was handed over. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows of all pieces, where that is known. */
  readonly rowCount: number | null;
  /** How much of the table its pieces have given until now, 0..1, where that is known without `rowCount`. */
  readonly shareGiven?: number | null;
  /** Refuses columns whose types are not taken before the first piece. */
  pieces(wanted: readonly string[]): AsyncGenerator<GivenPiece, void, undefined>;
  close(): Promise<void>;
}

const MOST_SHOWN = 40;

/** The column of that name, or of that number from 1. */
export function columnOf({ name, columns }: TableReader, wanted: string): string {
  const found = columns.filter((column) => column === wanted);
  if (found.length === 1) return wanted;
  const number = /^[1-9]\d{0,5}$/.test(wanted) ? Number(wanted) : 0;
  if (found.length === 0 && number > 0 && number <= columns.length) return columns[number - 1]!;
  const reason = found.length > 1 ? "stands twice" : "is not there";
  const shown = columns.slice(0, MOST_SHOWN).map((column) => JSON.stringify(column));
  throw new PalimpsestError(
    "E_SCHEMA",
    `${name}: column ${JSON.stringify(wanted)}: ${reason}; the columns are ${shown.join(", ")}`,
    {
      details: { file: name, column: wanted, columns: columns.slice(0, MOST_SHOWN), reason },
      hint: "name it as the table does, or by its number from 1",
    },
  );
}
