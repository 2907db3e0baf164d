// Which types of Arrow are taken, told before a row is read. Those that are not are refused by their column, with a way out.
// Types are looked at by their numbers, so that tables of another copy of the library are read, too.
import { type DataType, Type } from "apache-arrow";
import { PalimpsestError } from "../../contract/errors.js";

/** The instant of a local time; null: times without zone are refused. */
export type LocalTime = ((localUs: bigint) => bigint) | null;

/** Enum values of the library, which its types do not name. */
export const UNIT = { second: 0, millisecond: 1, microsecond: 2, nanosecond: 3 } as const;

interface AnyType {
  readonly typeId: number;
  readonly children?: readonly { readonly name: string; readonly type: DataType }[] | null;
  readonly timezone?: string | null;
  readonly scale?: number;
  readonly dictionary?: DataType;
}

function refuse(
  column: string,
  type: DataType,
  reason: string,
  hint: string,
  code: "E_SCHEMA" | "E_ZONE_MISSING",
): never {
  throw new PalimpsestError(code, `column ${JSON.stringify(column)}: ${String(type)} ${reason}`, {
    details: { column, type: String(type), reason },
    hint,
  });
}

export function checkType(column: string, type: DataType, local: LocalTime): void {
  const given = type as unknown as AnyType;
  switch (given.typeId) {
    case Type.Dictionary:
      checkType(column, given.dictionary!, local);
      return;
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
    case Type.Struct:
    case Type.Map:
      for (const child of given.children ?? []) checkType(column, child.type, local);
      return;
    case Type.Timestamp:
      if (local !== null || (given.timezone ?? "") !== "") return;
      refuse(column, type, "has no zone", "give a zone: UTC, an offset such as +02:00, or a name", "E_ZONE_MISSING");
      break;
    case Type.Decimal:
      if (given.scale === 0) return;
      refuse(
        column,
        type,
        "has digits behind the point",
        "cast it to a double, or to text to keep every digit",
        "E_SCHEMA",
      );
      break;
    case Type.Null:
    case Type.Int:
    case Type.Float:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
    case Type.Bool:
    case Type.Date:
    case Type.Time:
    case Type.Interval:
    case Type.Duration:
      return;
    default:
      refuse(
        column,
        type,
        "is no type of a property",
        "leave the column out, or cast it to text, as base64 or hex",
        "E_SCHEMA",
      );
  }
}
