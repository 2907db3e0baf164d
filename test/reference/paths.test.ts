// temporal_paths of the reference engine: worked examples, and times of paths against trying every microsecond.

import { describe, expect, it } from "vitest";
import type { ReferenceStore } from "../../src/reference/index.js";
import { setOf } from "../../src/reference/interval-set.js";
import {
  bestTrip,
  type Criterion,
  compareOrders,
  orderOf,
  stepDepartures,
  type Trip,
  type WaitRules,
} from "../../src/reference/path-times.js";
import type { Crossing } from "../../src/reference/walk-steps.js";
import { at, type Fields, PAGE, s1, s2, WHERE } from "../support/example-stores.js";
import { Random } from "../support/random.js";

function paths(store: ReferenceStore, tx: number, args: Fields): Fields {
  return store.call("temporal_paths", {
    src: "a",
    dst: "c",
    criterion: "foremost",
    k: 5,
    min_hops: 1,
    max_hops: 6,
    src_filter: null,
    dst_filter: null,
    window: null,
    orientation: "out",
    arrival: "instant",
    ties: "allow",
    max_wait: null,
    where: WHERE,
    props: null,
    as_of_tt: `tx:${tx}`,
    ...PAGE,
    ...args,
  }).payload;
}

describe("temporal_paths on S1", () => {
  it("finds the one path from a to c", () => {
    const edge = (key: string, from: string, to: string, seconds: number, seq: number) => ({
      src: from,
      type: "M",
      dst: to,
      key,
      valid_from: at(seconds),
      valid_to: at(seconds).replace("Z", ".000001Z"),
      seq,
      from,
      to,
      departs: at(seconds),
      arrives: at(seconds),
      props: null,
    });
    expect(paths(s1(), 1, {})).toEqual({
      rows: [
        {
          departure: at(10),
          arrival: at(12),
          duration: "PT2S",
          hops: 2,
          nodes: ["a", "b", "c"],
          edges: [edge("k1", "a", "b", 10, 1), edge("k2", "b", "c", 12, 2)],
        },
      ],
      rows_total: 1,
      truncated: false,
      cursor: null,
      complete: true,
      incomplete: [],
      more_paths: false,
    });
  });

  it("an honest empty answer where a path needs three steps, or another label at its end", () => {
    const labelled = { uids: null, labels: ["Q"], any_labels: null, props: [] };
    expect(paths(s1(), 1, { min_hops: 3 }).rows).toEqual([]);
    expect(paths(s1(), 1, { dst_filter: labelled }).rows).toEqual([]);
    expect(paths(s1(), 1, { src_filter: labelled }).rows).toEqual([]);
    expect(paths(s1(), 1, { dst_filter: { ...labelled, labels: ["P"] } }).rows_total).toBe(1);
  });

  it("says when more paths exist than were asked for, and pages those that were", () => {
    const keys = (payload: Fields) =>
      (payload.rows as { edges: { key: string }[] }[]).map(({ edges }) => edges.map(({ key }) => key).join());
    const toB = { dst: "b", criterion: "latest_departure" };
    expect(paths(s1(), 1, { ...toB, k: 1 })).toMatchObject({ rows_total: 1, more_paths: true, complete: true });
    const first = paths(s1(), 1, { ...toB, limit: 1 });
    const second = paths(s1(), 1, { ...toB, limit: 1, cursor: first.cursor });
    expect([...keys(first), ...keys(second)]).toEqual(["k5", "k1"]);
    expect(second).toMatchObject({ rows_total: 2, more_paths: false, complete: false, cursor: null });
  });
});

describe("strict ties without any wait", () => {
  it("leave no path of two hops, for one must wait and may not", () => {
    const rules = { ties: "strict", max_wait: "PT0S" };
    expect(paths(s2(), 5, { ...rules, max_hops: 1, dst: "b" }).rows).toHaveLength(1);
    expect(paths(s2(), 5, rules).rows).toEqual([]);
  });
});

