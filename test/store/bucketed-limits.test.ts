// Operators over buckets at their limits: very many buckets, page by page; cancellation, deadlines and ceilings, also
// while an open window is resolved.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open } from "../../src/database.js";
import { messages } from "../support/small-batches.js";

/** One each microsecond from 1970 on. */
const EVENTS = 120_000;
const METRICS = [
  ...(["edge_event_count", "edge_end_count", "active_edge_count", "active_node_count"] as const),
  ...(["distinct_pair_count", "new_pair_count", "reciprocity", "mean_out_degree"] as const),
];
const NOTHING = { types: ["nowhere"] };
const [FROM, TO] = ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.100000Z"];

let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  await db.ingest(messages(EVENTS), { type: "M" });
});
afterAll(() => db.close());

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return error instanceof PalimpsestError ? [error.code, error.details.at ?? error.details.reason] : error;
}

describe("very many buckets", () => {
  const buckets = { window: { from: FROM, to: TO }, stride: "PT0.000001S" };

  it("page to the whole, and their counts add up", async () => {
    let [cursor, sum, rows, end] = [null as string | null, 0, 0, FROM as unknown];
    for (let page = 0; page === 0 || cursor !== null; page += 1) {
      const args = { metric: "edge_event_count", ...buckets, limit: 10_000, cursor } as const;
      const envelope = await db.call("graph_metric_timeseries", args);
      expect(envelope.rows![0]!.from).toBe(end);
      for (const row of envelope.rows!) sum += row.value as number;
      rows += envelope.rows!.length;
      end = envelope.rows!.at(-1)!.to;
      cursor = envelope.cursor as string | null;
    }
    expect([rows, end, sum]).toEqual([100_000, TO, 100_000]);
  });

  it("are shown from any metric on", async () => {
    const args = { metric: METRICS, ...buckets };
    const first = await db.call("graph_metric_timeseries", { ...args, limit: 3 });
    expect([first.rows_total, first.rows!.length]).toEqual([800_000, 3]);
    const later = await db.call("graph_metric_timeseries", { ...args, limit: 6, cursor: first.cursor as string });
    expect(later.rows!.map(({ metric }) => metric)).toEqual([...METRICS.slice(3), METRICS[0]]);
    expect(new Set(later.rows!.map(({ from }) => from)).size).toBe(2);
  });

  it("are all judged", async () => {
    const bursts = await db.call("burst_detection", { ...buckets, w: 1000, min_history: 1 });
    expect([bursts.n_buckets, bursts.judged, bursts.not_judged]).toEqual([100_000, 99_999, 1]);
  });

  it("are refused beyond 100,000, given or resolved", async () => {
    const more = { from: FROM, to: "1970-01-01T00:00:00.100001Z" };
    for (const window of [more, null]) {
      expect(await codeOf(db.call("burst_detection", { ...buckets, window }))).toEqual(["E_LIMIT", undefined]);
    }
  });
});

describe("a call that gives up", () => {
  const CALLS = [
    ["graph_metric_timeseries", { metric: "distinct_pair_count", stride: "P1D" }],
    ["graph_metric_timeseries", { metric: "edge_event_count", stride: "P1D", where: NOTHING }],
    ["burst_detection", { stride: "P1D", where: NOTHING }],
    ["neighborhood_evolution", { uid: "p1", t1: "1960-01-01", t2: "2030-01-01", stride: "PT24H" }],
  ] as const;

  it.each(CALLS)("%s %j by its signal or deadline is E_CANCELLED", async (op, args) => {
    const call = (options: object) => codeOf(db.call(op as string, args, options));
    expect(await call({ signal: AbortSignal.abort() })).toEqual(["E_CANCELLED", "signal"]);
    expect(await call({ deadlineMs: 0 })).toEqual(["E_CANCELLED", "deadline"]);
  });

  it("past its ceiling of steps while it resolves its window is E_COST at run", async () => {
    const args = { stride: "P1D", where: NOTHING };
    expect(await codeOf(db.call("burst_detection", args, { ceilings: { steps: 5_000 } }))).toEqual(["E_COST", "run"]);
    const answer = await db.call("burst_detection", args);
    expect([answer.rows, answer.n_buckets, answer.args.window]).toEqual([[], 0, null]);
  });
});

describe("numbers at the ends of their range", () => {
  // Ten empty buckets, twelve of 10,000 events, eight empty ones.
  const window = { from: "1969-12-31T23:59:59.9Z", to: "1970-01-01T00:00:00.2Z" };
  it.each([
    ["the greatest change", { min_change: Number.MAX_SAFE_INTEGER }, []],
    ["the greatest z", { z: 1e308 }, [null, null]],
    ["nearly no ratio", { method: "ratio", r: 1.0000000001, min_history: 1, w: 1 }, [null, 0]],
    ["nearly no z", { z: 5e-324, w: 2, min_history: 2 }, [null, 1, null, -1]],
  ] as const)("%s", async (_, more, scores) => {
    const answer = await db.call("burst_detection" as string, { window, stride: "PT0.01S", sides: "both", ...more });
    expect(answer.rows!.map(({ score }) => score)).toEqual(scores);
  });

  it("looks back beyond the beginning of time", async () => {
    const args = { uid: "p1", t1: "-9999-01-01", t2: "9999-12-31T23:59:59.999999Z" };
    const whole = await db.call("neighborhood_evolution", { ...args, lookback: "P50000000D" });
    // p1 writes to p3, and p7 to p1.
    expect(whole.totals).toEqual({ gained: 2, lost: 0, kept: 0 });
    const longer = { ...args, lookback: "P60000000D" };
    expect(await codeOf(db.call("neighborhood_evolution", longer))).toEqual(["E_INVALID_ARG", undefined]);
  });
});
