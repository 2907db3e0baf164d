// A store in a folder with a few weeks of messages, counted by definition: what notes say is held against this.
import { type Database, open } from "../../../src/index.js";
import { Random } from "../../support/random.js";

export interface Message {
  readonly src: string;
  readonly dst: string;
  /** Days since 2020-01-02, which begins a period of P7D. */
  readonly day: number;
}

const DAY_US = 86_400_000_000n;
/** 2020-01-02: a multiple of seven days since 1970-01-01. */
export const START_US = 18_263n * DAY_US;

export const dayText = (day: number): string =>
  new Date(Number((START_US + BigInt(Math.round(day * 86_400)) * 1_000_000n) / 1_000n))
    .toISOString()
    .replace(".000", "");

export function messages(count: number, seed: number): Message[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => ({
    src: `s${random.below(9)}`,
    dst: `d${random.below(7)}`,
    day: random.below(28 * 24) / 24,
  }));
}

export async function load(db: Database, all: readonly Message[]): Promise<void> {
  await db.ingest(
    {
      src: all.map(({ src }) => src),
      dst: all.map(({ dst }) => dst),
      type: all.map(() => "SENT"),
      time: BigInt64Array.from(all, ({ day }) => START_US + BigInt(Math.round(day * 86_400)) * 1_000_000n),
    },
    { nodeLabels: ["Person"] },
  );
}

export async function notedStore(path: string, all: readonly Message[]): Promise<Database> {
  const db = await open(path);
  await load(db, all);
  return db;
}

/** The facts of a week, by their ids, by definition. */
export function factsOf(all: readonly Message[], week: number): Record<string, unknown> {
  const isIn = ({ day }: Message): boolean => day >= 7 * week && day < 7 * week + 7;
  const here = all.filter(isIn);
  const before = all.filter(({ day }) => day < 7 * week);
  const ends = (list: readonly Message[]): Set<string> => new Set(list.flatMap(({ src, dst }) => [src, dst]));
  const pairs = (list: readonly Message[]): Set<string> => new Set(list.map(({ src, dst }) => `${src} ${dst}`));
  const top = (role: "src" | "dst"): [string, number][] => {
    const counts = new Map<string, number>();
    for (const message of here) counts.set(message[role], (counts.get(message[role]) ?? 0) + 1);
    return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 3);
  };
  // A quarter of a day is the longest part of which seven days have 28.
  const parts = Array.from({ length: 28 }, (_, i) => ({
    from: dayText(7 * week + i / 4),
    count: here.filter(({ day }) => Math.floor((day - 7 * week) * 4) === i).length,
  }));
  const peak = parts.reduce((best, part) => (part.count > best.count ? part : best));
  const facts: Record<string, unknown> = {
    f1: here.length,
    f2: ends(here).size,
    f3: [...ends(here)].filter((uid) => !ends(before).has(uid)).length,
    f4: [...pairs(here)].filter((pair) => !pairs(before).has(pair)).length,
    f17: peak.from,
    f18: peak.count,
  };
  for (const [i, [uid, count]] of top("src").entries())
    Object.assign(facts, { [`f${5 + 2 * i}`]: uid, [`f${6 + 2 * i}`]: count });
  for (const [i, [uid, count]] of top("dst").entries())
    Object.assign(facts, { [`f${11 + 2 * i}`]: uid, [`f${12 + 2 * i}`]: count });
  return facts;
}
