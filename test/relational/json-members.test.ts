// Members of JSON values: their own, the properties of an edge, and numbers among them under SUM and AVG.
import { expect, it } from "vitest";
import { open } from "../../src/index.js";

const EDGE = {
  src: "a",
  dst: "b",
  valid_from: "2025-01-01T00:00:00Z",
  valid_to: null,
  props: { fare: 12.5, src: "x" },
};
const PLAIN = { fare: 3, props: { cost: 7 } };

async function asked(text: string): Promise<readonly unknown[][]> {
  const db = await open(":memory:");
  try {
    const tables = {
      t: [
        { n: 1, e: EDGE },
        { n: 2, e: PLAIN },
        { n: 3, e: { fare: null } },
      ],
    };
    const answer = await db.call("select", { query: text, tables } as never);
    return (answer as unknown as { rows: Record<string, unknown>[] }).rows.map((row) => Object.values(row));
  } finally {
    await db.close();
  }
}

it("reads own members before the properties of an edge", async () => {
  expect(await asked("SELECT t.n, t.e.fare AS fare, t.e.src AS src, t.e['cost'] AS cost FROM t ORDER BY t.n")).toEqual([
    [1, 12.5, "a", null],
    [2, 3, null, null],
    [3, null, null, null],
  ]);
});

it("sums members that are numbers", async () => {
  expect(await asked("SELECT SUM(t.e.fare) AS s, AVG(t.e['fare']) AS m, MEDIAN(t.e.fare) AS d FROM t")).toEqual([
    [15.5, 7.75, 7.75],
  ]);
});

it("refuses other members, and whole values", async () => {
  await expect(asked("SELECT SUM(t.e.src) AS s FROM t")).rejects.toMatchObject({ code: "E_INVALID_ARG" });
  await expect(asked("SELECT SUM(t.e) AS s FROM t")).rejects.toMatchObject({ code: "E_SCHEMA" });
});
