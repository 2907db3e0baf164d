// What an oracle plan is, and the arithmetic over events of files that their answers are computed with.
// Nothing here reads a store.
import type { FileEvent, StoreName } from "./data.js";

export interface Plan {
  readonly steps: readonly { readonly id: string; readonly op: string; readonly args: object }[];
  readonly answer: {
    readonly kind: string;
    readonly from: string;
    readonly also?: readonly { readonly kind: string; readonly from: string }[];
  };
}

export interface OraclePlan {
  readonly name: string;
  readonly store: StoreName;
  readonly plan: Plan;
  /** The same in TQL: a statement, and for each part of the answer where it stands in the result. */
  readonly tql: { readonly text: string; readonly from: readonly string[] };
  /** Where it names texts that the plan looks for. */
  readonly question?: string;
  /** For each part of the answer what must stand there; sets in any order. */
  readonly expected: () => readonly unknown[];
  /** Claims of types that code makes for no part of this plan, each true. */
  readonly claims?: () => readonly object[];
  readonly mentions?: readonly { readonly id: string; readonly uid: string | null }[];
}

export type Window = { readonly from: string; readonly to: string };
export const between = (from: string, to: string): Window => ({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
/** A window as a clause of TQL. */
export const during = ({ from, to }: Window): string => `FOR VALID_TIME FROM TIMESTAMP '${from}' TO TIMESTAMP '${to}'`;
export const us = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

export const inside = (events: readonly FileEvent[], { from, to }: Window): readonly FileEvent[] =>
  events.filter((event) => event.us >= us(from) && event.us < us(to));

/** An instant as answers write it. */
export function instant(at: bigint): string {
  const whole = new Date(Number(at / 1000n)).toISOString().slice(0, 19);
  const fraction = at % 1_000_000n;
  return `${whole}${fraction === 0n ? "" : `.${String(fraction).padStart(6, "0")}`}Z`;
}

export function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The key with the most, and how many; fails where two have it. */
export function top<T>(counts: ReadonlyMap<T, number>): readonly [T, number] {
  const most = Math.max(...counts.values());
  const keys = [...counts].filter(([, count]) => count === most);
  if (keys.length !== 1) throw new Error(`${keys.length} have the most`);
  return keys[0]!;
}

/** Earliest arrivals from a node over events in the order of time, where events of one instant may follow each other. */
export function arrivals(events: readonly FileEvent[], source: string): Map<string, bigint> {
  const reached = new Map<string, bigint>([[source, -1n]]);
  for (let i = 0; i < events.length; ) {
    let end = i;
    while (end < events.length && events[end]!.us === events[i]!.us) end += 1;
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const { src, dst, us: at } of events.slice(i, end)) {
        if (!reached.has(src) || reached.has(dst)) continue;
        reached.set(dst, at);
        isNew = true;
      }
    }
    i = end;
  }
  reached.delete(source);
  return reached;
}

/** Counts of equal stretches of a window, in order. */
export function buckets(events: readonly FileEvent[], { from, to }: Window, width: bigint): number[] {
  const counts = new Array<number>(Number((us(to) - us(from)) / width)).fill(0);
  for (const event of inside(events, { from, to })) counts[Number((event.us - us(from)) / width)]! += 1;
  return counts;
}

export const DAY = 86_400_000_000n;
export const nineDecimals = (value: number): number => Math.round(value * 1e9) / 1e9;
export const step = (id: string, op: string, args: object) => ({ id, op, args });

export const earliest = (times: readonly bigint[]): bigint => [...times].sort((a, b) => (a < b ? -1 : 1))[0]!;
