// Which rows of a piece are taken: refusals by row, told once for each, and what is left of a column without them.

import type { Validity } from "../../columns/column.js";
import type { CellRefusal } from "../../columns/given.js";
import type { PalimpsestError } from "../../contract/errors.js";
import { refusal } from "../refusal.js";

export interface RefusalRules {
  readonly onError: "stop" | "skip";
  readonly onRefusal?: (error: PalimpsestError) => void;
}

export class PieceRows {
  private readonly refused = new Map<number, CellRefusal>();

  /** `firstRow` is the number of the piece's first row in its table, from 1. */
  constructor(
    readonly rowCount: number,
    private readonly file: string,
    private readonly firstRow: number,
  ) {}

  /** Of several reasons to refuse a row the first counts. */
  refuse(refused: CellRefusal): void {
    if (!this.refused.has(refused.row)) this.refused.set(refused.row, refused);
  }

  has(row: number): boolean {
    return !this.refused.has(row);
  }

  /** Throws the first refusal, or tells all of them and goes on without. */
  settle({ onError, onRefusal }: RefusalRules): void {
    const rows = [...this.refused.keys()].sort((a, b) => a - b);
    for (const row of rows) {
      const { column, value, reason, code, hint } = this.refused.get(row)!;
      const place = { file: this.file, line: this.firstRow + row, column, value };
      const error = refusal(place, reason, {
        unit: "row",
        code: code ?? "E_INVALID_ARG",
        hint: hint ?? "",
        showsValue: value === "",
      });
      if (onError === "stop") throw error;
      onRefusal?.(error);
    }
  }

  /** Rows that are left; null where all are. */
  kept(): Uint32Array | null {
    if (this.refused.size === 0) return null;
    return Uint32Array.from({ length: this.rowCount }, (_, row) => row).filter((row) => this.has(row));
  }
}

type Numbers = BigInt64Array | Float64Array | Uint8Array | Int32Array;

export function picked<T extends Numbers>(values: T, kept: Uint32Array | null): T {
  if (kept === null) return values;
  const out = new (values.constructor as new (length: number) => T)(kept.length);
  for (const [i, row] of kept.entries()) out[i] = values[row] as never;
  return out;
}

/** A byte a row for bits of rows: 1 where there is a value. */
export function presence(valid: Validity, rowCount: number): Uint8Array {
  if (valid === null) return new Uint8Array(rowCount).fill(1);
  const out = new Uint8Array(rowCount);
  for (let row = 0; row < rowCount; row += 1) out[row] = (valid[row >> 3]! >> (row & 7)) & 1;
  return out;
}

/** The same for codes, of which those below 0 are none. */
export function presentCodes(codes: Int32Array): Uint8Array {
  const out = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) out[row] = codes[row]! < 0 ? 0 : 1;
  return out;
}
