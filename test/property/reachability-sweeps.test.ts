// Earliest arrival in stores large enough for passes over rows in time order, against the search that counts hops, which never makes
// one. Instants and intervals, parallel edges, ties, corrections that cut, and a plain or a filtered question.
import { describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { Random } from "../support/random.js";

const EVENTS = 9_000;
const TICKS = 6_000;
const QUESTIONS = 20;

type Fields = Record<string, unknown>;

const uid = (node: number) => `n${node}`;

interface Shape {
  readonly seed: number;
  readonly nodes: number;
  /** Of a hundred events; the others last for 2 to `longest` ticks. */
  readonly instants: number;
  readonly longest: number;
  readonly corrections: number;
}

/** Hubs early in the numbering; ties, because there are fewer ticks than events. */
async function filled(random: Random, { nodes, instants, longest, corrections }: Shape): Promise<Database> {
  const db = await open(":memory:");
  const node = () => uid(Math.floor((random.below(nodes) * random.below(nodes)) / nodes));
  const begins = Array.from({ length: EVENTS }, () => random.below(TICKS)).sort((a, b) => a - b);
  const events = begins.map((at, event) => ({
    src: node(),
    dst: node(),
    key: `k${event}`,
    from: BigInt(at),
    to: BigInt(at + (random.chance(instants, 100) ? 1 : 2 + random.below(longest - 1))),
  }));
  await db.ingest(
    {
      src: events.map(({ src }) => src),
      dst: events.map(({ dst }) => dst),
      key: events.map(({ key }) => key),
      type: events.map(() => "E"),
      time: BigInt64Array.from(events, ({ from }) => from),
      valid_to: BigInt64Array.from(events, ({ to }) => to),
    },
    { nodeLabels: ["P"] },
  );
  const corrected = new Set(Array.from({ length: corrections }, () => random.below(EVENTS)));
  const operations = [...corrected].map((event) => {
    const { src, dst, key, from, to } = events[event]!;
    const begins = from + BigInt(random.below(Number(to - from)));
    const ends = random.chance(1, 2) ? to : to + BigInt(random.below(3));
    return {
      op: "correct" as const,
      ref: { src, type: "E", dst, key },
      valid_from: begins,
      valid_to: ends,
      props: { w: 1 },
    };
  });
  if (operations.length > 0) await db.write(operations);
  return db;
}

function question(random: Random, nodes: number): Fields {
  const from = random.below(TICKS);
  const window = random.pick([
    null,
    { from: null, to: { us: 1 + random.below(TICKS) } },
    { from: { us: from }, to: null },
    { from: { us: from }, to: { us: from + 1 + random.below(TICKS) } },
  ]);
  return {
    uid: uid(random.below(nodes / 3)),
    window,
    direction: random.chance(1, 5) ? "backward" : "forward",
    orientation: random.pick(["out", "in", "both"]),
    ties: random.pick(["allow", "allow", "strict"]),
    limit: 10_000,
  };
}

const arrivals = async (db: Database, args: Fields): Promise<unknown[][]> => {
  const { rows } = await db.call("temporal_reachability" as string, args);
  return (rows as unknown as Fields[]).map(({ uid, arrival, departure }) => [uid, arrival, departure]);
};

describe("passes over rows in time order", () => {
  it.each<Shape>([
    { seed: 1, nodes: 300, instants: 100, longest: 2, corrections: 1_500 },
    { seed: 2, nodes: 300, instants: 50, longest: 40, corrections: 1_500 },
    { seed: 3, nodes: 300, instants: 0, longest: 40, corrections: 0 },
    { seed: 4, nodes: 300, instants: 99, longest: 2_000, corrections: 200 },
    { seed: 5, nodes: 900, instants: 0, longest: 3, corrections: 9_000 },
  ])("find what the search by hops finds: %o", async (shape) => {
    const random = new Random(shape.seed);
    const db = await filled(random, shape);
    try {
      let reached = 0;
      for (let asked = 0; asked < QUESTIONS; asked += 1) {
        const args = question(random, shape.nodes);
        const expected = await arrivals(db, { ...args, hops: true });
        const says = JSON.stringify(args);
        expect(await arrivals(db, args), says).toEqual(expected);
        expect(await arrivals(db, { ...args, where: { types: ["E", "F"] } }), `${says} by type`).toEqual(expected);
        reached += expected.length;
      }
      expect(reached).toBeGreaterThan(300);
    } finally {
      await db.close();
    }
  });
});