describe("temporal_paths on S2", () => {
  const only = (args: Fields) => {
    const { rows } = paths(s2(), 5, args) as { rows: (Fields & { edges: Fields[] })[] };
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  it("crosses both facts at once where ties are allowed; a corrected fact is one span", () => {
    const row = only({ props: "all" });
    expect(row).toMatchObject({ departure: at(20), arrival: at(20), duration: "PT0S", hops: 2 });
    expect(row.edges).toMatchObject([
      { type: "R", valid_from: at(0), valid_to: at(100), departs: at(20), arrives: at(20), props: { w: 1 } },
      { type: "S", valid_from: at(20), valid_to: at(70), departs: at(20), arrives: at(20), props: { w: 2 } },
    ]);
  });

  it("leaves a microsecond earlier where ties are strict", () => {
    const departure = "2020-01-01T00:00:19.999999Z";
    expect(only({ ties: "strict" })).toMatchObject({ departure, arrival: at(20), duration: "PT0.000001S" });
  });

  it("shows the properties that hold at the departure", () => {
    const edges = only({ criterion: "latest_departure", window: { from: null, to: at(50) }, props: ["w"] }).edges;
    expect(edges).toMatchObject([
      { departs: "2020-01-01T00:00:49.999999Z", props: { w: 5 } },
      { departs: "2020-01-01T00:00:49.999999Z", props: { w: 2 } },
    ]);
  });

  it("an honest empty answer where the ride to b arrives too late", () => {
    expect(paths(s2(), 5, { arrival: "valid_end" }).rows).toEqual([]);
  });

  it("judges the ends of the path when they are left and reached: a is a Q from @80", () => {
    const labelled = { uids: null, labels: ["Q"], any_labels: null, props: [] };
    expect(paths(s2(), 5, { src_filter: labelled }).rows).toEqual([]);
    expect(only({ dst: "b", src_filter: labelled })).toMatchObject({ departure: at(80), arrival: at(80) });
    const ridden = { src: "b", dst: "a", orientation: "in", arrival: "valid_end" };
    expect(only({ ...ridden, dst_filter: labelled })).toMatchObject({ departure: at(0), arrival: at(100) });
    expect(paths(s2(), 5, { ...ridden, src_filter: labelled }).rows).toEqual([]);
  });
});

/** Every choice of departures that the rules admit. */
function allDepartures(path: readonly Crossing[], { minWait, maxWait }: WaitRules): bigint[][] {
  let chosen: bigint[][] = [[]];
  for (const [i, { departures }] of path.entries()) {
    const instants = departures.flatMap(([first, last]) =>
      Array.from({ length: Number(last - first) + 1 }, (_, k) => first + BigInt(k)),
    );
    chosen = chosen.flatMap((before) =>
      instants
        .filter((instant) => {
          if (i === 0) return true;
          const wait = instant - before.at(-1)! - path[i - 1]!.travel;
          return wait >= minWait && (maxWait === null || wait <= maxWait);
        })
        .map((instant) => [...before, instant]),
    );
  }
  return chosen;
}

describe("times of paths", () => {
  const SEED = 20_260;
  it(`best trip and earliest steps equal those of trying every instant, seed ${SEED}`, () => {
    const random = new Random(SEED);
    let admitted = 0;
    for (let round = 0; round < 1500; round++) {
      const isRide = random.chance(1, 4);
      const path = Array.from({ length: 1 + random.below(4) }, (): Crossing => {
        const from = BigInt(random.below(9));
        const stretches = [1, 2]
          .map(() => BigInt(random.below(9)))
          .map((at) => [at, at + BigInt(random.below(4))] as const);
        const departures = isRide ? ([[from, from]] as const) : setOf(stretches);
        return { span: [], tail: "", head: "", departures, travel: isRide ? BigInt(1 + random.below(2)) : 0n };
      });
      const rules = {
        minWait: BigInt(random.below(2)),
        maxWait: random.chance(1, 2) ? null : BigInt(random.below(4)),
      };
      const all = allDepartures(path, rules);
      if (all.length === 0) continue;
      admitted++;
      const tripOf = (departs: bigint[]): Trip => ({
        departure: departs[0]!,
        arrival: departs.at(-1)! + path.at(-1)!.travel,
      });
      for (const criterion of ["foremost", "fastest", "shortest", "latest_departure"] as Criterion[]) {
        const order = (trip: Trip) => orderOf(criterion, trip, path.length);
        const best = all.map(tripOf).sort((a, b) => compareOrders(order(a), order(b)))[0]!;
        expect(bestTrip(path, criterion, rules), `round ${round} ${criterion}`).toEqual(best);
        const keeping = all.filter((departs) => compareOrders(order(tripOf(departs)), order(best)) === 0);
        const earliest = path.map((_, i) => keeping.map((departs) => departs[i]!).sort((a, b) => Number(a - b))[0]!);
        expect(stepDepartures(path, best, rules), `round ${round} ${criterion}`).toEqual(earliest);
      }
    }
    expect(admitted).toBeGreaterThan(300);
  });
});
