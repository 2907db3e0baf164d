// Random batches over few names and few instants: ties, touching and overlapping intervals, self-loops, parallel edges,
// mixed classes of values, negative years, open ends. Filters and windows over the same names.
import type { Random } from "./random.js";

type Fields = Record<string, unknown>;

export const UIDS = ["a", "b", "c", "Z", "é", "\uff5e", "\u{1f600}", "a b"];
export const TYPES = ["M", "R", "S", "ünï"];
export const LABELS = ["P", "Q", "\u{1f600}", "\uff5e"];
export const NAMES = ["w", "name", "mix", "tags", "\u{1f600}", "\uff5e"];
const KEYS = ["", "k1", "k2", "#1", "#2", "#3"];
const SECONDS = [0, 1, 2, 3, 5, 8, 10, 12, 20, 30, 45, 60];

/** An instant out of few, some of them far away or between seconds. */
export function randomInstant(random: Random): string {
  if (random.chance(1, 25))
    return random.pick(["-0043-03-15T00:00:00Z", "9999-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.5Z"]);
  const second = String(random.pick(SECONDS)).padStart(2, "0");
  const time = second === "60" ? "00:01:00" : `00:00:${second}`;
  return `2020-01-01T${time}${random.chance(1, 6) ? ".000001" : ""}Z`;
}

export function randomValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => random.below(5),
    () => random.pick([0.5, -1.25e-7, 1e21, 1e300, 123456.789, 5e-324]),
    () => random.pick([9_007_199_254_740_993n, 9_007_199_254_740_992, -(2n ** 63n), 2 ** 31, -5_000_000_000]),
    () => random.pick(["Ada", "Bob", "10", "", "\u{1f600}", 'a"\\\n\u0001']),
    () => random.chance(1, 2),
    () => random.pick([[1, "Ada", null, [2]], { b: 1, a: [true] }, [], [9_007_199_254_740_993n, 0.5]]),
  ])();
}

function randomProps(random: Random, withNulls = false): Fields {
  const names = random.some(NAMES).slice(0, 3);
  return Object.fromEntries(
    names.map((name) => [name, withNulls && random.chance(1, 3) ? null : randomValue(random)] as const),
  );
}

function randomPeriod(random: Random): Fields {
  const [a, b] = [randomInstant(random), randomInstant(random)];
  const time = (text: string): number => Date.parse(text.replace(/^-0043/, "-000043").replace(".000001", ".001"));
  if (random.chance(1, 4) || a === b) return { valid_from: a, valid_to: null };
  return time(a) < time(b) ? { valid_from: a, valid_to: b } : { valid_from: b, valid_to: a };
}

const randomEdge = (random: Random): Fields => ({
  src: random.pick(UIDS),
  type: random.pick(TYPES),
  dst: random.pick(UIDS),
  key: random.pick(KEYS),
});

export const randomRef = (random: Random): Fields =>
  random.chance(1, 2) ? { uid: random.pick(UIDS) } : randomEdge(random);

function randomOrigin(random: Random): Fields {
  if (random.chance(2, 3)) return {};
  return {
    source: random.pick(["s1", null]),
    provenance_ref: random.pick(["p", null]),
    reason: random.pick(["typo", null]),
  };
}

function randomEvents(random: Random): Fields {
  const count = 1 + random.below(8);
  const column = <T>(make: () => T): T[] => Array.from({ length: count }, make);
  return {
    op: "ingest_events",
    src: column(() => random.pick(UIDS)),
    dst: column(() => random.pick(UIDS)),
    type: random.chance(1, 2) ? random.pick(TYPES) : column(() => random.pick(TYPES)),
    time: column(() => randomInstant(random)),
    ...(random.chance(1, 3) ? { key: column(() => random.pick([...KEYS, null])) } : {}),
    ...(random.chance(1, 2) ? { props: column(() => randomProps(random)) } : {}),
    node_labels: random.some(LABELS),
    ...randomOrigin(random),
  };
}

