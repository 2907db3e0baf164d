// Types of values in rows, by the text of a statement. The compiler checks what it says of each expression, and judges of
// those very types check what the statement gives: a judge that allows another type than the compiler says does not compile.
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { JsonValue } from "../../src/contract/values.js";
import { type Database, open } from "../../src/index.js";
import type { RowOf } from "../../src/query/statements/row-types.js";

type Int = number | bigint;
type Of<Item extends string, Rest extends string = "EDGES(R) AS e"> = RowOf<`SELECT ${Item} AS x FROM ${Rest}`>;
type X<Value> = { readonly x: Value };

it("knows the columns of the one base table that is read", () => {
  expectTypeOf<Of<"e.src">>().toEqualTypeOf<X<string>>();
  expectTypeOf<Of<"dst">>().toEqualTypeOf<X<string>>();
  expectTypeOf<Of<"e.seq">>().toEqualTypeOf<X<Int>>();
  expectTypeOf<Of<"e.valid_from">>().toEqualTypeOf<X<string>>();
  expectTypeOf<Of<"e.valid_to">>().toEqualTypeOf<X<string | null>>();
  expectTypeOf<Of<"n.labels", "NODES() AS n WHERE n.age > 3 ORDER BY n.uid, n.age">>().toEqualTypeOf<X<string[]>>();
  expectTypeOf<Of<"v.duration", "events(A, B) as v">>().toEqualTypeOf<X<string | null>>();
  expectTypeOf<RowOf<"SELECT src, COUNT(*) AS n FROM EVENTS(R) GROUP BY src">>().toEqualTypeOf<{
    readonly src: string;
    readonly n: Int;
  }>();
});

it("leaves open what only the data tells, and columns of other sources", () => {
  expectTypeOf<Of<"e.weight">>().toEqualTypeOf<X<JsonValue>>();
  // Of an edge these are properties, if anything.
  expectTypeOf<Of<"e.uid">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"src", "t">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"n.src", "EDGES(R) AS e, NODES() AS n">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"e.src", "NODES() AS n LEFT JOIN EDGES(R) AS e ON e.src = n.uid">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"e.src", "EDGES(R) AS e uNiOn ALL SELECT NULL AS x">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"e.src", "EDGES(R) AS e -- where\n , NODES() AS n">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"CASE WHEN e.seq > 1 THEN 2 END">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"COALESCE(e.a, e.b)">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Of<"e.valid_to - e.valid_from">>().toEqualTypeOf<X<JsonValue>>();
});

it("knows of sets of rows what any of their parts has there", () => {
  type Set<Rest extends string> = Of<"e.src", `EDGES(R) AS e ${Rest}`>;
  expectTypeOf<Set<"UNION ALL SELECT n.uid FROM NODES() AS n ORDER BY x">>().toEqualTypeOf<X<string>>();
  expectTypeOf<Set<"union select NULL from NODES() AS n">>().toEqualTypeOf<X<string | null>>();
  expectTypeOf<Set<"EXCEPT SELECT v.duration FROM EVENTS(R) AS v">>().toEqualTypeOf<X<string | null>>();
  expectTypeOf<Set<"UNION SELECT n.uid FROM NODES() AS n INTERSECT SELECT tx_to FROM EDGES(R)">>().toEqualTypeOf<
    X<string | null>
  >();
  expectTypeOf<RowOf<"SELECT seq AS n, src FROM EDGES(R) UNION SELECT 1.5, valid_to FROM NODES()">>().toEqualTypeOf<{
    readonly n: Int;
    readonly src: string | null;
  }>();
  // A property, a star, what is no SELECT of a table, and words that may stand elsewhere are open.
  expectTypeOf<Set<"UNION SELECT n.name FROM NODES() AS n">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Set<"UNION SELECT * FROM t">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Set<"UNION MATCH (n) RETURN n.uid">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Set<"WHERE e.src = ' UNION SELECT uid FROM NODES()'">>().toEqualTypeOf<X<JsonValue>>();
  expectTypeOf<Set<"WHERE e.src IN (SELECT uid FROM NODES() UNION SELECT src FROM EDGES(R))">>().toEqualTypeOf<
    X<JsonValue>
  >();
  expectTypeOf<Of<"1", "EDGES(R) AS e Union select NULL FROM NODES()">>().toEqualTypeOf<X<Int | null>>();
  expectTypeOf<Of<"1", "EDGES(R) AS e uNION select NULL FROM NODES()">>().toEqualTypeOf<X<JsonValue>>();
});

