// Brute force for the questions about events, the beginnings of spells: series, bursts, groups and cyclic triangles.

import { compareRows, type Json, whole } from "../normal-forms.js";
import type { AggregateQuestion, BurstQuestion, CycleQuestion, SeriesQuestion } from "../questions.js";
import { bySource, type EdgeVersion, type IntervalFacts } from "./interval-facts.js";

const SCORE_DECIMALS = 9n;

interface Buckets {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
}

function counts(facts: IntervalFacts, { from, to, stride }: Buckets): number[] {
  const series = new Array<number>(Math.ceil((to - from) / stride)).fill(0);
  for (const spell of facts.spells()) {
    if (spell.from < from || spell.from >= to) continue;
    const bucket = Math.floor((spell.from - from) / stride);
    series[bucket] = (series[bucket] as number) + 1;
  }
  return series;
}

export function series(facts: IntervalFacts, question: SeriesQuestion): Json {
  return counts(facts, question);
}

function integerRoot(square: bigint): bigint {
  if (square < 2n) return square;
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * |x - mean| / population deviation of the history to 9 decimals, in integers alone; null where the deviation is zero.
 * With n values, sum s and sum of squares q it is |n x - s| / root(n q - s s).
 */
function score(value: number, before: readonly number[]): number | null {
  const n = BigInt(before.length);
  const sum = before.reduce((total, each) => total + BigInt(each), 0n);
  const squares = before.reduce((total, each) => total + BigInt(each) ** 2n, 0n);
  const spread = n * squares - sum * sum;
  if (spread === 0n) return null;
  const distance = n * BigInt(value) - sum;
  const scaled = integerRoot((distance ** 2n * 10n ** (2n * (SCORE_DECIMALS + 1n))) / spread);
  return Number((scaled + 5n) / 10n) / Number(10n ** SCORE_DECIMALS);
}

export function bursts(facts: IntervalFacts, question: BurstQuestion): Json {
  const values = counts(facts, question);
  const rows: Json[] = [];
  for (const [bucket, value] of values.entries()) {
    const before = values.slice(Math.max(0, bucket - question.history), bucket);
    if (before.length < question.minHistory) continue;
    const found = score(value, before);
    if (found === null ? value !== before[0] : found >= question.z) {
      rows.push([question.from + bucket * question.stride, found]);
    }
  }
  return rows;
}

export function aggregate(facts: IntervalFacts, { from, to, stride }: AggregateQuestion): Json {
  const groups = new Map<string, { type: string; begin: number; count: number; heads: Set<number> }>();
  for (const spell of facts.spells()) {
    if (spell.from < from || spell.from >= to) continue;
    const type = facts.type(spell.event);
    const begin = from + Math.floor((spell.from - from) / stride) * stride;
    const key = `${type} ${begin}`;
    const group = groups.get(key) ?? { type, begin, count: 0, heads: new Set<number>() };
    group.count += 1;
    group.heads.add(facts.dst(spell.event));
    groups.set(key, group);
  }
  const rows = [...groups.values()].map(({ type, begin, count, heads }): Json[] => [type, begin, count, heads.size]);
  return whole(rows.sort(compareRows));
}

/** Cyclic triangles a>b, b>c, c>a with strictly increasing (begin, event), all ends in the list. */
export function cycles(facts: IntervalFacts, { from, to, delta, nodes }: CycleQuestion): Json {
  const inside = new Set(nodes);
  const stream: EdgeVersion[] = [];
  for (const spell of facts.spells()) {
    const src = facts.src(spell.event);
    const dst = facts.dst(spell.event);
    if (spell.from >= from && spell.from < to && src !== dst && inside.has(src) && inside.has(dst)) stream.push(spell);
  }
  const isAfter = (later: EdgeVersion, earlier: EdgeVersion) =>
    later.from > earlier.from || (later.from === earlier.from && later.event > earlier.event);
  const outgoing = bySource(facts, stream);
  let found = 0;
  for (const first of stream) {
    const a = facts.src(first.event);
    const fits = (later: EdgeVersion, earlier: EdgeVersion) =>
      isAfter(later, earlier) && later.from - first.from <= delta;
    for (const second of outgoing.get(facts.dst(first.event)) ?? []) {
      const c = facts.dst(second.event);
      if (c === a || !fits(second, first)) continue;
      for (const third of outgoing.get(c) ?? []) if (facts.dst(third.event) === a && fits(third, second)) found += 1;
    }
  }
  return found;
}
