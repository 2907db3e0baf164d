// One property of a file: a typed column for each class of value that its cells turn out to have.
// A cell's class is decided by itself; a name with mixed classes becomes several columns that are present in turn.
import { canonicalJson } from "../contract/canonical.js";
import { parseExact } from "../contract/exact-json.js";
import { type JsonValue, LIMITS, normaliseValue } from "../contract/values.js";
import { FieldKind, type Fields } from "./fields.js";
import { GrowingArray } from "./growing-array.js";
import { Int64Column } from "./int64-column.js";
import { canBeProperty, unfitName } from "./property-name.js";
import { RefusedValue } from "./refusal.js";
import { TextColumn, type TextValues } from "./text-column.js";
import { classify } from "./tokens.js";

export type PropertyKind = "int64" | "double" | "bool" | "string" | "json";

/** A property column as `ingest` takes it. `present` has one byte a row: whether the row has the property, in this class. */
export type PropertyValues = { readonly name: string; readonly present: Uint8Array } & (
  | { readonly kind: "int64"; readonly values: BigInt64Array }
  | { readonly kind: "double"; readonly values: Float64Array }
  | { readonly kind: "bool"; readonly values: Uint8Array }
  | { readonly kind: "string" | "json"; readonly values: TextValues }
);

const NOTHING = new Uint8Array(0);

/** How many columns of classes have a value in the piece at hand: what it holds is their number times its rows. */
export interface PieceWidth {
  columns: number;
}

/** One class of one property. Rows that lack it hold anything. */
class ClassColumn {
  isUsed = false;
  readonly integers: Int64Column | null;
  readonly texts: TextColumn | null;
  readonly doubles: GrowingArray<Float64Array> | null;
  readonly bools: GrowingArray<Uint8Array> | null;
  private readonly present = new GrowingArray((length) => new Uint8Array(length));
  /** Text columns are written row after row: up to here they are. */
  private textRows = 0;

  constructor(
    readonly kind: PropertyKind,
    private readonly width: PieceWidth,
  ) {
    this.integers = kind === "int64" ? new Int64Column() : null;
    this.texts = kind === "string" || kind === "json" ? new TextColumn() : null;
    this.doubles = kind === "double" ? new GrowingArray((length) => new Float64Array(length)) : null;
    this.bools = kind === "bool" ? new GrowingArray((length) => new Uint8Array(length)) : null;
  }

  mark(row: number): void {
    this.present.reserve(row);
    this.present.array[row] = 1;
    if (this.isUsed) return;
    this.isUsed = true;
    this.width.columns += 1;
  }

  writeDouble(row: number, value: number): void {
    this.doubles!.reserve(row);
    this.doubles!.array[row] = value;
    this.mark(row);
  }

  writeBool(row: number, value: boolean): void {
    this.bools!.reserve(row);
    this.bools!.array[row] = value ? 1 : 0;
    this.mark(row);
  }

  writeText(row: number, bytes: Uint8Array, from: number, to: number): void {
    const texts = this.texts!;
    for (; this.textRows < row; this.textRows += 1) texts.append(this.textRows, NOTHING, 0, 0);
    texts.append(row, bytes, from, to);
    this.textRows = row + 1;
    this.mark(row);
  }

  truncate(row: number): void {
    if (row < this.present.array.length) this.present.array[row] = 0;
    if (this.texts !== null && this.textRows > row) {
      this.textRows = row;
      this.texts.truncate(row);
    }
  }

  private valuesOf(rows: number): PropertyValues["values"] {
    if (this.integers !== null) return this.integers.take(rows);
    if (this.texts === null) return (this.doubles ?? this.bools)!.take(rows);
    for (; this.textRows < rows; this.textRows += 1) this.texts.append(this.textRows, NOTHING, 0, 0);
    return this.texts.take(rows);
  }

  take(name: string, rows: number): PropertyValues {
    const taken = { name, kind: this.kind, values: this.valuesOf(rows), present: this.present.take(rows) };
    this.textRows = 0;
    this.isUsed = false;
    this.width.columns -= 1;
    // The kind decides which of the columns there is.
    return taken as PropertyValues;
  }
}

export class PropertyColumn {
  private readonly classes = new Map<PropertyKind, ClassColumn>();
  private readonly isFit: boolean;

  constructor(
    readonly name: string,
    readonly slot: number,
    private readonly width: PieceWidth,
  ) {
    this.isFit = canBeProperty(name);
  }

  /** Adds the cell of this record to `row`. An absent cell, and a bare empty one, is no property. */
  append(row: number, fields: Fields): void {
    const { slot } = this;
    if (slot >= fields.slotCount) return;
    if (!this.isFit && fields.has(slot)) throw unfitName();
    const { bytes } = fields;
    const from = fields.from[slot]!;
    const to = fields.to[slot]!;
    switch (fields.kind[slot]) {
      case FieldKind.Absent:
        break;
      case FieldKind.Text:
        this.appendText(row, bytes, from, to);
        break;
      case FieldKind.Nested:
        this.appendNested(row, fields.text(slot));
        break;
      default:
        this.appendToken(row, bytes, from, to);
    }
  }

  private appendToken(row: number, bytes: Uint8Array, from: number, to: number): void {
    const token = classify(bytes, from, to);
    switch (token.kind) {
      case "int64": {
        const column = this.class("int64");
        column.integers!.write(row, token.value);
        column.mark(row);
        break;
      }
      case "double":
        this.class("double").writeDouble(row, token.value);
        break;
      case "bool":
        this.class("bool").writeBool(row, token.value);
        break;
      default:
        this.appendText(row, bytes, from, to);
    }
  }

  private appendText(row: number, bytes: Uint8Array, from: number, to: number): void {
    if (to - from > LIMITS.versionBytes) throw new RefusedValue(`is longer than ${LIMITS.versionBytes} bytes`);
    this.class("string").writeText(row, bytes, from, to);
  }

  private appendNested(row: number, text: string): void {
    const value = normaliseValue(parseExact(text), this.name);
    const canonical = Buffer.from(canonicalJson(value), "utf8");
    this.class("json").writeText(row, canonical, 0, canonical.length);
  }

  private class(kind: PropertyKind): ClassColumn {
    const known = this.classes.get(kind);
    if (known !== undefined) return known;
    const fresh = new ClassColumn(kind, this.width);
    this.classes.set(kind, fresh);
    return fresh;
  }

  /** Forgets the cell of `row`, the newest. */
  truncate(row: number): void {
    for (const column of this.classes.values()) column.truncate(row);
  }

  /** The columns of the classes that occurred in the first `rows` rows, and a fresh start. */
  take(rows: number): PropertyValues[] {
    const taken: PropertyValues[] = [];
    for (const column of this.classes.values()) if (column.isUsed) taken.push(column.take(this.name, rows));
    return taken;
  }
}

/** The cell as one value, for node files; undefined where there is none. */
export function cellValue(fields: Fields, slot: number, name: string): JsonValue | undefined {
  if (!fields.has(slot)) return undefined;
  if (!canBeProperty(name)) throw unfitName();
  const kind = fields.kind[slot];
  if (kind === FieldKind.Text) return fields.text(slot);
  if (kind === FieldKind.Nested) return normaliseValue(parseExact(fields.text(slot)), name);
  const token = classify(fields.bytes, fields.from[slot]!, fields.to[slot]!);
  return token.kind === "string" ? fields.text(slot) : token.value;
}
