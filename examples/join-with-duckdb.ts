// Joins what a store knows with a Parquet file, in a DuckDB of your own: what each country's people had paid, by when.
// Each step is a cell of a notebook. Run: npx tsx examples/join-with-duckdb.ts [folder]; the folder gets the Parquet file.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { open } from "../src/index.js";

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), "palimpsest-join-"));
const people = join(folder, "people.parquet").replaceAll("'", "''");

// 1. A store of payments; a later correction says that one of them was smaller.
const db = await open(":memory:");
const paid = (src: string, dst: string, key: string, day: string, amount: number) =>
  ({
    op: "assert_edge",
    src,
    type: "PAID",
    dst,
    key,
    props: { amount },
    valid_from: day,
    valid_to: `${day}T00:00:01Z`,
  }) as const;
const first = await db.write([
  paid("ana", "ben", "1", "2024-03-01", 40),
  paid("ben", "cem", "2", "2024-03-02", 25),
  paid("ana", "dee", "3", "2024-03-05", 60),
]);
await db.write([
  {
    op: "correct",
    ref: { src: "ana", type: "PAID", dst: "dee", key: "3" },
    mode: "patch",
    props: { amount: 6 },
    valid_from: "2024-03-05",
    reason: "a zero too many",
  },
]);

// 2. A Parquet file that somebody else keeps: who lives where.
const instance = await DuckDBInstance.create(":memory:");
const duck = await instance.connect();
await duck.run(`COPY (SELECT * FROM (VALUES ('ana', 'IT'), ('ben', 'DE'), ('cem', 'TR')) t(uid, country))
  TO '${people}' (FORMAT parquet)`);

// 3. The answer of a statement becomes a table of DuckDB, handed over by columns; so does the belief of before.
const asked = "SELECT e.src AS payer, e.amount, e.at FROM EVENTS(PAID) AS e";
const before = asked.replace(" AS e", ` FOR TRANSACTION_TIME AS OF TX ${first.tx} AS e`);
await db.exportTo(duck, { answers: { payments: asked, payments_before: before } });

// 4. SQL over all of it.
const { columns, rows } = await (async () => {
  const result = await duck.run(`
    SELECT p.country, sum(now.amount)::INTEGER AS paid,
      (SELECT sum(b.amount)::INTEGER FROM payments_before b JOIN '${people}' q ON q.uid = b.payer WHERE q.country = p.country) AS believed_before
    FROM payments now JOIN '${people}' p ON p.uid = now.payer
    GROUP BY p.country ORDER BY p.country`);
  return { columns: result.columnNames(), rows: await result.getRows() };
})();
console.log(columns.join("  "));
for (const row of rows) console.log(row.join("  "));

// 5. And back: rows of a SELECT become edges of the store.
const { rows: taken } = await db.importFrom(duck, {
  query: `SELECT uid AS src, country AS dst, DATE '2024-01-01' AS time FROM '${people}'`,
  type: "LIVES_IN",
});
console.log(`${taken} people live somewhere`);

duck.closeSync();
instance.closeSync();
await db.close();
