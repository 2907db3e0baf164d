// SELECT against brute force over small random tables: joins, groups, windows, subqueries, sets, order.
// The oracle is written from the meaning of each clause, in plain loops; it shares no code with the product.
import { describe, expect, it } from "vitest";
import { formatInstant } from "../../src/contract/instant.js";
import {
  type Cell,
  compareCells,
  compareRows,
  compareTexts,
  HOUR_US,
  nullsLast,
  type Random,
  type Row,
  randomOf,
  randomRows,
  tableOf,
} from "./random.js";
import { rowsOf, type TestTables } from "./tables.js";

const ROUNDS = 12;

async function cells(text: string, tables: TestTables): Promise<Cell[][]> {
  return (await rowsOf(text, tables)).map((row) => Object.values(row) as Cell[]);
}

/** Runs a check over random tables t and u. */
function overTables(
  title: string,
  check: (t: Row[], u: Row[], tables: TestTables, random: Random) => Promise<void>,
): void {
  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(`${title}, seed %i`, async (seed) => {
    const random = randomOf(seed * 7919 + title.length);
    const [t, u] = [randomRows(random), randomRows(random)];
    await check(t, u, { t: tableOf(t), u: tableOf(u) }, random);
  });
}

const same = (a: unknown, b: unknown): boolean => a !== null && b !== null && a === b;
const sorted = (rows: Cell[][]): Cell[][] => [...rows].sort(compareRows);
const ofRow = (row: Row | null): Cell[] => (row === null ? [null, null] : [row.k, row.seq]);

describe("joins", () => {
  const on = (a: Row, b: Row): boolean => same(a.k, b.k) && a.n !== null && b.n !== null && a.n <= b.n;
  const kinds: Readonly<Record<string, (t: Row[], u: Row[]) => Cell[][]>> = {
    JOIN: (t, u) => t.flatMap((a) => u.filter((b) => on(a, b)).map((b) => [...ofRow(a), ...ofRow(b)])),
    "LEFT JOIN": (t, u) =>
      t.flatMap((a) => {
        const found = u.filter((b) => on(a, b));
        return (found.length > 0 ? found : [null]).map((b) => [...ofRow(a), ...ofRow(b)]);
      }),
    "RIGHT JOIN": (t, u) =>
      u.flatMap((b) => {
        const found = t.filter((a) => on(a, b));
        return (found.length > 0 ? found : [null]).map((a) => [...ofRow(a), ...ofRow(b)]);
      }),
    "FULL JOIN": (t, u) => [
      ...kinds["LEFT JOIN"]!(t, u),
      ...u.filter((b) => !t.some((a) => on(a, b))).map((b) => [null, null, ...ofRow(b)]),
    ],
  };
  for (const [kind, expected] of Object.entries(kinds)) {
    overTables(kind, async (t, u, tables) => {
      const text = `SELECT t.k, t.seq AS a, u.k AS k2, u.seq AS b FROM t ${kind} u ON t.k = u.k AND t.n <= u.n`;
      expect(await cells(text, tables)).toEqual(sorted(expected(t, u)));
    });
  }
  for (const [kind, isThere] of [
    ["SEMI", true],
    ["ANTI", false],
  ] as const) {
    overTables(`${kind} JOIN`, async (t, u, tables) => {
      const expected = t.filter((a) => u.some((b) => on(a, b)) === isThere).map(ofRow);
      expect(await cells(`SELECT t.k, t.seq FROM t ${kind} JOIN u ON t.k = u.k AND t.n <= u.n`, tables)).toEqual(
        sorted(expected),
      );
    });
  }
  overTables("FULL JOIN USING has one column", async (t, u, tables) => {
    const pairs = (a: Row | null, b: Row | null): Cell[] => [(a ?? b)!.k, a?.seq ?? null, b?.seq ?? null];
    const expected = [
      ...t.flatMap((a) => {
        const found = u.filter((b) => same(a.k, b.k));
        return (found.length > 0 ? found : [null]).map((b) => pairs(a, b));
      }),
      ...u.filter((b) => !t.some((a) => same(a.k, b.k))).map((b) => pairs(null, b)),
    ];
    expect(await cells("SELECT k, t.seq AS a, u.seq AS b FROM t FULL JOIN u USING (k)", tables)).toEqual(
      sorted(expected),
    );
  });
  overTables("comma and CROSS JOIN", async (t, u, tables) => {
    const expected = t.flatMap((a) => u.filter((b) => a.ok === true && b.seq > a.seq).map((b) => [a.seq, b.seq]));
    expect(await cells("SELECT t.seq AS a, u.seq AS b FROM t, u WHERE t.ok AND u.seq > t.seq", tables)).toEqual(
      sorted(expected),
    );
    expect(
      await cells("SELECT t.seq AS a, u.seq AS b FROM t CROSS JOIN u WHERE t.ok AND u.seq > t.seq", tables),
    ).toEqual(sorted(expected));
  });
});

