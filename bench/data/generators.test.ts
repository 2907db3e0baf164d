// The generators against SHA-256 vectors that an independent program published, and the demo's list against its description.
// The vectors that take longer are asked for with PALIMPSEST_LARGE_VECTORS=1.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { demoMessages } from "../../src/demo-data/messages.js";
import { edgeRef } from "../stores/interval-store.js";
import { powerLawColumns } from "../stores/power-law-store.js";
import { type Events, events, nodeCount, TYPE_NAMES } from "./corrected-intervals.js";
import { finalise64, multiply64, remainder64 } from "./mix64.js";
import { POWER_LAW_LISTS, type PowerLaw, powerLaw } from "./power-law.js";
import { shuffledOrder } from "./shuffle.js";

const withLargeVectors = process.env.PALIMPSEST_LARGE_VECTORS === "1";
const LINES_AT_ONCE = 100_000;

const EVENT_VECTORS = new Map([
  [1_000, "458cef3477c965077b5c58dab49a593db504460170838aca343ed266186496af"],
  [200_000, "72a01db7d75b5770354e61ffd45f342abee2567e07216c1d766478fe01595862"],
  [1_000_000, "61bad4ca8b5ac0a9407b14c569315a9a3cb9a25dfb5f1866a3803df936974510"],
]);
const POWER_LAW_VECTORS = new Map([
  [1_000_000, "c5467127a04a77d1cf9c20ec4376e2a713501fb4fe03a162c9da5aaa82dd490f"],
  [10_000_000, "2a7b9c3df57da3b2c32659ee4cb07d6e72024fba34563e284d835b1bd4541e05"],
]);

function digestOfLines(count: number, line: (row: number) => string): string {
  const hash = createHash("sha256");
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const lines: string[] = [];
    for (let row = from; row < Math.min(count, from + LINES_AT_ONCE); row++) lines.push(line(row));
    hash.update(lines.join(""));
  }
  return hash.digest("hex");
}

function eventsDigest({ count, src, dst, type, validFrom, validTo }: Events): string {
  return digestOfLines(
    count,
    (i) => `n${src[i]},n${dst[i]},${TYPE_NAMES[type[i] as 0 | 1]},${validFrom[i]},${validTo[i]}\n`,
  );
}

function powerLawDigest({ count, src, dst, second }: PowerLaw): string {
  return digestOfLines(count, (i) => `${src[i]} ${dst[i]} ${second[i]}\n`);
}

describe("64-bit halves", () => {
  const MASK = (1n << 64n) - 1n;
  const samples = [0n, 1n, 0xffff_ffffn, 0x1_0000_0000n, 0x8000_0000_0000_0000n, MASK, 0x9e37_79b9_7f4a_7c15n];
  let state = 7n;
  for (let i = 0; i < 2_000; i++) {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & MASK;
    samples.push(state);
  }
  const high = (value: bigint) => Number(value >> 32n);
  const low = (value: bigint) => Number(value & 0xffff_ffffn);
  const joined = (word: Uint32Array) => (BigInt(word[1] as number) << 32n) | BigInt(word[0] as number);
  const word = new Uint32Array(2);

  it("multiply and finalise as BigInt does", () => {
    for (const [index, a] of samples.entries()) {
      const b = samples[(index * 7 + 3) % samples.length] as bigint;
      multiply64(high(a), low(a), high(b), low(b), word);
      expect(joined(word)).toBe((a * b) & MASK);
      finalise64(high(a), low(a), word);
      let mixed = ((a ^ (a >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
      mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
      expect(joined(word)).toBe(mixed ^ (mixed >> 31n));
    }
  });

  it("have the remainders of BigInt up to a divisor of 2^21", () => {
    for (const a of samples) {
      for (const divisor of [1, 2, 39, 50, 100, 200, 10_000, 99_999, 2 ** 21 - 1, 2 ** 21]) {
        expect(remainder64(high(a), low(a), divisor)).toBe(Number(a % BigInt(divisor)));
      }
    }
  });
});

describe("corrected interval edges", () => {
  for (const [scale, digest] of EVENT_VECTORS) {
    it(`match the vector of ${scale} events`, () => {
      expect(eventsDigest(events(scale))).toBe(digest);
    });
  }

  it("use nodes below the node count only", () => {
    const { src, dst } = events(1_000);
    expect(Math.max(...src, ...dst)).toBeLessThan(nodeCount(1_000));
  });
});

describe("power-law events", () => {
  for (const [count, digest] of POWER_LAW_VECTORS) {
    it.skipIf(count > 1_000_000 && !withLargeVectors)(`match the vector of ${count} events`, () => {
      const list = POWER_LAW_LISTS.get(count);
      expect(list && powerLawDigest(powerLaw(count, list.nodes, list.seed))).toBe(digest);
    });
  }
});

describe("columns of the public surface", () => {
  it("hold the instants of the power law to the microsecond", () => {
    const list = powerLaw(1_000, 200, 5);
    const { time } = powerLawColumns(list);
    expect([...time]).toEqual([...list.second].map((second) => BigInt(second) * 1_000_000n));
  });

  it("name the edge of an event by its place in the log", () => {
    const data = events(1_000);
    expect(edgeRef(data, 0).key).toBe("#1");
    expect(edgeRef(data, 999)).toEqual({ src: `n${data.src[999]}`, type: "S", dst: `n${data.dst[999]}`, key: "#1000" });
  });
});

describe("a shuffled order", () => {
  it("holds every row once, is the same for a seed, and is not the order of time", () => {
    const order = shuffledOrder(10_000, 3);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 10_000 }, (_, row) => row));
    expect(shuffledOrder(10_000, 3)).toEqual(order);
    expect(order.filter((row, place) => row === place).length).toBeLessThan(10);
  });
});

describe("the demo's messages", () => {
  const messages = demoMessages();

  it("are two thousand between sixty people, in strict order of time, all in 2024", () => {
    expect(messages).toHaveLength(2_000);
    expect(new Set(messages.flatMap(({ from, to }) => [from, to])).size).toBe(60);
    for (const [index, message] of messages.entries()) {
      expect(message.id).toBe(index + 1);
      expect(message.from).not.toBe(message.to);
      if (index > 0) expect(message.sentUs > (messages[index - 1] as typeof message).sentUs).toBe(true);
      expect(new Date(Number(message.sentUs / 1_000n)).getUTCFullYear()).toBe(2024);
    }
  });

  it("answer an earlier message of the same two people", () => {
    const replies = messages.filter(({ replyTo }) => replyTo !== null);
    expect(replies.length).toBeGreaterThan(500);
    for (const { id, from, to, replyTo } of replies) {
      const answered = messages[(replyTo as number) - 1];
      expect(replyTo).toBeLessThan(id);
      expect([answered?.from, answered?.to]).toEqual([to, from]);
    }
  });

  it("are the same each time", () => {
    expect(demoMessages()).toEqual(messages);
  });
});
