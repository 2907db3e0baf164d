// aggregate_events where random stores do not lead: zones with summer time, many parts at once, bounds, refusals.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { zoneOf } from "../../src/calendar/zones.js";
import { formatInstant } from "../../src/contract/instant.js";
import { type Database, open } from "../../src/index.js";
import { calendarPart, periodBegins } from "../../src/reference/local-calendar.js";
import { Random } from "../support/random.js";

const DAY_US = 86_400_000_000n;

async function storeOf(at: readonly bigint[], nodes = 5): Promise<Database> {
  const db = await open(":memory:");
  const name = (i: number) => `n${i % nodes}`;
  await db.write([
    {
      op: "ingest_events",
      src: at.map((_, i) => name(i * 7)),
      dst: at.map((_, i) => name(i * 3 + 1)),
      type: at.map((_, i) => (i % 3 === 0 ? "A" : "B")),
      time: at.map((us) => formatInstant(us)),
      props: at.map((_, i) => ({ w: i % 2 === 0 ? i : i / 4 })),
    },
  ]);
  return db;
}

describe("calendar periods of zones with rules", () => {
  const zones = ["Europe/London", "America/St_Johns", "Pacific/Apia", "America/Sao_Paulo", "Australia/Lord_Howe"];
  const random = new Random(7);
  /** Mostly next to transitions, where local time is torn. */
  const instants = zones.flatMap((zone) => {
    const near = zoneOf(zone, "/zone")
      .offsets()
      .map(({ fromUs }) => fromUs)
      .filter((us) => us > 0n && us < 66n * 365n * DAY_US);
    return Array.from({ length: 25 }, () => random.pick(near) + BigInt(random.below(200_000) - 100_000) * 1_000_000n);
  });
  let db: Database;
  beforeAll(async () => {
    db = await storeOf(instants);
  });
  afterAll(() => db.close());

  const distinct = [...new Set(instants)].sort((a, b) => (a < b ? -1 : 1));
  const rowsBy = async (dim: object) =>
    (
      await db.call("aggregate_events", {
        group_by: [dim as never],
        aggregates: [{ fn: "min", of: "at" }, { fn: "max", of: "at" }, { fn: "count" }],
        limit: 10_000,
      })
    ).rows as unknown as Record<string, string | number>[];

  it.each(zones)(
    "begin and are called in %s as the reference engine says, whose rules come from Node.js",
    async (zone) => {
      for (const unit of ["year", "quarter", "month", "week", "day", "hour", "minute"]) {
        const begins = new Set(distinct.map((us) => formatInstant(periodBegins(us, unit, zone))));
        const rows = await rowsBy({ dim: "trunc", unit, zone });
        expect(
          rows.map((row) => row[`${unit}_from`]),
          unit,
        ).toEqual([...begins].sort());
      }
      for (const unit of ["year", "quarter", "month", "week", "date", "day_of_week", "hour_of_day"]) {
        const counts = new Map<string | number, number>();
        for (const us of instants) {
          const part = calendarPart(us, unit, zone);
          counts.set(part, (counts.get(part) ?? 0) + 1);
        }
        const rows = await rowsBy({ dim: "calendar", unit, zone });
        expect(new Map(rows.map((row) => [row[unit]!, row.count as number])), unit).toEqual(counts);
      }
    },
  );
});

