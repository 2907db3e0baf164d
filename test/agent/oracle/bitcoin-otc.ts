// Oracle plans over ratings of traders: filters on a property, means and extremes, walks, series by year.
import { eventsOf, type FileEvent } from "./data.js";
import {
  arrivals,
  between,
  counted,
  during,
  earliest,
  inside,
  instant,
  nineDecimals,
  type OraclePlan,
  step,
  top,
  type Window,
} from "./plan.js";

const where = { types: ["RATED"] };
const YEARS = [2011, 2012, 2013].map((year) => between(`${year}-01-01`, `${year + 1}-01-01`));
const events = (window: Window): readonly FileEvent[] => inside(eventsOf("bitcoin-otc"), window);
const bad = { ...where, edge: [{ prop: "rating", op: "lt", value: 0 }] };
/** Ratings of a window as a source of TQL. */
const source = (window: Window): string => `FROM EVENTS(RATED) ${during(window)} AS e`;
const bySource = [{ dim: "node", role: "src" }];
const byTarget = [{ dim: "node", role: "dst" }];

const plan = (name: string, rest: Omit<OraclePlan, "name" | "store">): OraclePlan => ({
  name: `bitcoin-otc: ${name}`,
  store: "bitcoin-otc",
  ...rest,
});

const perYear = YEARS.flatMap((window): OraclePlan[] => {
  const year = window.from.slice(0, 4);
  return [
    plan(`bad ratings of ${year}, and who got the most`, {
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where: bad,
            group_by: byTarget,
            aggregates: [{ fn: "count", as: "n" }],
            order_by: [{ column: "n", desc: true }],
            limit: 3,
          }),
        ],
        answer: {
          kind: "count",
          from: "s1.events",
          also: [
            { kind: "count", from: "s1.rows_total" },
            { kind: "count", from: "s1.rows[0].n" },
          ],
        },
      },
      tql: {
        text: `WITH total AS (SELECT COUNT(*) AS n ${source(window)} WHERE e.rating < 0)
SELECT e.dst AS uid, COUNT(*) AS n ${source(window)} WHERE e.rating < 0 GROUP BY e.dst ORDER BY n DESC`,
        from: ["total.rows[0].n", "rows_total", "rows[0].n"],
      },
      expected() {
        const found = events(window).filter(({ rating }) => rating < 0);
        const counts = counted(found.map(({ dst }) => dst));
        return [found.length, counts.size, Math.max(...counts.values())];
      },
      claims: () => [{ type: "value", cell: "s1.rows[0].n", about: ["s1.rows[0].dst"] }],
    }),
    plan(`mean and extremes of the ratings of ${year}`, {
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where,
            aggregates: [
              { fn: "mean", prop: "rating", as: "mean" },
              { fn: "max", prop: "rating", as: "best" },
              { fn: "min", prop: "rating", as: "worst" },
              { fn: "count_distinct", of: "src", as: "raters" },
            ],
          }),
        ],
        answer: {
          kind: "value",
          from: "s1.rows[0].mean",
          also: [
            { kind: "value", from: "s1.rows[0].best" },
            { kind: "count", from: "s1.rows[0].raters" },
          ],
        },
      },
      tql: {
        text: `SELECT AVG(e.rating) AS mean, MAX(e.rating) AS best, COUNT(DISTINCT e.src) AS raters ${source(window)}`,
        from: ["rows[0].mean", "rows[0].best", "rows[0].raters"],
      },
      expected() {
        const ratings = events(window).map(({ rating }) => rating);
        const sum = ratings.reduce((a, b) => a + b, 0);
        return [
          nineDecimals(sum / ratings.length),
          Math.max(...ratings),
          new Set(events(window).map(({ src }) => src)).size,
        ];
      },
      claims: () => [{ type: "value", cell: "s1.rows[0].worst" }],
    }),
    plan(`whom the first reached of 35 rated in ${year}`, {
      mentions: [{ id: "q1", uid: "35" }],
      plan: {
        steps: [
          step("s1", "temporal_reachability", { uid: "35", window, where }),
          step("s2", "aggregate_events", {
            window,
            where: { ...where, src: { uids: [{ $ref: "s1.rows[0].uid" }] } },
            aggregates: [{ fn: "count", as: "n" }],
          }),
        ],
        answer: {
          kind: "count",
          from: "s1.reached[0].count",
          also: [{ kind: "value", from: "s1.rows[0].arrival" }],
        },
      },
      tql: {
        text: `WITH reached AS (CALL temporal_reachability(uid => '35', where => {types: ['RATED']}) ${during(window)})
SELECT COUNT(*) AS n ${source(window)} WHERE e.src = reached.rows[0].uid`,
        from: ["reached.reached[0].count", "reached.rows[0].arrival"],
      },
      expected() {
        const reached = arrivals(events(window), "35");
        return [reached.size, instant(earliest([...reached.values()]))];
      },
      claims: () => [{ type: "entity", cell: "s1.rows[0].uid", rank: { by: "arrival", side: "min" }, about: ["q1"] }],
    }),
    plan(`what 35 rated first and last in ${year}`, {
      mentions: [{ id: "q1", uid: "35" }],
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where: { ...where, src: { uids: ["35"] } },
            group_by: bySource,
            aggregates: [
              { fn: "min", of: "at", as: "first" },
              { fn: "max", of: "at", as: "last" },
              { fn: "count", as: "n" },
            ],
          }),
          step("s2", "compute", { fn: "diff", x: { $ref: "s1.rows[0].first" }, y: { $ref: "s1.rows[0].last" } }),
        ],
        answer: {
          kind: "ordering",
          from: "s2.value",
          also: [
            { kind: "value", from: "s1.rows[0].first" },
            { kind: "count", from: "s1.rows[0].n" },
          ],
        },
      },
      tql: {
        text: `WITH own AS (SELECT e.src AS uid, MIN(e.at) AS first, MAX(e.at) AS last, COUNT(*) AS n ${source(window)} WHERE e.src = '35' GROUP BY e.src)
CALL compute(fn => 'diff', x => own.rows[0].first, y => own.rows[0].last)`,
        from: ["value", "own.rows[0].first", "own.rows[0].n"],
      },
      expected() {
        const own = events(window).filter(({ src }) => src === "35");
        return ["before", instant(own[0]!.us), own.length];
      },
      claims: () => [
        { type: "value", cell: "s1.rows[0].last", about: ["s1.rows[0].src", "q1"] },
        {
          type: "ordering",
          a: { at: "s1.rows[0].first", of: "q1" },
          b: { at: "s1.rows[0].last", of: "s1.rows[0].src" },
          relation: "before",
        },
      ],
    }),
    plan(`bad ratings by 35 in ${year}: who got them`, {
      mentions: [{ id: "q1", uid: "35" }],
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where: { ...bad, src: { uids: ["35"] } },
            group_by: byTarget,
            aggregates: [{ fn: "count", as: "n" }],
          }),
        ],
        answer: { kind: "entity_set", from: "s1.rows[*].dst", also: [{ kind: "count", from: "s1.rows_total" }] },
      },
      tql: {
        text: `SELECT e.dst AS uid, COUNT(*) AS n ${source(window)} WHERE e.src = '35' AND e.rating < 0 GROUP BY e.dst`,
        from: ["rows[*].uid", "rows_total"],
      },
      expected() {
        const own = new Set(
          events(window)
            .filter(({ src, rating }) => src === "35" && rating < 0)
            .map(({ dst }) => dst),
        );
        return [[...own], own.size];
      },
    }),
  ];
});

