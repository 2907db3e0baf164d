// The laws of docs/contract.md about stores that differ in a shift of time, the order of bulk rows, or names.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant, parseValidTo } from "../../src/contract/parse-instant.js";
import { SEEDS } from "../support/case-count.js";
import { type Fields, type LawBatch, LawStore, lawBatches } from "../support/law-store.js";
import { Random } from "../support/random.js";
import { callsOfEach, type RandomCall, refsOf } from "../support/random-calls.js";
import { TYPES, UIDS } from "../support/random-store.js";

const text = (value: unknown): string => canonicalJson(value as never);

/** Replaces texts at every depth; `key` is that of the innermost object. */
function mapTexts(value: unknown, map: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return map(value, key);
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, map, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map, name)]));
}

async function storesOf(...histories: readonly LawBatch[][]): Promise<LawStore[]> {
  const stores: LawStore[] = [];
  for (const batches of histories) stores.push(await LawStore.of(batches));
  return stores;
}

const INSTANT = /^[-+]?\d{4,5}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** A date, a week, a month or a quarter, as a dimension of aggregates shows it. */
const CALENDAR = /^\d{4}-(?:Q\d|W?\d\d|\d\d-\d\d)$/;
const FOUR_CENTURIES_US = 146_097n * 86_400_000_000n;
/** Keys whose instants are of the transaction axis, whatever they hold. */
const TX_AXIS = new Set(["as_of_tt", "tx", "tx_window", "txTime", "tx_from", "tx_to", "tx_time"]);

function shift(value: unknown, key = ""): unknown {
  if (TX_AXIS.has(key)) return value;
  if (typeof value === "string") {
    if (CALENDAR.test(value)) return String(Number(value.slice(0, 4)) + 400) + value.slice(4);
    if (!INSTANT.test(value)) return value;
    return formatInstant(parseValidTo(value, "instant") + FOUR_CENTURIES_US);
  }
  if (Array.isArray(value)) return value.map((member) => shift(member, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shift(member, name)]));
}

/** The last microsecond of the calendar cannot be shifted: it becomes an ordinary one. */
const ordinary = <T>(value: T): T =>
  mapTexts(value, (each) => (each.startsWith("9999-") ? "2020-01-01T00:00:50Z" : each)) as T;

function inOrder<T>(value: T): T {
  const { valid_from, valid_to } = (value ?? {}) as Fields;
  if (typeof valid_from !== "string" || typeof valid_to !== "string") return value;
  return parseInstant(valid_from, "from") < parseInstant(valid_to, "to") ? value : ({ ...value, valid_to: null } as T);
}

const hasTrueOrder = ({ args }: RandomCall): boolean => {
  const windows = [args.window, (args.valid as Fields | null)?.window].filter((each) => each) as Fields[];
  return windows.every(({ from, to }) => !from || !to || parseInstant(from, "from") < parseInstant(to, "to"));
};

describe("law 11", () => {
  it.each(SEEDS)(
    "a shift of all valid times by 400 years shifts the answers and nothing else, seed %i",
    async (seed) => {
      const random = new Random(seed);
      const batches = ordinary(lawBatches(random)).map((batch) => ({ ...batch, ops: batch.ops.map(inOrder) }));
      const shifted = batches.map(({ ops, txTime }) => ({ ops: shift(ops) as Fields[], txTime }));
      const [there, later] = (await storesOf(batches, shifted)) as [LawStore, LawStore];
      try {
        expect(later.head).toBe(there.head);
        const refs = batches.flatMap(({ ops }) => refsOf(ops));
        for (const call of ordinary([1, 2, 3].flatMap(() => callsOfEach(random, there.head, refs)))) {
          if (!hasTrueOrder(call)) continue;
          const { op, args } = { ...call, args: { ...call.args, limit: 10_000 } };
          const before = await there.payload(op, args);
          // A list that goes on names its arguments in the cursor.
          if (typeof before === "object" && before.complete === false) continue;
          // Over open facts the greatest departure is the end of the calendar, which does not shift.
          if (text(before).includes("9999-12-31")) continue;
          expect(text(await later.payload(op, shift(args) as Fields)), text(call)).toBe(text(shift(before)));
        }
      } finally {
        await Promise.all([there.close(), later.close()]);
      }
    },
  );
});

