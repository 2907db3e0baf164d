// Whole lists of some thousand rows, which are put in order by the digits of ranks: against a plain sort of what was written.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ColumnTable } from "../../src/columns/column.js";
import { columnsOfRows } from "../../src/columns/columns-of-rows.js";
import { rowBytes } from "../../src/columns/row-bytes.js";
import { rowsOfColumns } from "../../src/columns/rows-of-columns.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { compareCodePoints } from "../../src/contract/code-points.js";
import type { JsonObject } from "../../src/contract/values.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";

const EVENTS = 9_000;
const UIDS = ["a", "b", "ab", "a\u{ff5e}", "a\u{1f600}", "", "ä", "Z", "b0", "b00"].map((uid) => `n${uid}`);
const TYPES = ["T", "S", "\u{1f600}", "\u{ff5e}"];

interface Written {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly at: string;
  /** Null: the store chooses. */
  readonly given: string | null;
  readonly w: number;
  readonly tx: number;
}
type Row = Record<string, string | number>;

let store: CaseStore;
const written: Written[] = [];

beforeAll(async () => {
  store = await nativeCaseStore();
  const random = new Random(7);
  for (let tx = 1; tx <= 3; tx += 1) {
    const events = Array.from({ length: EVENTS / 3 }, (_, i) => {
      const w = written.length + i;
      const given = random.pick([`#${10 * EVENTS + w}`, `k${w}`, null, null, null]);
      const at = `2020-01-0${1 + random.below(9)}T00:00:00Z`;
      return { src: random.pick(UIDS), dst: random.pick(UIDS), type: random.pick(TYPES), at, given, w, tx };
    });
    written.push(...events);
    const column = (name: keyof Written) => events.map((event) => event[name]);
    const [src, dst, type] = [column("src"), column("dst"), column("type")];
    const props = events.map(({ w }) => ({ w }));
    const columns = { src, dst, type, time: column("at"), key: column("given"), props };
    await store.write([{ op: "ingest_events", ...columns }], `2021-01-0${tx}T00:00:00Z`);
  }
});
afterAll(() => store.close());

const COLUMNS = ["src", "type", "dst", "key", "valid_from", "seq", "tx", "props.w"];
const IDENTITY = ["src", "type", "dst", "key", "valid_from"];

function compareBy(columns: readonly string[]) {
  return (a: Row, b: Row): number => {
    for (const column of columns) {
      const [x, y] = [a[column]!, b[column]!];
      const side = typeof x === "number" ? x - (y as number) : compareCodePoints(x, y as string);
      if (side !== 0) return side;
    }
    return 0;
  };
}

/** The rows of a table, each of them what was written, and each one once. */
function rowsWritten(table: ColumnTable): Row[] {
  const rows = rowsOfColumns(table, 0, table.rowCount) as Row[];
  expect(new Set(rows.map((row) => row["props.w"])).size).toBe(rows.length);
  for (const row of rows) {
    const { src, dst, type, at, given, tx, w } = written[row["props.w"] as number]!;
    const expected = { src, type, dst, key: given ?? `#${row.seq}`, valid_from: at, seq: row.seq, tx, "props.w": w };
    if (canonicalJson(row) !== canonicalJson(expected)) expect(row).toEqual(expected);
  }
  return rows;
}

const places = (rows: readonly Row[]) => rows.map((row) => row["props.w"]);

async function columnsOf(args: JsonObject): Promise<ColumnTable> {
  const { args: resolved, pin } = await callOperator(store.engine, "scan", {
    ...args,
    columns: [...COLUMNS],
    limit: 1,
  });
  const pinned = store.engine.pin(pin.tx);
  const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.MAX_SAFE_INTEGER };
  const context = { tx: pin.tx, otherTx: pin.tx, list: null, ordinal: 0, limit: 1_000_000, ...limits };
  const table = await pinned.scanColumns!(resolved, context);
  pinned.release();
  return table;
}

describe("long lists by columns", () => {
  it("have edges in the order of their identities", async () => {
    const rows = rowsWritten(await columnsOf({ of: "edges" }));
    expect(rows.length).toBe(EVENTS);
    expect(places(rows)).toEqual(places(rows.toSorted(compareBy(IDENTITY))));
  });

  it("have versions in the order of commits, then of identities", async () => {
    const rows = rowsWritten(await columnsOf({ of: "versions", kind: "edge" }));
    expect(rows.length).toBe(EVENTS);
    expect(places(rows)).toEqual(places(rows.toSorted(compareBy(["tx", ...IDENTITY]))));
  });

  it("are the list that pages give together", async () => {
    const whole = rowsWritten(await columnsOf({ of: "edges", names: ["T", "S"] }));
    const paged: Row[] = [];
    for (let cursor: string | null = null; ; ) {
      const args = { of: "edges", names: ["T", "S"], columns: COLUMNS, limit: 1000, cursor };
      const page: Awaited<ReturnType<typeof callOperator>> = await callOperator(store.engine, "scan", args);
      paged.push(...(page.rows as Row[]));
      cursor = page.cursor;
      if (cursor === null) break;
    }
    expect(places(whole)).toEqual(places(paged));
  });

  it("print in pieces as whole, and rows make the same columns", async () => {
    const table = await columnsOf({ of: "edges" });
    let text = "";
    for (const piece of rowBytes(table)) text += Buffer.from(piece).toString("utf8");
    const rows = rowsOfColumns(table, 0, table.rowCount);
    expect(text === JSON.stringify(rows.map((row) => Object.fromEntries(Object.entries(row).sort())))).toBe(true);
    const types = table.columns.map(({ name, column: { type } }) => ({ name, type }));
    const made = await columnsOfRows(rows, types);
    let again = "";
    for (const piece of rowBytes(made)) again += Buffer.from(piece).toString("utf8");
    expect(again === text).toBe(true);
  });
});
