// Columns that somebody gives us, whatever wrote them: the few forms that every type of Arrow, Parquet and DuckDB is
// brought to before anything is made of them. What no form holds is refused, by its column or by its row.
import type { Utf8Texts, Validity } from "./column.js";

export type GivenColumn =
  /** `instant`: microseconds since 1970, in UTC; `date`: the same of a day's midnight, of no zone; `duration`: microseconds. */
  | {
      readonly form: "int" | "instant" | "date" | "duration";
      readonly values: BigInt64Array;
      readonly valid: Validity;
    }
  | { readonly form: "double"; readonly values: Float64Array; readonly valid: Validity }
  /** A byte a row, 0 or 1. */
  | { readonly form: "bool"; readonly values: Uint8Array; readonly valid: Validity }
  /** Row i is text `codes[i]`, null where the code is -1; `json` are texts of JSON. */
  | { readonly form: "text" | "json"; readonly codes: Int32Array; readonly texts: Utf8Texts }
  /** No row has a value. */
  | { readonly form: "none" };

/** Why a row cannot be taken. */
export interface CellRefusal {
  /** From 0, in its piece. */
  readonly row: number;
  readonly column: string;
  /** As people would write it. */
  readonly value: string;
  readonly reason: string;
  readonly code?: "E_PERIOD_ORDER" | "E_EPOCH_UNIT" | "E_INVALID_ARG" | "E_ZONE_MISSING";
  readonly hint?: string;
}

/** Some rows in a row. */
export interface GivenPiece {
  readonly rowCount: number;
  readonly columns: ReadonlyMap<string, GivenColumn>;
  readonly refusals: readonly CellRefusal[];
}

/** Distinct texts in order of first appearance, and a code a row. */
export class TextCodes {
  readonly codes: Int32Array;
  private readonly texts: string[] = [];
  private readonly known = new Map<string, number>();

  constructor(rowCount: number) {
    this.codes = new Int32Array(rowCount).fill(-1);
  }

  set(row: number, text: string): void {
    let code = this.known.get(text);
    if (code === undefined) {
      code = this.texts.push(text) - 1;
      this.known.set(text, code);
    }
    this.codes[row] = code;
  }

  column(form: "text" | "json"): GivenColumn {
    return { form, codes: this.codes, texts: encodedTexts(this.texts) };
  }
}

/** Texts of which there are few, or short ones. */
function encodedTexts(texts: readonly string[]): Utf8Texts {
  const bytes = Buffer.from(texts.join(""), "utf8");
  const offsets = new Int32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + Buffer.byteLength(text, "utf8");
  return { bytes, offsets };
}