/** Groups by some key, NULL a key like any other, in the order of first meeting. */
function grouped<K extends Cell[]>(rows: readonly Row[], keyOf: (row: Row) => K): Map<string, { key: K; rows: Row[] }> {
  const groups = new Map<string, { key: K; rows: Row[] }>();
  for (const row of rows) {
    const key = keyOf(row);
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(name, group);
  }
  return groups;
}

const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null) as T[];
const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
/** To 9 decimals, half to even; sums of quarters over small counts lie far from any half. */
const nine = (value: number): number => Number(value.toFixed(9)) + 0;

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const inOrder = ascending(values);
  const middle = (inOrder[(inOrder.length - 1) >> 1]! + inOrder[inOrder.length >> 1]!) / 2;
  return nine(middle);
}

describe("groups", () => {
  overTables("aggregates", async (t, _, tables) => {
    const expected = [...grouped(t, ({ k }) => [k]).values()].map(({ key, rows }): Cell[] => {
      const [n, x] = [known(rows.map((row) => row.n)), known(rows.map((row) => row.x))];
      const total = (values: readonly number[]): number | null =>
        values.length === 0 ? null : values.reduce((a, b) => a + b, 0) + 0;
      const firsts = rows.filter((row) => row.n !== null && row.x !== null);
      const extreme = (isMax: boolean): number | null => {
        const order = [...firsts].sort((a, b) => (isMax ? b.x! - a.x! : a.x! - b.x!) || a.n! - b.n!);
        return order[0]?.n ?? null;
      };
      const spread =
        x.length === 0
          ? null
          : Math.sqrt(x.reduce((sum, each) => sum + (each - total(x)! / x.length) ** 2, 0) / x.length);
      return [
        ...key,
        rows.length,
        n.length,
        new Set(n).size,
        total(n),
        total(x),
        n.length === 0 ? null : nine(total(n)! / n.length),
        x.length === 0 ? null : nine(total(x)! / x.length),
        n.length === 0 ? null : Math.min(...n),
        x.length === 0 ? null : Math.max(...x),
        medianOf(n),
        medianOf(x),
        extreme(false),
        extreme(true),
        rows.filter((row) => row.ok === true).length,
        spread === null ? null : nine(spread),
      ];
    });
    const text = `SELECT t.k, COUNT(*) AS c, COUNT(t.n) AS cn, COUNT(DISTINCT t.n) AS d, SUM(t.n) AS sn, SUM(t.x) AS sx,
      AVG(t.n) AS an, AVG(t.x) AS ax, MIN(t.n) AS mn, MAX(t.x) AS mx, MEDIAN(t.n) AS dn, MEDIAN(t.x) AS dx,
      ARG_MIN(t.n, t.x) AS lo, ARG_MAX(t.n, t.x) AS hi, COUNT(*) FILTER (WHERE t.ok) AS f, STDDEV_POP(t.x) AS s
      FROM t GROUP BY t.k`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("lists and texts by value", async (t, _, tables) => {
    const expected = [...grouped(t, ({ ok }) => [ok]).values()].map(({ key, rows }): Cell[] => {
      const texts = known(rows.map(({ k }) => k)).sort(compareTexts);
      const byTime = [...rows].sort((a, b) => compareCells(b.at, a.at) || nullsLast(a.k, b.k));
      const numbers = rows.map(({ n }) => n as Cell).sort(compareCells);
      return [
        ...key,
        texts.length === 0 ? null : texts.join("+"),
        texts.length === 0 ? null : [...new Set(texts)].join("+"),
        numbers,
        byTime.map(({ k, at }) => [formatInstant(at), k]).map(([at]) => at!),
      ];
    });
    const text = `SELECT t.ok, STRING_AGG(t.k, '+') AS a, STRING_AGG(DISTINCT t.k, '+' ORDER BY t.k) AS b, LIST(t.n) AS l,
      LIST(t.at ORDER BY t.at DESC) AS o FROM t GROUP BY t.ok`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("without keys there is one row, with HAVING none or some", async (t, _, tables) => {
    expect(await cells("SELECT COUNT(*) AS c, MAX(t.n) AS m FROM t", tables)).toEqual([
      [
        t.length,
        t.length === 0 || known(t.map(({ n }) => n)).length === 0 ? null : Math.max(...known(t.map(({ n }) => n))),
      ],
    ]);
    const groups = [...grouped(t, ({ n, ok }) => [n, ok]).values()].filter(({ rows }) => rows.length > 1);
    const text = "SELECT t.n, t.ok, COUNT(*) AS c FROM t GROUP BY ALL HAVING c > 1";
    expect(await cells(text, tables)).toEqual(sorted(groups.map(({ key, rows }) => [...key, rows.length])));
  });

  overTables("keys that are expressions, under output names", async (t, _, tables) => {
    const band = ({ n }: Row): string => (n === null || n <= 0 ? "low" : "high");
    const expected = [...grouped(t, (row) => [band(row)]).values()].map(({ key, rows }): Cell[] => [
      ...key,
      rows.length,
    ]);
    const text =
      "SELECT CASE WHEN t.n > 0 THEN 'high' ELSE 'low' END AS band, COUNT(*) AS c FROM t GROUP BY band ORDER BY c DESC, band";
    const inOrder = expected.sort((a, b) => compareCells(b[1]!, a[1]!) || compareCells(a[0]!, b[0]!));
    expect(await cells(text, tables)).toEqual(inOrder);
  });
});

describe("windows", () => {
  /** Rows of a partition in the written order (at, NULLs none), ties by seq. */
  const partitions = (t: Row[]): Row[][] =>
    [...grouped(t, ({ k }) => [k]).values()].map(({ rows }) =>
      [...rows].sort((a, b) => compareCells(a.at, b.at) || a.seq - b.seq),
    );

  overTables("numbers, neighbours and running sums tell ties apart by seq", async (t, _, tables) => {
    const expected = partitions(t).flatMap((rows) =>
      rows.map((row, i): Cell[] => [
        row.seq,
        i + 1,
        rows[i - 1]?.seq ?? null,
        rows[i + 2]?.seq ?? -1,
        rows[0]!.seq,
        known(rows.slice(0, i + 1).map(({ n }) => n)).length === 0
          ? null
          : known(rows.slice(0, i + 1).map(({ n }) => n)).reduce((a, b) => a + b, 0) + 0,
        rows.slice(Math.max(0, i - 1), i + 2).length,
      ]),
    );
    const text = `SELECT t.seq, ROW_NUMBER() OVER w AS r, LAG(t.seq) OVER w AS p, LEAD(t.seq, 2, -1) OVER w AS l,
      FIRST_VALUE(t.seq) OVER w AS f, SUM(t.n) OVER (PARTITION BY t.k ORDER BY t.at ROWS UNBOUNDED PRECEDING) AS s,
      COUNT(*) OVER (PARTITION BY t.k ORDER BY t.at ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS c
      FROM t WINDOW w AS (PARTITION BY t.k ORDER BY t.at)`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("ranks and RANGE frames see peers", async (t, _, tables) => {
    const expected = partitions(t).flatMap((rows) =>
      rows.map((row): Cell[] => [
        row.seq,
        rows.filter(({ at }) => at < row.at).length + 1,
        new Set(rows.filter(({ at }) => at < row.at).map(({ at }) => at)).size + 1,
        rows.filter(({ at }) => at > row.at - 2n * HOUR_US - 1n && at <= row.at).length,
        rows.filter(({ at }) => at <= row.at).length,
      ]),
    );
    const text = `SELECT t.seq, RANK() OVER w AS r, DENSE_RANK() OVER w AS d,
      COUNT(*) OVER (PARTITION BY t.k ORDER BY t.at RANGE BETWEEN DURATION 'PT2H' PRECEDING AND CURRENT ROW) AS c,
      COUNT(*) OVER w AS p FROM t WINDOW w AS (PARTITION BY t.k ORDER BY t.at)`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("aggregates over a partition", async (t, _, tables) => {
    const expected = partitions(t).flatMap((rows) => {
      const numbers = known(rows.map(({ n }) => n));
      const firsts = rows.filter(({ n, x }) => n !== null && x !== null).sort((a, b) => a.x! - b.x! || a.n! - b.n!);
      const all: Cell[] = [
        numbers.length === 0 ? null : nine(numbers.reduce((a, b) => a + b, 0) / numbers.length),
        medianOf(numbers),
        firsts[0]?.n ?? null,
        rows.map(({ seq }) => seq).sort((a, b) => a - b),
        new Set(numbers).size,
      ];
      return rows.map(({ seq }): Cell[] => [seq, ...all]);
    });
    const text = `SELECT t.seq, AVG(t.n) OVER w AS a, MEDIAN(t.n) OVER w AS m, ARG_MIN(t.n, t.x) OVER w AS f,
      LIST(t.seq) OVER w AS l, COUNT(DISTINCT t.n) OVER w AS d FROM t WINDOW w AS (PARTITION BY t.k)`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("sessions begin after a longer pause", async (t, _, tables) => {
    const expected = partitions(t).flatMap((rows) => {
      let session = 1;
      return rows.map((row, i): Cell[] => {
        if (i > 0 && row.at - rows[i - 1]!.at > HOUR_US) session += 1;
        return [row.seq, session];
      });
    });
    const text = "SELECT t.seq, SESSION_NO(t.at, DURATION 'PT1H') OVER (PARTITION BY t.k ORDER BY t.at) AS s FROM t";
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("QUALIFY, and windows over groups", async (t, _, tables) => {
    const firsts = partitions(t).flatMap((rows) => rows.slice(0, 2).map(({ seq }): Cell[] => [seq]));
    expect(
      await cells("SELECT t.seq FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY t.k ORDER BY t.at) <= 2", tables),
    ).toEqual(sorted(firsts));
    const counts = [...grouped(t, ({ k }) => [k]).values()].map(({ key, rows }) => ({
      key: key[0]!,
      count: rows.length,
    }));
    const ranked = counts.map(({ key, count }): Cell[] => [
      key,
      count,
      counts.filter((other) => other.count > count).length + 1,
    ]);
    const text = "SELECT t.k, COUNT(*) AS c, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t GROUP BY t.k";
    expect(await cells(text, tables)).toEqual(sorted(ranked));
  });
});

describe("subqueries", () => {
  overTables("correlated EXISTS and scalars", async (t, u, tables) => {
    const expected = t
      .filter((a) => !u.some((b) => same(a.k, b.k) && b.at < a.at))
      .map((a): Cell[] => {
        const others = known(u.filter((b) => same(a.k, b.k)).map(({ n }) => n));
        return [a.seq, others.length === 0 ? null : Math.max(...others)];
      });
    const text = `SELECT t.seq, (SELECT MAX(u.n) FROM u WHERE u.k = t.k) AS m FROM t
      WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND u.at < t.at)`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });

  overTables("NOT IN is unknown beside a NULL", async (t, u, tables) => {
    const others = u.map(({ n }) => n);
    const isOut = (n: number | null): boolean =>
      others.length === 0 || (n !== null && !others.includes(n) && !others.includes(null));
    const expected = t.filter(({ n }) => isOut(n)).map(({ seq }): Cell[] => [seq]);
    expect(await cells("SELECT t.seq FROM t WHERE t.n NOT IN (SELECT u.n FROM u)", tables)).toEqual(sorted(expected));
  });

  overTables("a WITH name is used twice", async (t, _, tables) => {
    const counts = [...grouped(t, ({ n }) => [n]).values()].map(({ key, rows }) => [key[0]!, rows.length] as const);
    const mean = counts.reduce((sum, [, count]) => sum + count, 0) / counts.length;
    const expected = counts.filter(([, count]) => count > mean).map(([key, count]): Cell[] => [key, count]);
    const text = `WITH g AS (SELECT t.n, COUNT(*) AS c FROM t GROUP BY t.n)
      SELECT g.n, g.c FROM g WHERE g.c > (SELECT AVG(h.c) FROM g AS h)`;
    expect(await cells(text, tables)).toEqual(sorted(expected));
  });
});

describe("sets", () => {
  const names = (rows: readonly Cell[][]): string[] => rows.map((row) => JSON.stringify(row));
  const set = (rows: readonly Cell[][]): Cell[][] => [
    ...new Map(rows.map((row) => [JSON.stringify(row), row])).values(),
  ];
  const less = (a: readonly Cell[][], b: readonly Cell[][]): Cell[][] => {
    const left = names(b);
    return a.filter((row) => {
      const at = left.indexOf(JSON.stringify(row));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const pairs = (rows: readonly Row[]): Cell[][] => rows.map(({ k, n }) => [k, n]);
  const kinds: Readonly<Record<string, (a: Cell[][], b: Cell[][]) => Cell[][]>> = {
    "UNION ALL": (a, b) => [...a, ...b],
    UNION: (a, b) => set([...a, ...b]),
    EXCEPT: (a, b) => set(a).filter((row) => !names(b).includes(JSON.stringify(row))),
    INTERSECT: (a, b) => set(a).filter((row) => names(b).includes(JSON.stringify(row))),
    "EXCEPT ALL": less,
    "INTERSECT ALL": (a, b) => less(a, less(a, b)),
  };
  for (const [kind, expected] of Object.entries(kinds)) {
    overTables(kind, async (t, u, tables) => {
      expect(await cells(`SELECT t.k, t.n FROM t ${kind} SELECT u.k, u.n FROM u`, tables)).toEqual(
        sorted(expected(pairs(t), pairs(u))),
      );
    });
  }
  overTables("INTERSECT binds before UNION", async (t, u, tables) => {
    const [a, b] = [pairs(t), pairs(u)];
    const expected = kinds.UNION!(a, kinds.INTERSECT!(b, a));
    expect(
      await cells("SELECT t.k, t.n FROM t UNION SELECT u.k, u.n FROM u INTERSECT SELECT t.k, t.n FROM t", tables),
    ).toEqual(sorted(expected));
  });
});

describe("order", () => {
  overTables("written items, NULLs last, then all columns", async (t, _, tables) => {
    const expected = t
      .map(({ n, k, ok }): Cell[] => [n, k, ok])
      .sort((a, b) => nullsLast(a[1]!, b[1]!, true) || compareRows(a, b));
    expect(await cells("SELECT t.n, t.k, t.ok FROM t ORDER BY t.k DESC", tables)).toEqual(expected);
    const nullsFirst = t
      .map(({ n, k }): Cell[] => [n, k])
      .sort((a, b) => compareCells(a[1]!, b[1]!) || compareRows(a, b));
    expect(await cells("SELECT t.n, t.k FROM t ORDER BY t.k NULLS FIRST", tables)).toEqual(nullsFirst);
  });

  overTables("expressions that are not selected, cut by LIMIT and OFFSET", async (t, _, tables) => {
    const expected = [...t]
      .sort(
        (a, b) =>
          nullsLast(a.n === null ? null : Math.abs(a.n), b.n === null ? null : Math.abs(b.n)) || compareCells(a.k, b.k),
      )
      .slice(1, 5)
      .map(({ k }): Cell[] => [k]);
    expect(await cells("SELECT t.k FROM t ORDER BY ABS(t.n) LIMIT 4 OFFSET 1", tables)).toEqual(expected);
  });

  overTables("WITH TIES keeps what equals the last", async (t, _, tables) => {
    const inOrder = t
      .map(({ n, seq }): Cell[] => [n, seq])
      .sort((a, b) => nullsLast(a[0]!, b[0]!) || compareRows(a, b));
    const last = inOrder[3];
    const expected = inOrder.filter((row, i) => i >= 1 && (i <= 3 || (last !== undefined && row[0] === last[0])));
    expect(await cells("SELECT t.n, t.seq FROM t ORDER BY t.n LIMIT 3 WITH TIES OFFSET 1", tables)).toEqual(expected);
  });

  overTables("a limit inside of a query takes the same rows each time", async (t, _, tables) => {
    const three = [...t].sort((a, b) => nullsLast(a.k, b.k) || compareCells(a.k, b.k) || a.seq - b.seq).slice(0, 3);
    const expected = three.map(({ k, seq }): Cell[] => [k, seq]);
    const text = "SELECT q.k, q.seq FROM (SELECT t.k, t.seq FROM t ORDER BY t.k LIMIT 3) AS q ORDER BY q.k";
    expect(await cells(text, tables)).toEqual(expected.sort((a, b) => nullsLast(a[0]!, b[0]!) || compareRows(a, b)));
  });
});
