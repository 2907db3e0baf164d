// A table that compute works on: the rows as they were given, and the type of each column.
// Inline rows are typed by what is in them; rows of an earlier answer by its output schema.
import { PalimpsestError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";
import { type JsonObject, type JsonValue, normaliseValue, setOwn } from "../../contract/values.js";
import type { ColumnTypes } from "../declaration.js";
import { doNotMix, fromJson, mixed, toJson, typeOfValue, type Value, type ValueType } from "../expressions/types.js";
import { isInstantObject } from "../plain-arguments.js";
import type { Turns } from "../turns.js";

/** The column of rows that are scalars. */
export const SCALAR = "value";
const MOST_COLUMNS = 1024;
const ROWS_AT_ONCE = 16;

/** Two rows whose values are of types that do not mix; such a column can be carried, but not computed with. */
interface Conflict {
  readonly row: number;
  readonly types: readonly [ValueType, ValueType];
}

export interface Column {
  readonly type: ValueType;
  readonly conflict?: Conflict;
}

export type Columns = ReadonlyMap<string, ValueType>;

export class Table {
  constructor(
    /** The argument that holds it. */
    readonly name: string,
    readonly rows: readonly JsonValue[],
    private readonly typed: ReadonlyMap<string, Column>,
    /** Whether any column may be asked for: of an empty table without a schema nothing is known. */
    private readonly isOpen: boolean,
    private readonly isScalar: boolean,
    /** Columns that were typed by the caller and are in no row. */
    readonly missing: readonly string[] = [],
  ) {}

  get count(): number {
    return this.rows.length;
  }

  /** All columns; one whose values do not mix is carried as JSON. */
  get columns(): Columns {
    return new Map(
      Array.from(this.typed, ([name, { type, conflict }]) => [name, conflict === undefined ? type : "json"]),
    );
  }

  /** The type of a column that is computed with. E_SCHEMA where there is none, E_INVALID_ARG where its values do not mix. */
  typeOf(column: string, path: string): ValueType {
    const found = this.typed.get(column);
    if (found === undefined) {
      if (this.isOpen) return "null";
      const near = nearestNames(column.slice(0, 100), this.typed.keys(), 1);
      const known = [...this.typed.keys()].slice(0, 20).join(", ");
      throw new PalimpsestError("E_SCHEMA", `${path}: ${this.name} has no column ${JSON.stringify(column)}`, {
        details: { path },
        hint: near.length > 0 ? `did you mean ${near[0]}?` : `its columns are ${known}`,
      });
    }
    const { type, conflict } = found;
    if (conflict === undefined) return type;
    const [first, other] = conflict.types;
    throw new PalimpsestError(
      "E_INVALID_ARG",
      `/${this.name}/${conflict.row}/${column}: ${other}, where the rows before have ${first}`,
      {
        details: { path, row: conflict.row, types: conflict.types },
        hint: "numbers mix with numbers, and nothing else",
      },
    );
  }

  /** Whether the rows are scalars, or there are none that could be anything else. */
  get hasOneColumn(): boolean {
    return this.isScalar || this.isOpen;
  }

  /** The column that a function takes where none is named: that of rows that are scalars. */
  theColumn(path: string): string {
    if (this.hasOneColumn) return SCALAR;
    throw new PalimpsestError("E_INVALID_ARG", `${path}: the rows are objects, so a column must be named`, {
      details: { path },
      hint: `its columns are ${[...this.typed.keys()].slice(0, 20).join(", ")}`,
    });
  }

  /** A column's value in a row, in JSON form. */
  cell(column: string): (row: JsonValue) => JsonValue {
    if (this.isScalar) return (row) => row;
    return (row) => (Object.hasOwn(row as JsonObject, column) ? (row as JsonObject)[column]! : null);
  }

  /** A column's value in a row, as a value of `type`. */
  reader(column: string, type: ValueType): (row: JsonValue) => Value {
    const cell = this.cell(column);
    if (type !== "instant" && type !== "instant_open" && type !== "duration") return cell;
    return (row) => fromJson(cell(row), type, `/${this.name}`);
  }

  /** A row with all columns of the table. */
  readonly shown = (row: JsonValue): JsonObject => {
    if (this.isScalar) return { [SCALAR]: row };
    const out: JsonObject = {};
    for (const column of this.typed.keys()) {
      setOwn(out, column, Object.hasOwn(row as JsonObject, column) ? (row as JsonObject)[column]! : null);
    }
    return out;
  };
}

const isRow = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isInstantObject(value);

/** Gathers the columns of rows while they are read once. */
class Reading {
  readonly typed = new Map<string, Column>();
  private readonly found = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly types: ColumnTypes,
  ) {
    for (const [column, type] of Object.entries(types)) this.typed.set(column, { type });
  }

  /** The canonical form of a value; the column learns its type. */
  take(value: JsonValue, column: string, row: number): JsonValue {
    const told = Object.hasOwn(this.types, column) ? this.types[column] : undefined;
    if (told !== undefined) {
      this.found.add(column);
      return value === null ? null : toJson(fromJson(value, told, `/${this.name}/${row}/${column}`), told);
    }
    const isPlain = typeof value !== "bigint" && (typeof value !== "object" || value === null);
    const taken = isPlain ? value : normaliseValue(value, `/${this.name}/${row}/${column}`);
    const seen = this.typed.get(column);
    if (seen?.conflict !== undefined) return taken;
    const type = typeOfValue(taken);
    if (seen === undefined) {
      if (this.typed.size === MOST_COLUMNS) {
        throw new PalimpsestError("E_LIMIT", `/${this.name}: more than ${MOST_COLUMNS} columns`, {
          details: { path: `/${this.name}`, limit: MOST_COLUMNS },
          hint: "give the columns that are needed",
        });
      }
      this.typed.set(column, { type });
    } else if (type !== seen.type && type !== "null") {
      const both = mixed(seen.type, type);
      if (both === undefined) this.typed.set(column, { type: "json", conflict: { row, types: [seen.type, type] } });
      else if (both !== seen.type) this.typed.set(column, { type: both });
    }
    return taken;
  }

  /** The columns that the caller typed and no row has; they are no columns of the table. */
  dropMissing(): string[] {
    const missing = Object.keys(this.types).filter((column) => !this.found.has(column));
    for (const column of missing) this.typed.delete(column);
    return missing;
  }
}

