// Record batches that somebody gives, as pieces of columns in the forms of ../given.ts. Long batches come in slices.
import type { Data, RecordBatch, Schema } from "apache-arrow";
import { PalimpsestError } from "../../contract/errors.js";
import type { CellRefusal, GivenColumn, GivenPiece } from "../given.js";
import { givenColumn } from "./given-columns.js";
import { checkType, type LocalTime } from "./given-types.js";

interface GivenBatchOptions {
  readonly wanted: readonly string[];
  readonly local: LocalTime;
  readonly rowsPerPiece: number;
}

interface Wanted {
  readonly name: string;
  readonly place: number;
}

/** The places of the columns that are wanted; refuses those whose type is not taken. */
export function wantedFields(schema: Schema, { wanted, local }: GivenBatchOptions): Wanted[] {
  return wanted.map((name) => {
    const place = schema.fields.findIndex((field) => field.name === name);
    checkType(name, schema.fields[place]!.type, local);
    return { name, place };
  });
}

function checkSame(first: Schema, { schema }: RecordBatch): void {
  const shown = (of: Schema): string => of.fields.map(({ name, type }) => `${name}: ${String(type)}`).join(", ");
  if (schema === first || shown(schema) === shown(first)) return;
  throw new PalimpsestError("E_SCHEMA", "record batches of one input have different schemas", {
    details: { first: shown(first), other: shown(schema) },
    hint: "give batches that have the same columns",
  });
}

/** The pieces of one batch. */
export function* piecesOfBatch(
  batch: RecordBatch,
  schema: Schema,
  fields: readonly Wanted[],
  { local, rowsPerPiece }: GivenBatchOptions,
): Generator<GivenPiece, void, undefined> {
  checkSame(schema, batch);
  for (let from = 0; from < batch.numRows; from += rowsPerPiece) {
    const rowCount = Math.min(rowsPerPiece, batch.numRows - from);
    const refusals: CellRefusal[] = [];
    const columns = new Map<string, GivenColumn>();
    for (const { name, place } of fields) {
      const whole = batch.data.children[place] as Data;
      const data = from === 0 && rowCount === whole.length ? whole : whole.slice(from, rowCount);
      columns.set(name, givenColumn(schema.fields[place]!, data, local, refusals));
    }
    yield { rowCount, columns, refusals };
  }
}
