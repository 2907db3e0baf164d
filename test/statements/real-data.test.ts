// Statements over real data, compared with SQL over the same files.
// The data lies beside the repository; where it is absent the tests skip with a printed line.
import { join } from "node:path";
import { DuckDBTimestampTZValue, DuckDBTimestampValue } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatInstant } from "../../src/contract/instant.js";
import { ask } from "./ask.js";
import { readCases } from "./case-file.js";
import { isThere, type RealStore, realStore, SOURCES } from "./real-stores.js";

const FOLDER = join(import.meta.dirname, "real");
const DECIMALS = 9;

/** A value of DuckDB as TQL shows it; doubles keep the nine decimals that TQL gives. */
function shown(value: unknown): unknown {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return formatInstant(value.micros);
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? Number(value.toFixed(DECIMALS)) : value;
}

const rounded = (value: unknown): unknown => (typeof value === "number" ? Number(value.toFixed(DECIMALS)) : value);

for (const name of Object.keys(SOURCES)) {
  const cases = readCases(join(FOLDER, `${name}.tql`));
  if (!isThere(name)) console.log(`skipped: the data set ${name} is not at ../shared/data`);
  describe.skipIf(!isThere(name))(name, () => {
    let store: RealStore;
    beforeAll(async () => {
      store = await realStore(name);
    });
    afterAll(() => store.close());

    for (const one of cases) {
      it(one.title, async () => {
        const expected = (await store.sql.runAndReadAll(one.expected.sql!)).getRows().map((row) => row.map(shown));
        // An empty answer is expected only where the case says so.
        expect(expected.length === 0).toBe(one.expected.rows !== null);
        const { rows } = await ask(store.db, one);
        expect(rows.map((row) => row.map(rounded))).toEqual(expected);
      });
    }
  });
}