const years = plan("ratings by year", {
  plan: {
    steps: [
      step("s1", "aggregate_events", {
        where,
        group_by: [{ dim: "calendar", unit: "year", zone: "UTC" }],
        aggregates: [{ fn: "count", as: "n" }],
        order_by: [{ column: "n", desc: true }],
      }),
    ],
    answer: { kind: "value", from: "s1.rows[0].year", also: [{ kind: "count", from: "s1.rows[0].n" }] },
  },
  tql: {
    text: "SELECT DATE_PART('year', e.at) AS year, COUNT(*) AS n FROM EVENTS(RATED) AS e GROUP BY year ORDER BY n DESC",
    from: ["rows[0].year", "rows[0].n"],
  },
  expected: () =>
    top(
      counted(eventsOf("bitcoin-otc").map((each) => new Date(Number(each.us / 1000n)).getUTCFullYear())),
    ) as unknown as unknown[],
  claims: () => [{ type: "value", cell: "s1.rows[0].year", rank: { by: "n", side: "max" } }],
});

const moved = (between1: (typeof YEARS)[number], between2: (typeof YEARS)[number]) =>
  plan(`ratings of ${between1.from.slice(0, 4)} against ${between2.from.slice(0, 4)}`, {
    plan: {
      steps: [
        step("s1", "aggregate_events", { window: between1, where, aggregates: [{ fn: "count", as: "n" }] }),
        step("s2", "aggregate_events", { window: between2, where, aggregates: [{ fn: "count", as: "n" }] }),
        step("s3", "compute", { fn: "diff", x: { $ref: "s2.rows[0].n" }, y: { $ref: "s1.rows[0].n" } }),
      ],
      answer: { kind: "value", from: "s3.value" },
    },
    tql: {
      text: `WITH a AS (SELECT COUNT(*) AS n ${source(between1)}), b AS (SELECT COUNT(*) AS n ${source(between2)})
CALL compute(fn => 'diff', x => b.rows[0].n, y => a.rows[0].n)`,
      from: ["value"],
    },
    expected: () => [Math.sign(events(between2).length - events(between1).length)],
  });

export const BITCOIN_OTC: readonly OraclePlan[] = [
  ...perYear,
  years,
  moved(YEARS[0]!, YEARS[1]!),
  moved(YEARS[1]!, YEARS[2]!),
];
