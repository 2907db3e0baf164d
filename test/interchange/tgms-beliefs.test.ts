// What is believed of an identity while a log is read: against a model that holds each instant by itself, and for an
// identity that is written for ever.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Beliefs, type BelievedStretch } from "../../src/interchange/tgms/beliefs.js";

const REF = { uid: "a" };
const LAST = 12;
const ALWAYS = { fromUs: 0n, toUs: BigInt(LAST) };

/** The label that holds at each instant, null where nothing does. */
type Model = readonly (string | null)[];

function instantsOf(stretches: readonly BelievedStretch[]): Model {
  const found: (string | null)[] = new Array(LAST).fill(null);
  for (const { fromUs, toUs, labels } of stretches) {
    for (let us = Number(fromUs); us < Number(toUs); us += 1) {
      expect(found[us], "two stretches hold at one instant").toBeNull();
      found[us] = labels[0]!;
    }
  }
  return found;
}

const period = fc
  .tuple(fc.integer({ min: 0, max: LAST - 1 }), fc.integer({ min: 1, max: LAST }))
  .map(([from, length]) => ({ from, to: Math.min(LAST, from + length) }));
const step = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), period, label: fc.constantFrom("x", "y") }),
  fc.record({ kind: fc.constant("carve" as const), period, label: fc.constant(null) }),
  fc.constant({ kind: "keep" as const }),
  fc.constant({ kind: "takeBack" as const }),
);

it("is what the last write of each instant left, and what was there before a batch that is taken back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const beliefs = new Beliefs(async () => [
        { fromUs: 8n, toUs: 10n, labels: ["later"] },
        { fromUs: 2n, toUs: 5n, labels: ["earlier"] },
      ]);
      let now: Model = instantsOf(await beliefs.overlapping(REF, ALWAYS));
      expect(now).toEqual([
        null,
        null,
        ...["earlier", "earlier", "earlier"],
        null,
        null,
        null,
        "later",
        "later",
        null,
        null,
      ]);
      let kept = now;
      for (const each of steps) {
        if (each.kind === "keep") {
          beliefs.keep();
          kept = now;
        } else if (each.kind === "takeBack") {
          beliefs.takeBack();
          now = kept;
        } else {
          const { from, to } = each.period;
          const stretch = { fromUs: BigInt(from), toUs: BigInt(to) };
          if (each.kind === "carve") await beliefs.carve(REF, stretch);
          else await beliefs.write(REF, stretch, [each.label]);
          now = now.map((label, us) => (us >= from && us < to ? each.label : label));
        }
        const all = await beliefs.overlapping(REF, ALWAYS);
        expect(instantsOf(all)).toEqual(now);
        expect(await beliefs.isUnknown(REF)).toBe(now.every((label) => label === null));
        for (const [us, label] of now.entries()) {
          expect((await beliefs.at(REF, BigInt(us)))?.labels[0] ?? null).toBe(label);
          const next = await beliefs.overlapping(REF, { fromUs: BigInt(us), toUs: BigInt(us) + 2n });
          const near = now.slice(us, us + 2).filter((each) => each !== null);
          expect(next.length).toBeGreaterThanOrEqual(new Set(near).size);
          expect(next.length).toBeLessThanOrEqual(near.length);
        }
      }
    }),
    { numRuns: 100 },
  );
});

it("takes an identity that is written thirty thousand times, and takes it all back", {
  timeout: 10_000,
  retry: 2,
}, async () => {
  const count = 30_000;
  const beliefs = new Beliefs(async () => []);
  for (let i = 0; i < count; i += 1)
    await beliefs.write(REF, { fromUs: BigInt(2 * i), toUs: BigInt(2 * i + 1) }, ["x"]);
  const all = { fromUs: 0n, toUs: BigInt(2 * count) };
  expect(await beliefs.overlapping(REF, all)).toHaveLength(count);
  beliefs.keep();
  await beliefs.write(REF, all, ["y"]);
  expect(await beliefs.overlapping(REF, all)).toEqual([{ ...all, labels: ["y"] }]);
  beliefs.takeBack();
  expect(await beliefs.overlapping(REF, all)).toHaveLength(count);
  expect(await beliefs.at(REF, BigInt(2 * count - 2))).toMatchObject({ labels: ["x"] });
});
