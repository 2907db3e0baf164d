// The columns of a bulk operation that stood in a JSON batch, as native code takes them.
// Properties come as one object per event and leave as one column per name and kind.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";
import type { IngestEvents } from "../log/operations/types.js";
import type { NativeEventColumns, NativeProperty, PropKindName } from "../native/store.js";
import { PROP_KINDS } from "../native/store.js";
import { constantColumn, encodeTexts } from "./event-input.js";

function kindOf(value: JsonValue): PropKindName {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isSafeInteger(value) ? "int64" : "double";
    default:
      return "json";
  }
}

/** The values of one property in one kind, by row. */
interface Gathered {
  readonly name: string;
  readonly kind: PropKindName;
  readonly rows: number[];
  readonly values: JsonValue[];
}

async function propertyColumn({ name, kind, rows, values }: Gathered, rowCount: number): Promise<NativeProperty> {
  const present = new Uint8Array(rowCount);
  for (const row of rows) present[row] = 1;
  const spread = <T extends BigInt64Array | Float64Array | Uint8Array>(
    column: T,
    of: (value: JsonValue) => T[number],
  ) => {
    for (const [i, row] of rows.entries()) column[row] = of(values[i]!) as never;
    return column;
  };
  const texts = async (of: (value: JsonValue) => string) => {
    const byRow = new Array<string>(rowCount).fill("");
    for (const [i, row] of rows.entries()) byRow[row] = of(values[i]!);
    return encodeTexts(name, byRow);
  };
  const column =
    kind === "int64"
      ? spread(new BigInt64Array(rowCount), (value) => BigInt(value as number | bigint))
      : kind === "double"
        ? spread(new Float64Array(rowCount), (value) => value as number)
        : kind === "bool"
          ? spread(new Uint8Array(rowCount), (value) => (value === true ? 1 : 0))
          : await texts(kind === "string" ? (value) => value as string : canonicalJson);
  return { name, kind: PROP_KINDS[kind], values: column, present };
}

function gather(props: NonNullable<IngestEvents["props"]>): Gathered[] {
  const columns = new Map<string, Gathered>();
  for (const [row, object] of props.entries()) {
    for (const name of Object.keys(object)) {
      const value = object[name]!;
      const kind = kindOf(value);
      const id = `${kind} ${name}`;
      let column = columns.get(id);
      if (column === undefined) {
        column = { name, kind, rows: [], values: [] };
        columns.set(id, column);
      }
      column.rows.push(row);
      column.values.push(value);
    }
  }
  return [...columns.values()];
}

export async function eventColumns(operation: IngestEvents): Promise<NativeEventColumns> {
  const rowCount = operation.timesUs.length;
  const props: NativeProperty[] = [];
  for (const column of gather(operation.props ?? [])) props.push(await propertyColumn(column, rowCount));
  const { keys, type } = operation;
  const key =
    keys === undefined
      ? null
      : {
          ...(await encodeTexts(
            "key",
            keys.map((each) => each ?? ""),
          )),
          present: Uint8Array.from(keys, (each) => (each === null ? 0 : 1)),
        };
  return {
    rowCount,
    src: await encodeTexts("src", operation.src),
    dst: await encodeTexts("dst", operation.dst),
    type: typeof type === "string" ? constantColumn(type, rowCount) : await encodeTexts("type", type),
    key,
    time: operation.timesUs,
    validTo: operation.endsUs ?? null,
    props,
  };
}