it("knows literals, aggregates, casts, functions and sums of numbers", () => {
  expectTypeOf<Of<"12">>().toEqualTypeOf<X<Int>>();
  expectTypeOf<Of<"1.5">>().toEqualTypeOf<X<number>>();
  expectTypeOf<Of<"true">>().toEqualTypeOf<X<boolean>>();
  expectTypeOf<Of<"NULL">>().toEqualTypeOf<X<null>>();
  expectTypeOf<Of<"COUNT(DISTINCT e.src)">>().toEqualTypeOf<X<Int>>();
  expectTypeOf<Of<"MAX(e.valid_from)">>().toEqualTypeOf<X<string | null>>();
  expectTypeOf<Of<"sum(e.seq)">>().toEqualTypeOf<X<Int | null>>();
  expectTypeOf<Of<"SUM(e.weight)">>().toEqualTypeOf<X<Int | string | null>>();
  expectTypeOf<Of<"AVG(e.seq)">>().toEqualTypeOf<X<number | null>>();
  expectTypeOf<Of<"CAST(e.weight AS DOUBLE)">>().toEqualTypeOf<X<number | null>>();
  expectTypeOf<Of<"UPPER(e.src)">>().toEqualTypeOf<X<string | null>>();
  expectTypeOf<Of<"e.seq * 2 + 1">>().toEqualTypeOf<X<Int | null>>();
  expectTypeOf<Of<"e.seq + e.weight">>().toEqualTypeOf<X<JsonValue>>();
});

/** Whether a value is of the type; the compiler checks that it says no more than the row does. */
type Judges<Row> = { readonly [Name in keyof Row]: (value: JsonValue) => value is JsonValue & Row[Name] };
const isText = (value: JsonValue): value is string => typeof value === "string";
const isInt = (value: JsonValue): value is Int => typeof value === "bigint" || Number.isInteger(value);
const isNumber = (value: JsonValue): value is number => typeof value === "number";
const isTruth = (value: JsonValue): value is boolean => typeof value === "boolean";
const isTexts = (value: JsonValue): value is string[] => Array.isArray(value) && value.every(isText);
const orNull =
  <T extends JsonValue>(is: (value: JsonValue) => value is T) =>
  (value: JsonValue): value is T | null =>
    value === null || is(value);

