// Reachability over half a million edges, against brute force: only stores of this size take the last way of the search,
// in which the few nodes that are left look for their first edge from a node that is reached (reach/sweep.cc, `pull`).
// Small stores are in reachability.test.ts.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatInstant } from "../../src/contract/instant.js";
import { open } from "../../src/database.js";
import { Random } from "../support/random.js";

const BEGIN_US = 1_577_836_800_000_000n;
const SPAN = 4_000_000;
const CENTRE = 2_000;
/** Nodes of the edge: each is met late and rarely, many of them from one another alone. */
const OUTSIDE = 400;
const ROWS_PER_COMMIT = [400_000, 120_000];
const TYPES = ["R", "S"];

interface Row {
  readonly src: number;
  readonly dst: number;
  readonly type: number;
  readonly from: number;
  to: number;
}

const uid = (node: number): string => `n${node}`;

function randomRows(random: Random, count: number, isLong: boolean): Row[] {
  const centre = (): number => random.below(CENTRE);
  return Array.from({ length: count }, () => {
    const from = random.below(SPAN);
    const isOutside = random.below(700) === 0;
    // The later it is, the more nodes of the edge there are: the first of them from the centre, the next from the last.
    const outside = CENTRE + Math.floor(((OUTSIDE - 1) * from) / SPAN);
    const src = isOutside && random.chance(2, 3) ? Math.max(CENTRE, outside - 1 - random.below(3)) : centre();
    const to = from + 1 + (isLong && random.below(20) === 0 ? random.below(30_000) : 0);
    return { src, dst: isOutside ? outside : centre(), type: random.below(2), from, to };
  });
}

type Orientation = "out" | "in" | "both";

/** Earliest arrival at each node, by passes over all rows until nothing changes. */
function arrivals(
  rows: readonly Row[],
  subject: number,
  from: number,
  to: number,
  tie: 0 | 1,
  orientation: Orientation,
): ReadonlyMap<number, number> {
  // By node: half a million rows go through this several times, and a map is slow.
  const found = new Float64Array(CENTRE + OUTSIDE).fill(Number.POSITIVE_INFINITY);
  found[subject] = from;
  const cross = (tail: number, head: number, row: Row): boolean => {
    const at = found[tail]!;
    if (at === Number.POSITIVE_INFINITY || head === subject) return false;
    const departure = Math.max(row.from, tail === subject ? at : at + tie);
    if (departure >= row.to || departure >= to || departure >= found[head]!) return false;
    found[head] = departure;
    return true;
  };
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const row of rows) {
      if (row.from >= to) break;
      if (orientation !== "in" && cross(row.src, row.dst, row)) isChanged = true;
      if (orientation !== "out" && cross(row.dst, row.src, row)) isChanged = true;
    }
  }
  const reached = [...found.entries()].filter(([node, at]) => node !== subject && at < Number.POSITIVE_INFINITY);
  return new Map(reached);
}

describe.each([
  ["instants", false],
  ["intervals, of which some are long", true],
])("over %s", (_, isLong) => {
  let db: Awaited<ReturnType<typeof open>>;
  let rows: Row[] = [];
  const random = new Random(isLong ? 41 : 40);

  beforeAll(async () => {
    db = await open(":memory:");
    for (const [commit, count] of ROWS_PER_COMMIT.entries()) {
      const more = randomRows(random, count, isLong).sort((a, b) => a.from - b.from);
      for (const [code, type] of TYPES.entries()) {
        const of = more.filter((row) => row.type === code);
        await db.ingest(
          {
            src: of.map(({ src }) => uid(src)),
            dst: of.map(({ dst }) => uid(dst)),
            time: BigInt64Array.from(of, (row) => BEGIN_US + BigInt(row.from)),
            valid_to: BigInt64Array.from(of, (row) => BEGIN_US + BigInt(row.to)),
            key: of.map((_row, i) => `${commit} ${i}`),
          },
          { type, nodeLabels: ["P"] },
        );
        // Some are wrong: what is no longer believed is no step.
        const wrong = new Set(of.filter((_row, i) => i % 50 === 7));
        const retractions = of.flatMap(({ src, dst, from, to }, i) =>
          i % 50 !== 7
            ? []
            : [
                {
                  op: "retract" as const,
                  ref: { src: uid(src), type, dst: uid(dst), key: `${commit} ${i}` },
                  valid_from: { us: BEGIN_US + BigInt(from) },
                  valid_to: { us: BEGIN_US + BigInt(to) },
                },
              ],
        );
        await db.write(retractions);
        rows = rows.concat(of.filter((row) => !wrong.has(row)));
      }
    }
    rows = rows.sort((a, b) => a.from - b.from);
  }, 60_000);
  afterAll(() => db.close());

  const at = (place: number): string => formatInstant(BEGIN_US + BigInt(place));

  it.each([
    ["out", "allow", 0, SPAN, null],
    ["out", "strict", 0, SPAN, null],
    ["both", "allow", SPAN / 10, SPAN, null],
    ["in", "strict", 0, (SPAN * 9) / 10, null],
    ["out", "allow", 0, SPAN, "R"],
    ["both", "strict", 1000, SPAN, "S"],
  ] as const)("%s, ties %s, from %d to %d, type %s", async (orientation, ties, from, to, type) => {
    const among = type === null ? rows : rows.filter((row) => TYPES[row.type] === type);
    for (const subject of [0, CENTRE + 3]) {
      const expected = arrivals(among, subject, from, to, ties === "strict" ? 1 : 0, orientation);
      const { rows: reached, rows_total } = await db.call("temporal_reachability", {
        uid: uid(subject),
        window: { from: at(from), to: at(to) },
        ties,
        orientation,
        ...(type === null ? {} : { where: { types: [type] } }),
        limit: 10_000,
      });
      expect(rows_total).toBe(expected.size);
      const given = new Map((reached ?? []).map((row) => [row.uid, row.arrival]));
      const wrong = [...expected].filter(([node, arrival]) => given.get(uid(node)) !== at(arrival));
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });
});
