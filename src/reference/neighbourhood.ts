// O10 neighborhood_evolution: neighbours gained, lost and kept between two instants, and the degree at sample points.

import { PalimpsestError } from "../contract/errors.js";
import { touches } from "./events.js";
import { EndJudge, passesContent, type Where } from "./filters.js";
import { formatInstant, parseDuration, parseInstant } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import type { Belief } from "./question.js";
import { textSet } from "./values.js";
import { type EdgeVersion, identityText, isEdge, overlaps } from "./versions.js";

const EQUAL_STEPS = 20n;
const MAX_SAMPLES = 100_000;
const ROLE = { out: "src", in: "dst", both: "either" } as const;

/** t1, the points after it at each stride, and t2; without a stride twenty equal steps, floored. */
function samplePoints(t1: bigint, t2: bigint, stride: bigint | null): bigint[] {
  const points = new Set<bigint>();
  if (stride === null) {
    for (let i = 0n; i < EQUAL_STEPS; i++) points.add(t1 + (i * (t2 - t1)) / EQUAL_STEPS);
  } else {
    for (let t = t1; t < t2; t += stride) {
      points.add(t);
      if (points.size >= MAX_SAMPLES) throw new PalimpsestError("E_LIMIT", "more than 100,000 samples");
    }
  }
  return [...points.add(t2)];
}

/** Edge identities by the neighbour they lead to; those of self-loops stand under the node itself. */
type Around = ReadonlyMap<string, ReadonlySet<string>>;

function around(belief: Belief, args: Args, t: bigint): Around {
  const uid = args.uid as string;
  const where = args.where as Where;
  const lookback = args.lookback === null ? 1n : parseDuration(args.lookback as string);
  const judge = new EndJudge(belief.believed, where, new Set([uid]));
  const passes = (edge: EdgeVersion) =>
    touches(edge, uid, ROLE[args.orientation as keyof typeof ROLE]) &&
    overlaps(edge, t - lookback + 1n, t + 1n) &&
    passesContent(edge, where) &&
    judge.passesEnds(edge, t);
  const found = new Map<string, Set<string>>();
  for (const edge of belief.believed.filter(isEdge).filter(passes)) {
    const other = edge.src === uid ? edge.dst : edge.src;
    found.set(other, (found.get(other) ?? new Set()).add(identityText(edge)));
  }
  return found;
}

export function neighborhoodEvolution(belief: Belief, args: Args): Answer {
  const uid = args.uid as string;
  belief.requireUids([uid]);
  const [t1, t2] = [parseInstant(args.t1), parseInstant(args.t2)];
  const stride = args.stride === null ? null : parseDuration(args.stride as string);
  const points = samplePoints(t1, t2, stride);
  const [before, after] = [around(belief, args, t1), around(belief, args, t2)];

  const neighbours = (of: Around) => textSet(of.keys()).filter((other) => other !== uid);
  const rowsOf = (change: string, uids: readonly string[], edges: Around): Row[] =>
    uids.map((other) => ({ change, uid: other, edges: edges.get(other)!.size }));
  const changes = {
    gained: rowsOf(
      "gained",
      neighbours(after).filter((other) => !before.has(other)),
      after,
    ),
    kept: rowsOf(
      "kept",
      neighbours(after).filter((other) => before.has(other)),
      after,
    ),
    lost: rowsOf(
      "lost",
      neighbours(before).filter((other) => !after.has(other)),
      before,
    ),
  };
  const included = args.include as readonly string[];
  const series = points.map((t) => {
    const now = around(belief, args, t);
    const degree = [...now.values()].reduce((sum, edges) => sum + edges.size, 0);
    return { t: formatInstant(t), degree, neighbours: neighbours(now).length };
  });
  return {
    lists: [
      ["rows", Object.entries(changes).flatMap(([change, rows]) => (included.includes(change) ? rows : []))],
      ["series", series],
    ],
    fields: {
      totals: { gained: changes.gained.length, lost: changes.lost.length, kept: changes.kept.length },
      stride: args.stride,
    },
  };
}
