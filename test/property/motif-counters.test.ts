// The window counters of motifs against enumeration, on lists long enough for long windows, for several tasks and for
// counts beyond 32 bits. A filter that lets everything pass makes the engine enumerate what it would else count.
import { describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { GRID_CODES } from "../../src/operators/motif-codes.js";
import { Random } from "../support/random.js";

type Fields = Record<string, unknown>;
interface Events {
  readonly src: string[];
  readonly dst: string[];
  readonly seconds: number[];
}

async function withEvents(events: Events, ask: (db: Database) => Promise<void>): Promise<void> {
  const db = await open(":memory:");
  try {
    const { src, dst, seconds } = events;
    const time = BigInt64Array.from(seconds, (second) => BigInt(second) * 1_000_000n);
    await db.ingest({ src, dst, type: src.map(() => "E"), time }, { nodeLabels: ["P"] });
    await ask(db);
  } finally {
    await db.close();
  }
}

/** Events among few nodes, the first of which takes part in most. */
function drawn(random: Random, count: number, nodes: number, nextSecond: (second: number) => number): Events {
  const node = () => `n${random.chance(1, 3) ? 0 : random.below(nodes)}`;
  const events: Events = { src: [], dst: [], seconds: [] };
  for (let i = 0, second = 1; i < count; i += 1, second = nextSecond(second)) {
    events.src.push(node());
    events.dst.push(node());
    events.seconds.push(second);
  }
  return events;
}

const counted = async (db: Database, args: Fields): Promise<Map<string, number>> => {
  const { rows } = await db.call("count_temporal_motifs" as string, args);
  return new Map((rows as unknown as { motif: string; count: number }[]).map(({ motif, count }) => [motif, count]));
};

/** The count of one code by enumeration. */
async function enumerated(db: Database, code: string, args: Fields): Promise<number> {
  const edges = code.split(",").map((edge) => ({ src: edge[0], dst: edge[2], types: ["E", "F"] }));
  return [...(await counted(db, { ...args, motif: { edges } })).values()][0]!;
}

describe("window counters", () => {
  it.each(["by_seq", "strict"])("count each of the 36 and of two edges as enumeration does, ties %s", async (ties) => {
    const seed = 71;
    const random = new Random(seed);
    const events = drawn(random, 400, 7, (second) => second + (random.chance(2, 3) ? 0 : random.below(4)));
    await withEvents(events, async (db) => {
      for (const delta of ["PT0S", "PT9S", "PT40S", "PT1H"]) {
        const all = await counted(db, { motif: "all", delta, ties });
        for (const code of GRID_CODES) {
          // Over the whole hour the instances are millions: some of them must do.
          if (delta === "PT1H" && !random.chance(1, 6)) continue;
          const expected = await enumerated(db, code, { delta, ties });
          expect(all.get(code), `seed ${seed}, ${delta} ${code}`).toBe(expected);
          const single = await counted(db, { motif: code, delta, ties });
          expect(single.get(code), `seed ${seed}, ${delta} ${code} alone`).toBe(expected);
        }
        // No instance is strict without a span.
        if (ties === "by_seq" || delta !== "PT0S") expect(Math.max(...all.values())).toBeGreaterThan(0);
        for (const code of ["a>b,a>b", "a>b,b>a", "a>b,a>c", "a>b,b>c", "a>b,c>a", "a>b,c>b", "a>b"]) {
          const fast = await counted(db, { motif: code, delta, ties });
          expect(fast.get(code), `seed ${seed}, ${delta} ${code}`).toBe(await enumerated(db, code, { delta, ties }));
        }
      }
    });
  });

  it("count the same however the list is cut into tasks", async () => {
    const random = new Random(72);
    const events = drawn(random, 60_000, 40, (second) => second + 1 + random.below(20));
    // One tie among strangers: it is in no instance, but makes `allow` enumerate.
    const last = events.seconds.at(-1)! + 1_000_000;
    events.src.push("w", "y");
    events.dst.push("x", "z");
    events.seconds.push(last, last);
    await withEvents(events, async (db) => {
      for (const delta of ["PT1M", "PT8M"]) {
        const [bySeq, strict, allow] = [
          await counted(db, { motif: "all", delta }),
          await counted(db, { motif: "all", delta, ties: "strict" }),
          await counted(db, { motif: "all", delta, ties: "allow" }),
        ];
        expect(Math.min(...bySeq.values())).toBeGreaterThan(0);
        expect(bySeq).toEqual(allow);
        expect(strict).toEqual(allow);
      }
    });
  });

  it("keep what they made for later calls, at each commit its own", async () => {
    const events = drawn(new Random(73), 25_000, 50, (second) => second + 1);
    await withEvents(events, async (db) => {
      const ask = (as_of_tt: string | null) => counted(db, { motif: "all", delta: "PT1M", as_of_tt });
      const [first, ...others] = await Promise.all([ask(null), ask("tx:1"), ask(null), ask("tx:1")]);
      for (const other of others) expect(other).toEqual(first);
      const edge = { op: "assert_edge" as const, type: "E", key: "late", valid_from: "1970-01-01T00:10:00.5Z" };
      await db.write([{ ...edge, src: "n1", dst: "n2" }]);
      const later = await ask(null);
      expect(later.get("a>b,a>b,a>b")).toBeGreaterThanOrEqual(first!.get("a>b,a>b,a>b")!);
      expect(later).not.toEqual(first);
      expect(await ask("tx:1")).toEqual(first);
      await db.write([{ op: "assert_node", uid: "n1", labels: ["Q"], valid_from: "1970-01-01T00:00:00Z" }]);
      expect(await ask(null)).toEqual(later);
      expect(await ask("tx:2")).toEqual(later);
    });
  });

  it("count beyond 32 bits", async () => {
    const n = 6_000;
    const events = {
      src: Array(n).fill("a"),
      dst: Array(n).fill("b"),
      seconds: Array.from({ length: n }, (_, i) => i),
    };
    await withEvents(events, async (db) => {
      const all = await counted(db, { motif: "all", delta: "P1D" });
      expect(all.get("a>b,a>b,a>b")).toBe((n * (n - 1) * (n - 2)) / 6);
      expect([...all.values()].filter((count) => count > 0)).toHaveLength(1);
      const found = await db.call("find_temporal_motifs", { motif: "M61", delta: "P1D", limit: 1 });
      expect(found.rows_total).toBe((n * (n - 1) * (n - 2)) / 6);
    });
  });
});