describe("many events", () => {
  const COUNT = 450_000;
  const START_US = 1_600_000_000_000_000n;
  let db: Database;
  beforeAll(async () => {
    db = await open(":memory:");
    const nodes = Array.from({ length: 1000 }, (_, i) => `n${i}`);
    const codes = (step: number) => Uint32Array.from({ length: COUNT }, (_, i) => (i * step) % 1000);
    await db.ingest({
      type: { values: ["T"], codes: new Uint32Array(COUNT) },
      src: { values: nodes, codes: codes(7) },
      dst: { values: nodes, codes: codes(13) },
      time: BigInt64Array.from({ length: COUNT }, (_, i) => START_US + BigInt(i) * 1_000_000n),
    });
  });
  afterAll(() => db.close());

  const aggregates = [
    { fn: "count" },
    { fn: "count_distinct", of: "dst" },
    { fn: "median", of: "at" },
    { fn: "max_in_span", of: "distinct_dst", span: "PT10M" },
    { fn: "longest_session", gap: "PT1S" },
  ] as const;

  it("are the same in parts swept at once and one bucket at a time", async () => {
    const stride = "PT7H";
    const whole = await db.call("aggregate_events", { group_by: [{ dim: "bucket", stride }], aggregates, limit: 100 });
    expect(whole.rows_total).toBe(18);
    expect(whole.events).toBe(COUNT);
    for (const row of whole.rows as unknown as { from: string; to: string }[]) {
      const { from, to, ...measures } = row;
      const alone = await db.call("aggregate_events", { aggregates, window: { from, to } });
      expect(alone.rows).toEqual([measures]);
    }
  });

  it("end with E_CANCELLED, E_COST and E_LIMIT, and never with a part of the answer", async () => {
    const args = {
      group_by: [
        { dim: "bucket", stride: "PT1H" },
        { dim: "node", role: "either" },
      ],
      aggregates,
    } as const;
    await expect(db.call("aggregate_events", args, { deadlineMs: 0 })).rejects.toMatchObject({ code: "E_CANCELLED" });
    const abort = new AbortController();
    const running = db.call("aggregate_events", args, { signal: abort.signal });
    setImmediate(() => abort.abort());
    await expect(running).rejects.toMatchObject({ code: "E_CANCELLED" });
    await expect(db.call("aggregate_events", args, { ceilings: { steps: 1000 } })).rejects.toMatchObject({
      code: "E_COST",
    });
  });

  it("may fall into no more than a million groups", { timeout: 30_000 }, async () => {
    const many = await open(":memory:");
    try {
      const count = 1_000_001;
      const edge = Uint32Array.from({ length: count }, (_, i) => i % 1001);
      await many.ingest({
        type: { values: ["T"], codes: new Uint32Array(count) },
        src: { values: Array.from({ length: 1001 }, (_, i) => `n${i}`), codes: edge },
        dst: {
          values: Array.from({ length: 1001 }, (_, i) => `n${i}`),
          codes: edge.map((_, i) => Math.floor(i / 1001)),
        },
        time: BigInt64Array.from({ length: count }, (_, i) => START_US + BigInt(i)),
      });
      const args = { group_by: [{ dim: "pair" }], aggregates: [{ fn: "count" }], limit: 2 } as const;
      await expect(many.call("aggregate_events", args)).rejects.toMatchObject({ code: "E_LIMIT" });
      const window = { from: null, to: formatInstant(START_US + 1_000_000n) };
      const order_by = [{ column: "src", desc: true }];
      const page = await many.call("aggregate_events", { ...args, window, order_by });
      expect(page.rows_total).toBe(1_000_000);
      expect(page.rows).toEqual([
        { src: "n999", dst: "n0", count: 1 },
        { src: "n999", dst: "n1", count: 1 },
      ]);
    } finally {
      await many.close();
    }
  });
});

describe("statistics", () => {
  it("are exact until one last rounding, and refuse what leaves their range", async () => {
    const db = await open(":memory:");
    try {
      const big = 9_223_372_036_854_775_807n;
      await db.write([
        {
          op: "ingest_events",
          type: ["int", "int", "double", "double", "double", "huge", "huge"],
          src: ["a", "a", "a", "a", "a", "a", "a"],
          dst: ["b", "b", "b", "b", "b", "b", "b"],
          time: Array.from({ length: 7 }, (_, i) => `2020-01-01T00:00:0${i}Z`),
          props: [{ v: big }, { v: -big }, { v: 1e300 }, { v: 0.1 }, { v: -1e300 }, { v: 1.7e308 }, { v: 1.7e308 }],
        },
      ]);
      const ask = (fn: "sum" | "mean" | "median" | "stddev", types: string[]) =>
        db.call("aggregate_events", { aggregates: [{ fn, prop: "v" }], where: { types } });
      const value = async (fn: "sum" | "mean" | "median" | "stddev", types: string[]) =>
        Object.values((await ask(fn, types)).rows![0]!)[0];
      expect(await value("sum", ["int"])).toBe(0);
      expect(await value("mean", ["int"])).toBe(0);
      expect(await value("sum", ["double"])).toBe(0.1);
      expect(await value("mean", ["double"])).toBe(0.033333333);
      expect(await value("median", ["double"])).toBe(0.1);
      expect(await value("stddev", ["huge"])).toBe(0);
      for (const fn of ["sum", "mean", "median"] as const) {
        await expect(ask(fn, ["huge"])).rejects.toMatchObject({ code: "E_LIMIT" });
      }
    } finally {
      await db.close();
    }
  });
});