function randomOperation(random: Random): Fields {
  const origin = randomOrigin(random);
  const period = randomPeriod(random);
  switch (random.below(8)) {
    case 0:
    case 1:
      return {
        op: "assert_node",
        uid: random.pick(UIDS),
        labels: random.some(LABELS),
        props: randomProps(random),
        ...period,
        ...origin,
      };
    case 2:
    case 3:
      return { op: "assert_edge", ...randomEdge(random), props: randomProps(random), ...period, ...origin };
    case 4:
      return randomEvents(random);
    case 5:
      return { op: "retract", ref: randomRef(random), ...period, ...origin };
    default: {
      const ref = randomRef(random);
      const isPatch = random.chance(1, 2);
      const labels = isPatch
        ? { add_labels: random.some(LABELS), remove_labels: random.some(LABELS) }
        : { labels: random.some(LABELS) };
      const mode = isPatch ? "patch" : "replace";
      return {
        op: "correct",
        mode,
        ref,
        ...(ref.uid === undefined ? {} : labels),
        props: randomProps(random, isPatch),
        ...period,
        ...origin,
      };
    }
  }
}

/** Batches with the time of each; corrections and retractions mostly find something once there are rows. */
export function randomBatches(random: Random, most: number): { ops: Fields[]; txTime: string }[] {
  return Array.from({ length: 1 + random.below(most) }, (_, i) => ({
    txTime: `2021-01-01T${String(i).padStart(2, "0")}:00:00Z`,
    ops: Array.from({ length: 1 + random.below(4) }, () => randomOperation(random)),
  }));
}

export function randomWindow(random: Random): Fields | null {
  if (random.chance(1, 3)) return null;
  const { valid_from: from, valid_to: to } = randomPeriod(random);
  return random.chance(1, 4) ? { from: null, to: from } : { from, to };
}

export function randomPred(random: Random, depth = 0): Fields {
  if (depth < 2 && random.chance(1, 6)) return { not: randomPred(random, depth + 1) };
  if (depth < 2 && random.chance(1, 6)) return { any: random.list(3, () => randomPred(random, depth + 1)) };
  const prop = random.pick(NAMES);
  const op = random.pick([
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "in",
    "between",
    "contains",
    "starts_with",
    "ends_with",
    "is_null",
    "not_null",
  ]);
  if (op === "is_null" || op === "not_null") return { prop, op };
  if (op === "starts_with" || op === "ends_with")
    return { prop, op, value: random.pick(["A", "a", "", "b", "\u{1f600}"]) };
  if (op === "in") return { prop, op, value: random.list(4, () => randomValue(random)) };
  if (op === "between") return { prop, op, value: [randomValue(random), randomValue(random)] };
  return { prop, op, value: randomValue(random) };
}

export function randomNodeFilter(random: Random): Fields | null {
  if (random.chance(2, 3)) return null;
  return {
    ...(random.chance(1, 2) ? { uids: random.some([...UIDS, "nobody"]) } : {}),
    ...(random.chance(1, 4) ? { labels: [random.pick([...LABELS, "X"])] } : {}),
    ...(random.chance(1, 3) ? { any_labels: random.some([...LABELS, "X"]) } : {}),
    ...(random.chance(1, 3) ? { props: [randomPred(random)] } : {}),
  };
}

export function randomWhere(random: Random): Fields {
  if (random.chance(1, 3)) return {};
  return {
    ...(random.chance(1, 3) ? { types: random.some([...TYPES, "X"]) } : {}),
    ...(random.chance(1, 5) ? { keys: random.some([...KEYS, "#7", "x"]) } : {}),
    ...(random.chance(1, 3) ? { edge: [randomPred(random)] } : {}),
    src: randomNodeFilter(random),
    dst: randomNodeFilter(random),
    node: randomNodeFilter(random),
  };
}

export const randomProjection = (random: Random): unknown =>
  random.pick<unknown>([null, "all", random.some([...NAMES, "none"])]);

/** Facts that begin and end within a few microseconds or seconds of each other, so that walks of several steps exist. */
export function meshBatch(random: Random, index: number): { ops: Fields[]; txTime: string } {
  const isFine = random.chance(1, 2);
  const instant = (): string =>
    isFine
      ? `2020-01-01T00:00:00.${String(1 + random.below(20)).padStart(6, "0")}Z`
      : `2020-01-01T00:00:${10 + random.below(20)}Z`;
  const uids = UIDS.slice(0, 3 + random.below(UIDS.length - 2));
  const edge = (): Fields => {
    const [a, b] = [instant(), instant()].sort();
    return {
      op: "assert_edge",
      src: random.pick(uids),
      type: random.pick(["M", "R"]),
      dst: random.pick(uids),
      key: random.pick(["", "k1"]),
      props: { w: random.below(4) },
      valid_from: a,
      valid_to: a === b || random.chance(1, 6) ? null : b,
    };
  };
  return {
    txTime: `2021-01-02T${String(index).padStart(2, "0")}:00:00Z`,
    ops: Array.from({ length: 4 + random.below(10) }, edge),
  };
}
