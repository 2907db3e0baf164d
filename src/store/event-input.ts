// Bulk events as callers give them, turned into the columns that native code takes. Shapes are checked here, values there.
// Strings are encoded in slices, so that a million of them do not hold the event loop.
import { canonicalJson } from "../contract/canonical.js";
import { PalimpsestError } from "../contract/errors.js";
import { parseUnambiguous } from "../contract/exact-json.js";
import { readGiven } from "../contract/given.js";
import { normaliseValue } from "../contract/values.js";
import { type NativeEventColumns, type NativeProperty, type NativeTextColumn, PROP_KINDS } from "../native/store.js";
import { checkNames } from "./option-checks.js";
import { Pace } from "./turns.js";

/** Strings: one by one, as codes into distinct values, or as UTF-8 bytes with the end of each. */
export type TextInput =
  | readonly string[]
  | { readonly values: readonly string[]; readonly codes: Uint32Array; readonly present?: Uint8Array }
  | { readonly bytes: Uint8Array; readonly ends: Uint32Array; readonly present?: Uint8Array };

/** A property of all events. `present` is 0 in the rows that do not have it. JSON values are texts. */
export type PropertyInput = { readonly name: string; readonly present?: Uint8Array } & (
  | { readonly kind: "int64"; readonly values: BigInt64Array }
  | { readonly kind: "double"; readonly values: Float64Array }
  | { readonly kind: "bool"; readonly values: Uint8Array }
  | { readonly kind: "string" | "json"; readonly values: TextInput }
);

/**
 * Columns of one length. `time` and `valid_to` are microseconds since 1970; 2^62 is an open end. Typed arrays are read in
 * place, on other threads too: they must not be changed or transferred before the promise settles.
 */
export interface EventInput {
  readonly src: TextInput;
  readonly dst: TextInput;
  readonly time: BigInt64Array;
  /** Left out: every event lasts one microsecond. */
  readonly valid_to?: BigInt64Array | null;
  /** Left out: the `type` of the options. */
  readonly type?: TextInput;
  /** Left out or absent in a row: the store chooses the key. */
  readonly key?: TextInput | null;
  readonly props?: readonly PropertyInput[];
}

function refuse(column: string, what: string, hint = ""): never {
  throw new PalimpsestError("E_INVALID_ARG", `column ${column}: ${what}`, { details: { column }, hint });
}

/** Appends UTF-8 to one growing buffer. */
class TextBuilder {
  private bytes: Buffer;
  private used = 0;
  private readonly ends: Uint32Array;
  private count = 0;

  constructor(
    private readonly column: string,
    count: number,
  ) {
    this.bytes = Buffer.allocUnsafeSlow(Math.max(64, count * 12));
    this.ends = new Uint32Array(count);
  }

  add(text: unknown): void {
    if (typeof text !== "string") refuse(this.column, `row ${this.count} is no string`);
    if (!text.isWellFormed()) refuse(this.column, `row ${this.count} has a lone surrogate`);
    const most = text.length * 3;
    if (this.used + most > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.used + most, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
    }
    this.used += this.bytes.write(text, this.used, "utf8");
    if (this.used > 0xffff_ffff) refuse(this.column, "the column has more than 4 GiB of text", "load it in parts");
    this.ends[this.count] = this.used;
    this.count += 1;
  }

  take(): NativeTextColumn {
    return { bytes: this.bytes.subarray(0, this.used), ends: this.ends };
  }
}

/** Texts as bytes and ends. Where `present` is 0 there is nothing to look at, and the text is empty. */
export async function encodeTexts(
  column: string,
  texts: readonly unknown[],
  map?: (text: unknown) => string,
  present?: Uint8Array,
): Promise<NativeTextColumn> {
  const builder = new TextBuilder(column, texts.length);
  const pace = new Pace();
  for (let i = 0; i < texts.length; i += 1) {
    if (present?.[i] === 0) builder.add("");
    else builder.add(map === undefined ? texts[i] : map(texts[i]));
    if ((i & 0xfff) === 0 && pace.isDue) await pace.rest();
  }
  return builder.take();
}

function checkMask(column: string, mask: unknown, rowCount: number): void {
  if (mask !== undefined && (!(mask instanceof Uint8Array) || mask.length !== rowCount)) {
    refuse(column, `present must be a Uint8Array of ${rowCount} entries`);
  }
}

async function textColumn(
  column: string,
  input: TextInput,
  rowCount: number,
  map?: (text: unknown) => string,
  present?: Uint8Array,
): Promise<NativeTextColumn> {
  if (Array.isArray(input)) {
    if (input.length !== rowCount) refuse(column, `has ${input.length} rows where time has ${rowCount}`);
    return encodeTexts(column, input, map, present);
  }
  const given = input as Exclude<TextInput, readonly string[]>;
  if (typeof given !== "object" || given === null) refuse(column, "is no column of strings");
  checkMask(column, given.present, rowCount);
  if ("codes" in given) {
    if (!(given.codes instanceof Uint32Array) || given.codes.length !== rowCount) {
      refuse(column, `codes must be a Uint32Array of ${rowCount} entries`);
    }
    if (!Array.isArray(given.values)) refuse(column, "values must be an array of strings");
    return { ...(await encodeTexts(column, given.values, map)), codes: given.codes, present: given.present };
  }
  const { bytes, ends } = given;
  if (!(bytes instanceof Uint8Array) || !(ends instanceof Uint32Array)) refuse(column, "needs bytes and ends");
  if (ends.length !== rowCount) refuse(column, `has ${ends.length} rows where time has ${rowCount}`);
  checkEnds(column, ends, bytes.length);
  if (map === undefined) return { bytes, ends, present: given.present };
  const texts = Array.from(ends, (end, i) => decodeText(column, bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end), i));
  return { ...(await encodeTexts(column, texts, map, present ?? given.present)), present: given.present };
}

