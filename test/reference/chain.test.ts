// longest_temporal_chain of the reference engine: worked examples, and random events against trying every chain.

import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { ReferenceStore } from "../../src/reference/index.js";
import { at, type Fields, PAGE, s1, storeOf, WHERE } from "../support/example-stores.js";
import { Random } from "../support/random.js";

function chain(store: ReferenceStore, args: Fields) {
  return store.call("longest_temporal_chain", {
    window: null,
    where: WHERE,
    ties: "strict",
    max_wait: null,
    within: null,
    start: null,
    end: null,
    props: null,
    as_of_tt: "tx:1",
    ...PAGE,
    ...args,
  }).payload as Fields & { rows: Fields[] };
}
const keys = ({ rows }: { rows: Fields[] }) => rows.map(({ key }) => key);

describe("longest_temporal_chain on S1", () => {
  it("goes round once and on", () => {
    const found = chain(s1(), {});
    expect(keys(found)).toEqual(["k1", "k2", "k4", "k5"]);
    expect(found.rows[1]).toEqual({
      step: 2,
      src: "b",
      type: "M",
      dst: "c",
      key: "k2",
      at: at(12),
      seq: 2,
      props: null,
    });
    expect(found).toMatchObject({ length: 4, nodes: 5, distinct_nodes: 3, span: "PT20S", rows_total: 4 });
    expect(found).toMatchObject({ departure: at(10), arrival: at(30), complete: true });
  });

  it("limits the gap between neighbours and the whole, both inclusive", () => {
    expect(keys(chain(s1(), { max_wait: "PT3S" }))).toEqual(["k1", "k2", "k4"]);
    expect(keys(chain(s1(), { max_wait: "PT2.999999S" }))).toEqual(["k1", "k2"]);
    expect(keys(chain(s1(), { within: "PT5S" }))).toEqual(["k1", "k2", "k4"]);
    expect(keys(chain(s1(), { within: "PT4.999999S" }))).toEqual(["k1", "k2"]);
  });

  it("begins and ends where it is told to", () => {
    expect(keys(chain(s1(), { start: "b" }))).toEqual(["k2", "k4", "k5"]);
    expect(keys(chain(s1(), { end: "c" }))).toEqual(["k1", "k2"]);
    expect(keys(chain(s1(), { start: "c", end: "a" }))).toEqual(["k4"]);
    expect(() => chain(s1(), { end: "nobody" })).toThrow(PalimpsestError);
  });

  it("an honest empty answer where no event passes", () => {
    expect(chain(s1(), { where: { ...WHERE, types: ["X"] } })).toEqual({
      length: 0,
      nodes: 0,
      distinct_nodes: 0,
      departure: null,
      arrival: null,
      span: null,
      rows: [],
      rows_total: 0,
      truncated: false,
      cursor: null,
      complete: true,
      incomplete: [],
    });
  });

  it("pages join to the whole, and steps count on", () => {
    const first = chain(s1(), { limit: 3 });
    const rest = chain(s1(), { limit: 3, cursor: first.cursor });
    expect([...first.rows, ...rest.rows].map(({ step }) => step)).toEqual([1, 2, 3, 4]);
    expect(rest).toMatchObject({ length: 4, rows_total: 4, complete: false, incomplete: ["page"] });
  });
});

interface Drawn {
  readonly src: string;
  readonly dst: string;
  readonly second: number;
  readonly seq: number;
}

describe("longest_temporal_chain of random events", () => {
  const SEED = 736;
  it(`equals the best of all chains, seed ${SEED}`, () => {
    const random = new Random(SEED);
    const uids = ["x", "y", "z"];
    for (let round = 0; round < 150; round++) {
      const drawn = Array.from({ length: 10 }, (_, i): Drawn => {
        return { src: random.pick(uids), dst: random.pick(uids), second: random.below(8), seq: i + 1 };
      });
      const columns = { src: drawn.map(({ src }) => src), dst: drawn.map(({ dst }) => dst) };
      const time = drawn.map(({ second }) => at(second));
      const known = uids.map((uid) => ({ op: "assert_node", uid, labels: [], props: {}, valid_from: at(0) }));
      const store = storeOf([[...known, { op: "ingest_events", type: "M", node_labels: [], ...columns, time }]]);
      const [maxWait, within] = [0, 1].map(() => (random.chance(1, 2) ? null : random.below(6)));
      const [start, end] = [0, 1].map(() => (random.chance(1, 2) ? null : random.pick(uids)));
      const isStrict = random.chance(1, 2);

      const ordered = [...drawn].sort((a, b) => a.second - b.second || a.seq - b.seq);
      let best: Drawn[] = [];
      // Chains are tried in event order, so the first of the longest is the least.
      const extend = (before: Drawn[]) => {
        const last = before.at(-1);
        if (last !== undefined && (end === null || last.dst === end) && before.length > best.length) best = before;
        for (const next of ordered.slice(last === undefined ? 0 : ordered.indexOf(last) + 1)) {
          if (last === undefined ? start !== null && next.src !== start : last.dst !== next.src) continue;
          if (last !== undefined && isStrict && next.second === last.second) continue;
          if (last !== undefined && maxWait !== null && next.second - last.second > maxWait!) continue;
          if (within !== null && next.second - (before[0] ?? next).second > within!) continue;
          extend([...before, next]);
        }
      };
      extend([]);

      const seconds = (count: number | null | undefined) => (count == null ? null : `PT${count}S`);
      const found = chain(store, {
        max_wait: seconds(maxWait),
        within: seconds(within),
        start,
        end,
        ties: isStrict ? "strict" : "by_seq",
      });
      expect(
        found.rows.map(({ seq }) => seq),
        `round ${round}`,
      ).toEqual(best.map(({ seq }) => seq));
    }
  });
});
