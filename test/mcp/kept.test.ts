// What a server keeps of its answers is bounded by what they hold, long texts among them.
import { expect, it } from "vitest";
import { Kept, weightOfRows } from "../../src/mcp/kept.js";

const MIB = 1 << 20;

it("weighs rows by their texts, however deep these lie, and many rows by some of them", () => {
  const text = "x".repeat(MIB);
  expect(weightOfRows([{ a: text, b: 1 }])).toBeGreaterThan(MIB);
  expect(weightOfRows([[{ props: { list: [text, text] } }]])).toBeGreaterThan(2 * MIB);
  const many = Array.from({ length: 50_000 }, () => ({ a: "y".repeat(100) }));
  const weight = weightOfRows(many);
  expect(weight).toBeGreaterThan(5_000_000);
  expect(weight).toBeLessThan(20_000_000);
  expect(weightOfRows([])).toBe(0);
});

it("lets the oldest go, and takes nothing that is a quarter of all", () => {
  const kept = new Kept<string>();
  const rows = Array.from({ length: 10 }, () => ({ a: "x".repeat(MIB) }));
  for (let i = 0; i < 10; i += 1) kept.put(`answer ${i}`, "…", weightOfRows(rows));
  expect(kept.digests().length).toBe(6);
  expect([kept.get("answer 3"), kept.get("answer 9")]).toEqual([undefined, "…"]);
  kept.put("heavy", "…", weightOfRows([...rows, ...rows]));
  expect(kept.get("heavy")).toBeUndefined();
});
