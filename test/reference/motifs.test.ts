// count_temporal_motifs and find_temporal_motifs of the reference engine: worked examples, and all
// three-edge instances of random stores named one by one, without a table of motifs.

import { describe, expect, it } from "vitest";
import type { ReferenceStore } from "../../src/reference/index.js";
import { at, type Fields, PAGE, s1, storeOf, WHERE } from "../support/example-stores.js";
import { Random } from "../support/random.js";

function argsOf(args: Fields): Fields {
  return { window: null, ties: "by_seq", where: WHERE, as_of_tt: "tx:1", ...PAGE, ...args };
}
function count(store: ReferenceStore, args: Fields) {
  return store.call("count_temporal_motifs", argsOf(args)).payload as Fields & { rows: Fields[] };
}
function find(store: ReferenceStore, args: Fields) {
  return store.call("find_temporal_motifs", argsOf({ props: null, ...args })).payload as Fields & { rows: Fields[] };
}
const M24 = "a>b,b>c,c>a";

describe("motifs on S1", () => {
  const some = ({ rows }: { rows: Fields[] }) =>
    Object.fromEntries(rows.filter((row) => row.count !== 0).map((row) => [row.grid, row.count]));

  it("all 36 under each order of ties", () => {
    const all = count(s1(), { motif: "all", delta: "PT5S" });
    expect(all).toMatchObject({ events: 5, count: 4, rows_total: 36, complete: true });
    expect(some(all)).toEqual({ M22: 1, M24: 1, M45: 1, M54: 1 });
    const strict = count(s1(), { motif: "all", delta: "PT5S", ties: "strict" });
    expect(strict.count).toBe(2);
    expect(some(strict)).toEqual({ M24: 1, M54: 1 });
    const allowed = count(s1(), { motif: "all", delta: "PT5S", ties: "allow" });
    expect(allowed.count).toBe(6);
    expect(some(allowed)).toEqual({ M22: 1, M24: 1, M45: 1, M54: 1, M46: 1, M55: 1 });
  });

  it("shows code, grid cell and paper name", () => {
    const row = { motif: M24, grid: "M24", name: "M_triangle_cyclic", count: 1 };
    expect(count(s1(), { motif: M24, delta: "PT5S" }).rows).toEqual([row]);
    const pair = count(s1(), { motif: "a>b,b>a", delta: "PT2S" });
    expect(pair.rows).toEqual([{ motif: "a>b,b>a", grid: null, name: null, count: 1 }]);
  });

  it("the instance itself; delta is inclusive", () => {
    const edge = (key: string, src: string, dst: string, seconds: number, seq: number) => ({
      src,
      type: "M",
      dst,
      key,
      at: at(seconds),
      seq,
      props: null,
    });
    expect(find(s1(), { motif: M24, delta: "PT5S" })).toEqual({
      rows: [
        {
          motif: M24,
          grid: "M24",
          nodes: { a: "a", b: "b", c: "c" },
          edges: [edge("k1", "a", "b", 10, 1), edge("k2", "b", "c", 12, 2), edge("k4", "c", "a", 15, 4)],
          span: "PT5S",
        },
      ],
      rows_total: 1,
      truncated: false,
      cursor: null,
      complete: true,
      incomplete: [],
    });
    expect(find(s1(), { motif: M24, delta: "PT4.999999S" }).rows).toEqual([]);
  });

  it("pages of instances join to the whole, in the order of their events", () => {
    const whole = find(s1(), { motif: "all", delta: "PT5S", ties: "allow" }).rows;
    const seqs = whole.map((row) => (row.edges as { seq: number }[]).map(({ seq }) => seq));
    expect(seqs).toEqual([
      [1, 2, 3],
      [1, 2, 4],
      [1, 3, 2],
      [1, 3, 4],
      [2, 3, 4],
      [3, 2, 4],
    ]);
    const first = find(s1(), { motif: "all", delta: "PT5S", ties: "allow", limit: 4 });
    const rest = find(s1(), { motif: "all", delta: "PT5S", ties: "allow", limit: 4, cursor: first.cursor });
    expect([...first.rows, ...rest.rows]).toEqual(whole);
  });

  it("a pattern with filters of its own on edges and nodes", () => {
    const node = (uids: string[]) => ({ uids, labels: [], any_labels: null, props: [] });
    const edge = (src: string, dst: string) => ({ src, dst, types: null, edge: [] });
    const edges = [edge("a", "b"), edge("b", "c")];
    const pattern = (nodes: Fields) => find(s1(), { motif: { edges, nodes }, delta: "PT1H" }).rows.length;
    expect(pattern({})).toBe(3); // k1 k2, k2 k4, k4 k5 walk on; k1 k3 returns to its beginning
    expect(pattern({ a: node(["c"]) })).toBe(1);
    expect(pattern({ b: node(["c", "b"]) })).toBe(2);
    const typed = [edges[0], { ...edge("b", "c"), types: ["X"] }];
    expect(count(s1(), { motif: { edges: typed, nodes: {} }, delta: "PT1H" }).count).toBe(0);
  });
});