/** Reads every row once: texts of typed columns become canonical, the types of the others are found. */
async function readRows(reading: Reading, name: string, rows: JsonValue[], turns: Turns): Promise<boolean> {
  const isScalar = rows.length > 0 && !isRow(rows[0]!);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!;
    if (isRow(row) === isScalar || Array.isArray(row)) throw otherKind(name, i, isScalar);
    if (isScalar) rows[i] = reading.take(row, SCALAR, i);
    else {
      for (const column of Object.keys(row as JsonObject)) {
        const value = (row as JsonObject)[column]!;
        const taken = reading.take(value, column, i);
        if (taken !== value) setOwn(row as JsonObject, column, taken);
      }
    }
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return isScalar;
}

function otherKind(name: string, row: number, isScalar: boolean): PalimpsestError {
  const path = `/${name}/${row}`;
  return new PalimpsestError(
    "E_INVALID_ARG",
    `${path}: ${isScalar ? "not a scalar" : "not an object"}, unlike the rows before`,
    {
      details: { path, row },
      hint: "give scalars alone, or objects alone",
    },
  );
}

/**
 * The table of an argument. `types` are those that the caller names for inline texts, `told` those of the schema of the
 * step that made the rows. Texts of instants and durations become canonical in `rows`.
 */
export async function readTable(
  name: string,
  rows: JsonValue[],
  types: ColumnTypes,
  told: ColumnTypes | undefined,
  turns: Turns,
): Promise<Table> {
  if (told !== undefined) return readTold(name, rows, types, told, turns);
  const reading = new Reading(name, types);
  const isScalar = await readRows(reading, name, rows, turns);
  const missing = rows.length === 0 ? [] : reading.dropMissing();
  return new Table(name, rows, reading.typed, rows.length === 0, isScalar, missing);
}

/** A table of which only the types are known. */
export function emptyTable(name: string, types: ColumnTypes, told: ColumnTypes | undefined): Table {
  const typed = Object.entries(told ?? types).map(([column, type]) => [column, { type }] as const);
  const mayBeScalars = told !== undefined && typed.length === 1 && typed[0]![0] === SCALAR;
  return new Table(name, [], new Map(typed), told === undefined, mayBeScalars);
}

/** A schema decides but where it says text or JSON and the caller knows better. */
async function readTold(
  name: string,
  rows: JsonValue[],
  types: ColumnTypes,
  told: ColumnTypes,
  turns: Turns,
): Promise<Table> {
  const isText = (type: ValueType | undefined): boolean => type === "string" || type === "json" || type === "null";
  const better = Object.entries(types).filter(([column]) => Object.hasOwn(told, column) && isText(told[column]));
  if (better.length > 0) await readRows(new Reading(name, Object.fromEntries(better)), name, rows, turns);
  const typed = Object.entries({ ...told, ...Object.fromEntries(better) });
  const columns = new Map(typed.map(([column, type]) => [column, { type }]));
  return new Table(name, rows, columns, false, rows.length > 0 && !isRow(rows[0]!));
}

/** The types of columns of two tables that stand under each other; E_INVALID_ARG where they do not mix. */
export function typesTogether(
  a: Table,
  b: Table,
  columns: readonly (readonly [string, string])[],
  path: string,
): ValueType[] {
  return columns.map(([left, right], i) => {
    const [ofA, ofB] = [a.typeOf(left, `${path}/${i}`), b.typeOf(right, `${path}/${i}`)];
    const both = mixed(ofA, ofB);
    if (both === undefined) throw doNotMix(ofA, ofB, `${path}/${i}`);
    return both;
  });
}
