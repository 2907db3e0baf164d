// Arguments that hold whole tables: copied in slices, apart from the others, whose shape is judged at once.
// What a row may be is judged by the operator; here only values that no argument may hold are refused.
import { PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { TABLE_ROWS } from "../contract/schemas.js";
import { isPlainObject, type JsonObject, type JsonValue } from "../contract/values.js";
import { plainValue } from "./plain-arguments.js";
import type { Turns } from "./turns.js";

const ROWS_AT_ONCE = 16;

/** Which columns hold instants is known when the table is typed. */
const anywhere = (): boolean => true;

/** Arguments with an empty list in the place of each table, and the tables. */
export interface SplitArguments {
  readonly rest: unknown;
  readonly tables: JsonObject;
}

async function copied(given: readonly unknown[], path: string, turns: Turns): Promise<JsonValue[]> {
  const count = given.length;
  if (count > TABLE_ROWS) {
    throw new PalimpsestError("E_SCHEMA", `${path}: ${count} rows are more than the ${TABLE_ROWS} that are allowed`, {
      details: { path },
      hint: `the bound is ${TABLE_ROWS}`,
    });
  }
  const rows: JsonValue[] = [];
  while (rows.length < count) {
    const end = Math.min(rows.length + ROWS_AT_ONCE, count);
    readGiven(path, path, () => {
      while (rows.length < end) rows.push(plainValue(given[rows.length], `${path}/${rows.length}`, anywhere));
    });
    if (turns.isDue) await turns.rest();
  }
  return rows;
}

/** A caller may not change a table before the call is settled: it is read over several turns of the event loop. */
export async function splitTables(given: unknown, names: readonly string[], turns: Turns): Promise<SplitArguments> {
  if (!readGiven("", "the arguments", () => isPlainObject(given))) return { rest: given, tables: {} };
  const rest: Record<string, unknown> = readGiven("", "the arguments", () => ({ ...(given as object) }));
  const tables: JsonObject = {};
  for (const name of names) {
    const table = rest[name];
    if (!Array.isArray(table)) continue;
    rest[name] = [];
    tables[name] = await copied(table, `/${name}`, turns);
  }
  return { rest, tables };
}
