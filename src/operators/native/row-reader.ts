// Reads the cells of a native RowPack in the order in which they were written.
// Texts are slices of one string, so that a row costs no call into native code.
import { parseExact } from "../../contract/exact-json.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import type { RowPack } from "../../native/tables.js";

const KINDS = ["node", "edge"] as const;
const ENDED_BY = [null, "overwritten", "retracted", "corrected"] as const;
const ROLES = [null, "src", "dst", "both"] as const;

/** ValueCell of native/core/kernels/rows/fetch.cc. */
const SMALL_INT = 0;
const DOUBLE = 1;
const FALSE = 2;
const TRUE = 3;
const STRING = 4;
const JSON_TEXT = 5;

export class RowReader {
  private readonly all: string;
  private readonly cells: Int32Array;
  private readonly doubles: Float64Array | null;
  private cell = 0;
  private at = 0;
  private nextDouble = 0;

  constructor(pack: RowPack) {
    [this.all, this.cells, this.doubles] = pack;
  }

  /** Whether cells are left. */
  hasMore(): boolean {
    return this.cell < this.cells.length;
  }

  text(): string | null {
    const length = this.cells[this.cell++]!;
    if (length < 0) return null;
    const from = this.at;
    this.at += length;
    return this.all.slice(from, this.at);
  }

  /** A text that is never null. */
  word(): string {
    return this.text() as string;
  }

  number(): number | null {
    const value = this.cells[this.cell++]!;
    return value < 0 ? null : value;
  }

  double(): number {
    return this.doubles![this.nextDouble++]!;
  }

  kind(): "node" | "edge" {
    return KINDS[this.cells[this.cell++]!]!;
  }

  role(): (typeof ROLES)[number] {
    return ROLES[this.cells[this.cell++]!]!;
  }

  endedBy(): (typeof ENDED_BY)[number] {
    const code = this.cells[this.cell++]!;
    return code < 0 ? null : ENDED_BY[code]!;
  }

  labels(): string[] | null {
    const count = this.cells[this.cell++]!;
    if (count < 0) return null;
    const labels: string[] = [];
    for (let i = 0; i < count; i += 1) labels.push(this.word());
    return labels;
  }

  props(): JsonObject {
    const count = this.cells[this.cell++]!;
    const props: JsonObject = {};
    for (let i = 0; i < count; i += 1) {
      const name = this.word();
      setOwn(props, name, this.value());
    }
    return props;
  }

  /** The value of a property; null where the row has none. */
  value(): JsonValue {
    const kind = this.cells[this.cell++]!;
    switch (kind) {
      case SMALL_INT:
        return this.cells[this.cell++]!;
      case DOUBLE:
        return this.double();
      case FALSE:
      case TRUE:
        return kind === TRUE;
      case STRING:
        return this.word();
      case JSON_TEXT:
        return parseExact(this.word());
      default:
        return kind < 0 ? null : BigInt(this.word());
    }
  }
}
