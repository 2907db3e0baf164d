// A property of doubles that also holds integers which no double is equal to: shown, filtered and ordered by exact value.
// The expected order is that of integers and doubles compared as the numbers they are.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { Random } from "../support/random.js";

const P53 = 2n ** 53n;
const NUMBERS: readonly (number | bigint)[] = [
  ...[0, 0.5, -0.5, 3, 1e300, -1e300, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 5e-324, Number.MAX_SAFE_INTEGER],
  ...[P53 + 1n, P53 + 3n, -P53 - 1n, P53, 2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), 1n - 2n ** 63n, 2n ** 60n + 1n],
];

/** Doubles that are no integers are smaller than any bigint here. */
function compared(a: number | bigint, b: number | bigint): number {
  const [x, y] = [a, b].map((value) => (Number.isInteger(value) ? BigInt(value) : value));
  return x! < y! ? -1 : x! > y! ? 1 : 0;
}

/** A column of doubles shows an integer as a double where there is one for it. */
const shown = (value: number | bigint): number | bigint => (BigInt(Number(value)) === value ? Number(value) : value);

interface Row {
  readonly uid: string;
  readonly x: number | bigint | null;
}

describe("integers that no double is equal to, among doubles", () => {
  let db: Database;
  let rows: Row[];
  beforeAll(async () => {
    const random = new Random(53);
    const given = Array.from({ length: 200 }, (_, i) => ({
      uid: `n${String(i).padStart(3, "0")}`,
      x: random.below(10) === 0 ? null : random.pick(NUMBERS),
    }));
    rows = given.map(({ uid, x }) => ({ uid, x: typeof x === "bigint" ? shown(x) : x }));
    db = await open(":memory:");
    const node = ({ uid, x }: Row) => ({
      ...{ op: "assert_node", uid, labels: ["N"], valid_from: "2020-01-01" },
      props: x === null ? {} : { x },
    });
    await db.write(given.map(node) as never);
  });
  afterAll(() => db.close());

  const inOrder = (sign: 1 | -1): Row[] =>
    [...rows].sort(({ uid: a, x }, { uid: b, x: y }) => {
      // NULL is above all values unless the text says otherwise.
      const byValue = x === null || y === null ? Number(x === null) - Number(y === null) : compared(x, y);
      return sign * byValue || (a < b ? -1 : 1);
    });
  const asked = async (text: string): Promise<unknown> => (await db.query(text)).rows;

  it("are shown with every digit, in an order of exact values", async () => {
    const select = "SELECT n.uid, n.x FROM NODES(N) AS n ORDER BY n.x";
    expect(await asked(`${select} NULLS LAST`)).toEqual(inOrder(1));
    expect(await asked(`${select} DESC NULLS FIRST`)).toEqual(inOrder(-1));
    expect(await asked("SELECT n.uid FROM NODES(N) AS n ORDER BY n.x NULLS LAST")).toEqual(
      inOrder(1).map(({ uid }) => ({ uid })),
    );
    expect(await asked("SELECT n.uid, n.x FROM NODES(N) AS n")).toEqual(rows);
  });

  it.each([
    [0, 7],
    [13, 20],
    [190, 50],
    [400, 5],
    [5, 0],
  ])("in part, from row %i on %i rows", async (offset, limit) => {
    const text = `SELECT n.uid, n.x FROM NODES(N) AS n ORDER BY n.x NULLS LAST LIMIT ${limit} OFFSET ${offset}`;
    expect(await asked(text)).toEqual(inOrder(1).slice(offset, offset + limit));
  });

  it("are told apart in WHERE", async () => {
    for (const bound of [P53, P53 + 1n, P53 + 2n, 2n ** 63n - 1n]) {
      for (const [op, fits] of [
        ["=", (sign: number) => sign === 0],
        [">", (sign: number) => sign > 0],
        ["<=", (sign: number) => sign <= 0],
      ] as const) {
        const expected = rows.filter(({ x }) => x !== null && fits(compared(x, bound)));
        expect(await asked(`SELECT n.uid, n.x FROM NODES(N) AS n WHERE n.x ${op} ${bound}`)).toEqual(expected);
      }
    }
  });

  it("keep their digits as Arrow", async () => {
    const table = await db.query("SELECT n.x FROM NODES(N) AS n ORDER BY n.uid").toArrow();
    const texts = [...table.getChild("x")!].map((text) => (text === null ? null : String(text)));
    expect(table.schema.fields[0]!.metadata.get("palimpsest:encoding")).toBe("json");
    for (const [i, { x }] of rows.entries()) {
      if (typeof x === "bigint" || x === null) expect(texts[i]).toBe(x === null ? null : String(x));
      else expect(Number(texts[i])).toBe(x);
    }
  });

  it.each([
    "SELECT SUM(n.x) AS s FROM NODES(N) AS n",
    "SELECT n.x + 1 AS y FROM NODES(N) AS n",
    "SELECT n.x, COUNT(*) AS c FROM NODES(N) AS n GROUP BY n.x",
  ])("are refused by their column where doubles are computed: %s", async (text) => {
    await expect(asked(text)).rejects.toMatchObject({
      code: "E_INVALID_ARG",
      message: expect.stringMatching(/^props\.x: no double is equal to -?\d{16,}$/),
      hint: expect.stringContaining("WHERE"),
    });
    // Without those rows there is an answer.
    expect(await asked(text.replace(" AS n", " AS n WHERE n.x = 0.5"))).not.toEqual([]);
  });
});
