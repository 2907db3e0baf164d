// Statements that show columns of one source take their own way from the store to the answer: rows as they are found,
// sorted once, natively. Written as a step of a WITH, the same rows go through DuckDB; rows and Arrow's arrays are equal.
import { type Data, Type } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { SEEDS } from "../support/case-count.js";
import { lawBatches } from "../support/law-store.js";
import { Random } from "../support/random.js";

const SOURCES = {
  NODES: ["uid", "labels", "valid_from", "valid_to", "tx_from", "tx"],
  EDGES: ["src", "type", "dst", "key", "seq", "valid_from", "valid_to", "tx_from", "tx_to"],
  EVENTS: ["src", "type", "dst", "key", "seq", "at", "duration"],
} as const;

async function randomStore(random: Random): Promise<Database> {
  const db = await open(":memory:");
  for (const { ops, txTime } of lawBatches(random)) {
    await db.write(ops as never, { txTime }).catch((error: { code: string }) => expect(error.code).toBe("E_NOT_FOUND"));
  }
  return db;
}

/** Properties that the elements of a source have in this store. */
async function propertiesOf(db: Database, source: keyof typeof SOURCES): Promise<string[]> {
  const { rows } = await db.query(`SELECT e.props AS p FROM ${source}() AS e`);
  return [...new Set((rows as readonly { p: object }[]).flatMap(({ p }) => Object.keys(p)))].sort();
}

/** What an Arrow array holds where it has a value: what lies below a null nobody sees. */
function arrayOf({ type, values, valueOffsets, nullBitmap, nullCount, dictionary, children, length }: Data) {
  const bitOf = (bits: Uint8Array, row: number): number => (bits[row >> 3]! >> (row & 7)) & 1;
  const valueAt = (row: number): unknown => (type.typeId === Type.Bool ? bitOf(values, row) : values[row]);
  // Bytes of texts are as many as they are; of all else there is one value a row.
  const isByRow = type.typeId === Type.Bool || values?.length === length;
  const isThere = (row: number): boolean => nullCount === 0 || bitOf(nullBitmap, row) === 1;
  const shown = (): unknown[] => Array.from({ length }, (_, row) => (isThere(row) ? valueAt(row) : null));
  return {
    type: `${type}`,
    nullCount,
    values: values === undefined ? null : isByRow ? shown() : [...values],
    offsets: valueOffsets === undefined ? null : [...valueOffsets],
    dictionary: dictionary === undefined ? null : dictionary.toJSON(),
    children: (children ?? []).map((child): unknown => arrayOf(child)),
  };
}

async function arraysOf(db: Database, text: string) {
  const { schema, batches } = await db.query(text).toArrow();
  const fields = schema.fields.map(({ name, type, metadata }) => [name, `${type}`, [...metadata]]);
  return { fields, batches: batches.map(({ data }) => data.children.map((child) => arrayOf(child))) };
}

describe("a statement that shows columns of one source", () => {
  it.each(SEEDS.slice(0, 6))("gives what DuckDB gives, whatever it is ordered by (seed %i)", async (seed) => {
    const random = new Random(seed);
    const db = await randomStore(random);
    for (const source of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) {
      const names = [...SOURCES[source], ...(await propertiesOf(db, source)).map((name) => `props['${name}']`)];
      const pick = (): string => `e.${names[random.below(names.length)]}`;
      for (let i = 0; i < 8; i += 1) {
        const shown = Array.from({ length: 1 + random.below(4) }, (_, c) => `${pick()} AS c${c}`).join(", ");
        const nulls = ["", " NULLS FIRST", " NULLS LAST"][random.below(3)];
        const order = random.below(2) === 0 ? "" : ` ORDER BY c0 ${random.below(2) === 0 ? "DESC" : "ASC"}${nulls}`;
        const own = `SELECT ${shown} FROM ${source}() AS e${order}`;
        const general = `WITH q AS (SELECT ${shown} FROM ${source}() AS e) SELECT * FROM q${order}`;
        const title = `seed ${seed}: ${own}`;
        const [one, other] = [await db.query(own), await db.query(general)];
        expect(one.rows, title).toEqual(other.rows);
        expect(one.columns, title).toEqual(other.columns);
        expect(await arraysOf(db, own), title).toEqual(await arraysOf(db, general));
      }
    }
    await db.close();
  });
});