/** A column in which no row may be absent. */
async function wholeColumn(column: string, input: TextInput, rowCount: number): Promise<NativeTextColumn> {
  const texts = await textColumn(column, input, rowCount);
  const absent = texts.present?.indexOf(0) ?? -1;
  if (absent >= 0) refuse(column, `row ${absent} is absent`);
  return texts;
}

function checkEnds(column: string, ends: Uint32Array, byteCount: number): void {
  for (let i = 0, last = 0; i < ends.length; i += 1) {
    const end = ends[i]!;
    if (end < last || end > byteCount) refuse(column, `row ${i} ends before the row before it, or after the bytes`);
    last = end;
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeText(column: string, bytes: Uint8Array, row: number): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    refuse(column, `row ${row} is not valid UTF-8`);
  }
}

/** The same text in every row. */
export function constantColumn(text: string, rowCount: number): NativeTextColumn {
  const bytes = Buffer.from(text, "utf8");
  return { bytes, ends: Uint32Array.of(bytes.length), codes: new Uint32Array(rowCount) };
}

const ARRAYS = { int64: BigInt64Array, double: Float64Array, bool: Uint8Array } as const;

/** The text of a JSON value in canonical form; scalars belong into typed columns. */
function canonicalText(column: string): (text: unknown) => string {
  return (text) => {
    const value = typeof text === "string" ? parseUnambiguous(text) : text;
    if (value === null || typeof value !== "object") refuse(column, "a JSON column holds lists and objects only");
    return canonicalJson(normaliseValue(value, `column ${column}`));
  };
}

async function property(input: PropertyInput, rowCount: number): Promise<NativeProperty> {
  if (typeof input !== "object" || input === null)
    refuse("props", "a property is an object with name, kind and values");
  const { name, kind } = input;
  if (typeof name !== "string" || name === "" || Buffer.byteLength(name) > 256 || !name.isWellFormed()) {
    refuse(String(name), "a property's name has 1 to 256 bytes of UTF-8");
  }
  if (!Object.hasOwn(PROP_KINDS, kind)) {
    refuse(name, `kind ${String(kind)} is none of ${Object.keys(PROP_KINDS).join(", ")}`);
  }
  const kindNumber = PROP_KINDS[kind];
  checkMask(name, input.present, rowCount);
  if (input.kind === "string" || input.kind === "json") {
    const values = await textColumn(
      name,
      input.values,
      rowCount,
      input.kind === "json" ? canonicalText(name) : undefined,
      input.present,
    );
    return { name, kind: kindNumber, values, present: input.present ?? values.present };
  }
  if (!(input.values instanceof ARRAYS[input.kind]) || input.values.length !== rowCount) {
    refuse(name, `must be a ${ARRAYS[input.kind].name} of ${rowCount} entries`);
  }
  return { name, kind: kindNumber, values: input.values, present: input.present };
}

const COLUMNS = ["src", "dst", "time", "valid_to", "type", "key", "props"];

/** The native columns of `input`; `type` stands for all rows where the input has no column of types. */
export async function nativeColumns(columns: EventInput, type: string | undefined): Promise<NativeEventColumns> {
  if (typeof columns !== "object" || columns === null) refuse("time", "events are an object of columns");
  const input = readGiven("", "the columns", () => {
    checkNames(columns, COLUMNS, "column");
    const read = COLUMNS.map((name) => [name, columns[name as keyof EventInput]]);
    return Object.fromEntries(read) as EventInput;
  });
  const { time } = input;
  if (!(time instanceof BigInt64Array))
    refuse("time", "must be a BigInt64Array of microseconds since 1970", `columns: ${Object.keys(columns).join(", ")}`);
  const rowCount = time.length;
  const validTo = input.valid_to ?? null;
  if (validTo !== null && (!(validTo instanceof BigInt64Array) || validTo.length !== rowCount)) {
    refuse("valid_to", `must be a BigInt64Array of ${rowCount} entries`);
  }
  if (input.type === undefined && typeof type !== "string") {
    refuse("type", "is missing", "give options.type, or a column of types");
  }
  const given = input.props ?? [];
  if (!Array.isArray(given)) refuse("props", "must be an array of properties");
  const props: NativeProperty[] = [];
  for (const each of given) props.push(await property(each, rowCount));
  const names = props.map(({ name, kind }) => `${name}\u0000${kind}`);
  if (new Set(names).size !== names.length) refuse("props", "a property stands twice in one kind");
  return {
    rowCount,
    src: await wholeColumn("src", input.src, rowCount),
    dst: await wholeColumn("dst", input.dst, rowCount),
    type: input.type === undefined ? constantColumn(type!, rowCount) : await wholeColumn("type", input.type, rowCount),
    key: input.key === undefined || input.key === null ? null : await textColumn("key", input.key, rowCount),
    time,
    validTo,
    props,
  };
}