describe("law 12", () => {
  function bulk(random: Random, areTimesDistinct: boolean): Fields {
    const count = 2 + random.below(12);
    const rows = Array.from({ length: count }, (_, i) => i);
    const second = (i: number) => String(areTimesDistinct ? i : random.below(3)).padStart(2, "0");
    return {
      op: "ingest_events",
      src: rows.map(() => random.pick(UIDS)),
      dst: rows.map(() => random.pick(UIDS)),
      type: rows.map(() => random.pick(TYPES)),
      key: rows.map((i) => `bulk ${i}`),
      time: rows.map((i) => `2020-01-01T00:00:${second(i)}.5Z`),
      props: rows.map((i) => ({ w: i, ...(random.chance(1, 2) ? { name: `n${i}` } : {}) })),
      node_labels: ["P"],
    };
  }

  /** The columns in another order of rows. */
  function permuted(random: Random, events: Fields): Fields {
    const order = (events.src as unknown[]).map((_, i) => i);
    for (let i = order.length - 1; i > 0; i -= 1) {
      const other = random.below(i + 1);
      [order[i], order[other]] = [order[other]!, order[i]!];
    }
    const columns = ["src", "dst", "type", "key", "time", "props"];
    const moved = columns.map((name) => [name, order.map((from) => (events[name] as unknown[])[from])]);
    return { ...events, ...Object.fromEntries(moved) };
  }

  const withoutSeq = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutSeq);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => name !== "seq")
        .map(([name, member]) => [name, withoutSeq(member)]),
    );
  };

  /** Where events at one instant stand, or count, in the order of seq. */
  const isDecidedBySeq = ({ op, args }: RandomCall): boolean =>
    ["events", "endpoints"].includes(args.of as string) ||
    [
      "temporal_paths",
      "longest_temporal_chain",
      "count_temporal_motifs",
      "find_temporal_motifs",
      "aggregate_events",
    ].includes(op);

  it.each(SEEDS)("the order of rows in a bulk operation changes nothing but seq, seed %i", async (seed) => {
    const random = new Random(seed);
    const areTimesDistinct = random.chance(1, 2);
    const events = bulk(random, areTimesDistinct);
    const base = lawBatches(random);
    const batch = (ops: Fields): LawBatch => ({ ops: [ops], txTime: "2021-06-01T00:00:00Z" });
    const [one, other] = (await storesOf([...base, batch(events)], [...base, batch(permuted(random, events))])) as [
      LawStore,
      LawStore,
    ];
    try {
      expect(await other.digest()).toBe(await one.digest());
      for (const { op, args } of [1, 2].flatMap(() => callsOfEach(random, one.head, [{ uid: "a" }]))) {
        if (!areTimesDistinct && isDecidedBySeq({ op, args })) continue;
        const whole = { ...args, limit: 10_000 };
        const [first, second] = [await one.payload(op, whole), await other.payload(op, whole)];
        expect(text(withoutSeq(second)), text([op, whole])).toBe(text(withoutSeq(first)));
      }
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});

describe("law 13", () => {
  const ENDS_OF_GROUPS = ["first", "last"].flatMap((fn) => ["src", "dst", "other"].map((of) => `${fn}_${of}`));
  /** Letters are those of a motif's nodes. */
  const UID_KEYS = new Set([
    ...["uid", "uids", "src", "dst", "of", "other", "seeds", "from", "to", "start", "end", "nodes", ..."abcdef"],
    ...["node", "node_1", "node_2", ...ENDS_OF_GROUPS],
  ]);
  /** A prefix keeps the order of code points. */
  const rename = (value: unknown): unknown =>
    mapTexts(value, (each, key) => {
      // An aggregate's column is named after what it takes: last_src.
      const isUid = UID_KEYS.has(key.replace(/^(?:first|last)_/, ""));
      return isUid && UIDS.includes(each) ? `x${each}` : each;
    });
  /** The ends of a motif's edges are its own letters. */
  const renamedArguments = (args: Fields): Fields => {
    const { edges } = (args.motif ?? {}) as Fields;
    const renamed = rename(args) as Fields;
    return edges === undefined ? renamed : { ...renamed, motif: { ...(renamed.motif as Fields), edges } };
  };

  it.each(SEEDS)("other names in the same order change nothing but the names, seed %i", async (seed) => {
    const random = new Random(seed);
    const batches = lawBatches(random);
    const renamed = batches.map(({ ops, txTime }) => ({ ops: rename(ops) as Fields[], txTime }));
    const [one, other] = (await storesOf(batches, renamed)) as [LawStore, LawStore];
    try {
      expect(other.head).toBe(one.head);
      const refs = batches.flatMap(({ ops }) => refsOf(ops));
      for (const { op, args } of [1, 2].flatMap(() => callsOfEach(random, one.head, refs))) {
        // It reads uids as texts.
        if (op === "resolve_entities") continue;
        const whole = { ...args, limit: 10_000 };
        const [first, second] = [await one.payload(op, whole), await other.payload(op, renamedArguments(whole))];
        expect(text(second), text([op, whole])).toBe(text(rename(first)));
      }
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