describe("a database", () => {
  let db: Database;
  beforeAll(async () => {
    db = await open(":memory:");
    const common = { valid_from: "2020-01-01", valid_to: "2021-01-01" };
    await db.write([
      { op: "assert_node", uid: "a", labels: ["P", "Q"], props: {}, ...common, valid_to: null },
      { op: "assert_edge", src: "a", type: "R", dst: "b", props: { w: 2, big: 2n ** 60n, s: "t" }, ...common },
      { op: "assert_edge", src: "a", type: "R", dst: "c", props: { w: 3 }, valid_from: "2020-02-01", source: "x" },
    ]);
  });
  afterAll(() => db.close());

  /** Runs a statement and judges every value of it. */
  async function judged<const Text extends string>(text: Text, judges: Judges<RowOf<Text>>): Promise<void> {
    const { rows } = await db.query(text);
    expect(rows.length, text).toBeGreaterThan(0);
    for (const row of rows as readonly Record<string, JsonValue>[]) {
      expect(Object.keys(row).sort(), text).toEqual(Object.keys(judges).sort());
      for (const [name, is] of Object.entries(judges) as [string, (value: JsonValue) => boolean][]) {
        expect(is(row[name]!), `${text}: ${name} is ${String(row[name])}`).toBe(true);
      }
    }
  }

  it("gives columns as they are declared", async () => {
    await judged("SELECT src, type, dst, key, seq, valid_from, valid_to, tx, tx_from, tx_to, source FROM EDGES(R)", {
      ...{ src: isText, type: isText, dst: isText, key: isText, seq: isInt, valid_from: isText, tx: isInt },
      ...{ valid_to: orNull(isText), tx_from: isText, tx_to: orNull(isText), source: orNull(isText) },
    });
    await judged("SELECT n.uid, n.labels, n.ended_by, n.reason FROM NODES(P) AS n", {
      ...{ uid: isText, labels: isTexts, ended_by: orNull(isText), reason: orNull(isText) },
    });
    await judged("SELECT at, duration, seq FROM EVENTS(R)", { at: isText, duration: orNull(isText), seq: isInt });
    await judged("SELECT uid, other, role, at FROM ENDPOINTS(R)", {
      uid: isText,
      other: isText,
      role: isText,
      at: isText,
    });
  });

  it("gives computed values as they are declared", async () => {
    await judged(
      "SELECT e.src, COUNT(*) AS n, SUM(e.seq) AS total, AVG(e.seq) AS mean, MIN(e.valid_to) AS first FROM EDGES(R) AS e GROUP BY e.src",
      { src: isText, n: isInt, total: orNull(isInt), mean: orNull(isNumber), first: orNull(isText) },
    );
    await judged(
      "SELECT CAST(e.big AS INT64) AS big, CAST(e.w AS DOUBLE) AS d, CAST(e.w AS STRING) AS s, e.seq / 2 AS half, 3 AS three FROM EDGES(R) AS e",
      {
        big: orNull(isInt),
        d: orNull(isNumber),
        s: orNull(isText),
        half: orNull((x): x is number => isNumber(x)),
        three: isInt,
      },
    );
    await judged(
      "SELECT LENGTH(e.src) AS l, UPPER(e.s) AS u, SQRT(e.seq) AS r, TRUE AS yes, BOOL_AND(e.w > 1) AS every FROM EDGES(R) AS e GROUP BY ALL",
      { l: orNull(isInt), u: orNull(isText), r: orNull(isNumber), yes: isTruth, every: orNull(isTruth) },
    );
    await judged("SELECT DAY_NAME(e.valid_from) AS m, EPOCH_MICROS(e.valid_to) AS us FROM EDGES(R) AS e", {
      ...{ m: orNull(isText), us: orNull(isInt) },
    });
  });

  it("gives sets of rows as they are declared", async () => {
    await judged("SELECT e.src AS x FROM EDGES(R) AS e UNION ALL SELECT n.uid FROM NODES(P) AS n", { x: isText });
    await judged("SELECT ended_by AS x, seq AS n FROM EDGES(R) UNION SELECT uid, 1.5 FROM NODES(P)", {
      x: orNull(isText),
      n: (value): value is Int => isInt(value) || isNumber(value),
    });
    await judged("SELECT e.dst AS x FROM EDGES(R) AS e EXCEPT SELECT NULL FROM NODES(P)", { x: orNull(isText) });
    await judged("SELECT src AS x FROM EDGES(R) INTERSECT SELECT uid FROM NODES(P)", { x: isText });
  });

  it("refuses to take a value for what it is not", async () => {
    const { rows } = await db.prepare("SELECT src, COUNT(*) AS n, MAX(w) AS most FROM EDGES(R) GROUP BY src").run();
    const [row] = rows;
    const src: string = row!.src;
    expect([src, row!.n, row!.most]).toEqual(["a", 2, 3]);
    // @ts-expect-error: a count is no text
    const text: string = row!.n;
    // @ts-expect-error: a property may hold anything
    const most: number = row!.most;
    expect([text, most]).toEqual([2, 3]);
  });
});
