// Whole lists of some thousand groups, which are put in order by numbers: against the pages, which compare cells.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsOfColumns } from "../../src/columns/rows-of-columns.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { JsonObject } from "../../src/contract/values.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";

const EVENTS = 9_000;
const UIDS = ["a", "b", "ab", "a\u{ff5e}", "a\u{1f600}", "ä", "Z", "b0", "b00"];
const TYPES = ["T", "S", "\u{1f600}", "\u{ff5e}"];

let store: CaseStore;

beforeAll(async () => {
  store = await nativeCaseStore();
  const random = new Random(11);
  const column = <T>(make: (i: number) => T): T[] => Array.from({ length: EVENTS }, (_, i) => make(i));
  const day = (i: number) => String(1 + (i % 28)).padStart(2, "0");
  await store.write(
    [
      {
        op: "ingest_events",
        src: column(() => random.pick(UIDS)),
        dst: column(() => random.pick(UIDS)),
        type: column(() => random.pick(TYPES)),
        time: column((i) => `2020-01-${day(i)}T00:00:00Z`),
        props: column((i) => ({
          w: i % 6_000,
          ...(i % 3 === 0 ? {} : { signed: (i % 7) - 3 }),
          mixed: i % 2 === 0 ? i : `${i}`,
        })),
      },
    ],
    "2021-01-01T00:00:00Z",
  );
});
afterAll(() => store.close());

const SRC = { dim: "node", role: "src" };
const W = { dim: "prop", of: "edge", prop: "w" };
const SIGNED = { dim: "prop", of: "edge", prop: "signed" };
const MIXED = { dim: "prop", of: "edge", prop: "mixed" };
const COUNT = { fn: "count", as: "n" };

const CASES: readonly (readonly [string, JsonObject])[] = [
  ["names", { group_by: [{ dim: "pair", undirected: false }, { dim: "type" }, W] }],
  ["numbers and nulls", { group_by: [SIGNED, W] }],
  ["a count, descending", { group_by: [W, SRC], order_by: [{ column: "n", desc: true }] }],
  [
    "nulls last, descending",
    { group_by: [W, SIGNED], order_by: [{ column: "edge.signed", desc: true, nulls: "last" }] },
  ],
  [
    "instants",
    { group_by: [{ dim: "trunc", unit: "week", zone: "UTC" }, W], order_by: [{ column: "week_from", desc: true }] },
  ],
  ["values of several classes", { group_by: [MIXED] }],
  ["a mean", { group_by: [W], aggregates: [{ fn: "mean", prop: "signed", as: "n" }], order_by: [{ column: "n" }] }],
  ["groups of a condition", { group_by: [W, SRC], having: [{ column: "n", op: "ge", value: 1 }] }],
] as unknown as (readonly [string, JsonObject])[];

describe("many groups", () => {
  it.each(CASES)("stand as their pages do, by %s", async (_, args) => {
    const asked = { aggregates: [COUNT], ...args };
    const paged: JsonObject[] = [];
    let pinned: Awaited<ReturnType<typeof callOperator>> | undefined;
    for (let cursor: string | null = null; pinned === undefined || cursor !== null; ) {
      pinned = await callOperator(store.engine, "aggregate_events", { ...asked, limit: 3_000, cursor });
      paged.push(...pinned.rows!);
      cursor = pinned.cursor;
    }
    expect(paged.length).toBeGreaterThan(4_096);
    const engine = store.engine.pin(1);
    const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.MAX_SAFE_INTEGER };
    const context = { tx: 1, otherTx: 1, list: null, ordinal: 0, limit: 1_000_000, ...limits };
    const { table } = await engine.aggregateColumns!(pinned.args, context);
    const { lists } = await engine.run("aggregate_events", pinned.args, context);
    engine.release();
    expect(canonicalJson(rowsOfColumns(table, 0, table.rowCount)) === canonicalJson(paged)).toBe(true);
    expect(canonicalJson(lists[0]!.rows) === canonicalJson(paged)).toBe(true);
  });
});
