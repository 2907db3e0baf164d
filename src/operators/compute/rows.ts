// filter, derive, project: one row at a time, with expressions over the columns of a table.
import { PalimpsestError } from "../../contract/errors.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import { type Compiled, invalidType, type Scope } from "../expressions/compiled.js";
import { compileExpression } from "../expressions/expression.js";
import { toJson, type Value } from "../expressions/types.js";
import type { Table } from "./table.js";
import { pageOf, type TableWork } from "./work.js";

const ROWS_AT_ONCE = 16;

function scopeOf(table: Table): Scope<JsonValue> {
  return {
    leaf(node, path) {
      const field = node.field as string;
      const type = table.typeOf(field, `${path}/field`);
      const read = table.reader(field, type);
      return { kind: "value", type, path, isDerived: false, isConstant: false, echo: { field }, read };
    },
  };
}

export const compileOver = (table: Table, expression: JsonValue, path: string): Compiled<JsonValue> =>
  compileExpression(expression, scopeOf(table), path);

/** The value of an expression for a row; an error says which row. */
function valueAt(compiled: Compiled<JsonValue>, table: Table, position: number): Value {
  try {
    return compiled.read(table.rows[position]!);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    const { code, message, details, hint } = error;
    const where = `/${table.name}/${position}`;
    throw new PalimpsestError(code, `${where}: ${message}`, { details: { ...details, row: position }, hint });
  }
}

export function filterWork(table: Table, test: Compiled<JsonValue>): TableWork {
  if (test.type !== "bool" && test.type !== "null") {
    throw invalidType("/test", `a test is true or false, not ${test.type}`, "compare with eq, lt, in or the like");
  }
  return {
    kind: "table",
    columns: table.columns,
    async run(from, to, turns) {
      const kept: number[] = [];
      for (let i = 0; i < table.count; i += 1) {
        if (valueAt(test, table, i) === true) kept.push(i);
        if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
      }
      return pageOf(kept.length, from, to, (i) => table.shown(table.rows[kept[i]!]!), turns);
    },
  };
}

export interface DerivedColumn {
  readonly as: string;
  readonly compiled: Compiled<JsonValue>;
}

export function deriveWork(table: Table, added: readonly DerivedColumn[]): TableWork {
  const columns = new Map(table.columns);
  for (const [i, { as, compiled }] of added.entries()) {
    if (columns.has(as)) throw invalidType(`/columns/${i}/as`, `there is a column ${JSON.stringify(as)} already`);
    columns.set(as, compiled.type);
  }
  const rowAt = (position: number): JsonObject => {
    const row = table.shown(table.rows[position]!);
    for (const { as, compiled } of added) setOwn(row, as, toJson(valueAt(compiled, table, position), compiled.type));
    return row;
  };
  return {
    kind: "table",
    columns,
    run: (from, to, turns) => pageOf(table.count, from, to, rowAt, turns),
  };
}

export interface ProjectedColumn {
  readonly from: string;
  readonly as: string;
}

export function projectWork(table: Table, fields: readonly ProjectedColumn[]): TableWork {
  const { columns } = table;
  const readers = fields.map(({ from, as }, i) => {
    // A column whose values do not mix can be carried.
    const type = columns.get(from) ?? table.typeOf(from, `/fields/${i}/from`);
    return { as, type, read: table.cell(from) };
  });
  const rowAt = (position: number): JsonObject => {
    const row: JsonObject = {};
    for (const { as, read } of readers) setOwn(row, as, read(table.rows[position]!));
    return row;
  };
  return {
    kind: "table",
    columns: new Map(readers.map(({ as, type }) => [as, type])),
    run: (from, to, turns) => pageOf(table.count, from, to, rowAt, turns),
  };
}