interface Drawn {
  readonly src: string;
  readonly dst: string;
  readonly second: number;
  readonly seq: number;
}

/** The code of some events: nodes are lettered as they come. */
function codeOf(events: readonly Drawn[]): string {
  const letters = new Map<string, string>();
  const letter = (uid: string) => {
    if (!letters.has(uid)) letters.set(uid, "abcdef"[letters.size]!);
    return letters.get(uid)!;
  };
  return events.map(({ src, dst }) => `${letter(src)}>${letter(dst)}`).join(",");
}

describe("motifs of random events", () => {
  const SEED = 5_170;
  it(`counts what naming every three events one by one counts, seed ${SEED}`, () => {
    const random = new Random(SEED);
    for (let round = 0; round < 12; round++) {
      const drawn = Array.from({ length: 12 }, (_, i): Drawn => {
        const [src, dst] = [random.pick(["x", "y", "z", "q"]), random.pick(["x", "y", "z", "q"])];
        return { src, dst, second: random.below(6), seq: i + 1 };
      });
      const store = storeOf([
        [
          {
            op: "ingest_events",
            type: "M",
            node_labels: [],
            src: drawn.map(({ src }) => src),
            dst: drawn.map(({ dst }) => dst),
            time: drawn.map(({ second }) => at(second)),
          },
        ],
      ]);
      const deltaSeconds = random.below(5);
      const isOrdered = {
        by_seq: (a: Drawn, b: Drawn) => a.second < b.second || (a.second === b.second && a.seq < b.seq),
        strict: (a: Drawn, b: Drawn) => a.second < b.second,
        allow: (a: Drawn, b: Drawn) => a.second <= b.second,
      };
      for (const ties of ["by_seq", "strict", "allow"] as const) {
        const isBefore = isOrdered[ties];
        const counts = new Map<string, number>();
        for (const a of drawn) {
          for (const b of drawn) {
            for (const c of drawn) {
              if (a === b || b === c || a === c || !isBefore(a, b) || !isBefore(b, c)) continue;
              if (c.second - a.second > deltaSeconds) continue;
              const code = codeOf([a, b, c]);
              counts.set(code, (counts.get(code) ?? 0) + 1);
            }
          }
        }
        const asked = { motif: "all", delta: deltaSeconds === 0 ? "PT0S" : `PT${deltaSeconds}S`, ties };
        const { rows, count: total, events } = count(store, asked);
        expect(events).toBe(12);
        for (const { motif, count: found } of rows) {
          expect(found, `round ${round} ${ties} ${motif}`).toBe(counts.get(motif as string) ?? 0);
        }
        const instances = find(store, { ...asked, limit: 10_000 });
        expect(instances.rows_total).toBe(total);
        for (const { motif, edges } of instances.rows) {
          const named = (edges as { seq: number }[]).map(({ seq }) => drawn[seq - 1]!);
          expect(codeOf(named)).toBe(motif);
        }
      }
    }
  });
});
