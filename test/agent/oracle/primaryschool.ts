// Oracle plans over meetings at a school: classes as properties, pairs, series within a day, quiet hours.
import { eventsOf, type FileEvent } from "./data.js";
import { buckets, counted, during, inside, instant, type OraclePlan, step, top, us, type Window } from "./plan.js";

const where = { types: ["MET"] };
const HOUR = 3_600_000_000n;
const hours = (from: number, to: number): Window => {
  const at = (hour: number): string => instant(BigInt(hour) * HOUR);
  return { from: at(from), to: at(to) };
};
const MORNING = hours(9, 12);
const NOON = hours(12, 14);
const SECOND = hours(33, 36);
/** Meetings of a window as a source of TQL. */
const source = (window: Window): string => `FROM EVENTS(MET) ${during(window)} AS e`;
const events = (window: Window): readonly FileEvent[] => inside(eventsOf("primaryschool"), window);

const plan = (name: string, rest: Omit<OraclePlan, "name" | "store">): OraclePlan => ({
  name: `primaryschool: ${name}`,
  store: "primaryschool",
  ...rest,
});

const perWindow = [MORNING, NOON, SECOND].flatMap((window): OraclePlan[] => {
  const at = window.from.slice(0, 13);
  return [
    plan(`meetings from ${at}, and the one that met the most`, {
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where,
            group_by: [{ dim: "node", role: "either" }],
            aggregates: [{ fn: "count", as: "n" }],
            order_by: [{ column: "n", desc: true }],
            limit: 2,
          }),
        ],
        answer: {
          kind: "value",
          from: "s1.rows[0].node",
          also: [
            { kind: "count", from: "s1.rows[0].n" },
            { kind: "count", from: "s1.events" },
          ],
        },
      },
      tql: {
        text: `WITH total AS (SELECT COUNT(*) AS n ${source(window)})
SELECT p.uid AS uid, COUNT(*) AS n FROM ENDPOINTS(MET) ${during(window)} AS p GROUP BY p.uid ORDER BY n DESC`,
        from: ["rows[0].uid", "rows[0].n", "total.rows[0].n"],
      },
      expected() {
        const counts = counted(events(window).flatMap(({ src, dst }) => [src, dst]));
        return [...top(counts), events(window).length];
      },
      claims: () => [{ type: "entity", cell: "s1.rows[0].node", rank: { by: "n", side: "max" } }],
    }),
    plan(`meetings of two of class 3B from ${at}`, {
      question: "How often did two of class 3B meet?",
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where: {
              ...where,
              edge: [
                { prop: "c1", op: "eq", value: "3B" },
                { prop: "c2", op: "eq", value: "3B" },
              ],
            },
            group_by: [{ dim: "pair", undirected: true }],
            aggregates: [{ fn: "count", as: "n" }],
          }),
          step("s2", "compute", { fn: "count", input: { $ref: "s1.rows[*]" } }),
        ],
        answer: { kind: "count", from: "s1.events", also: [{ kind: "count", from: "s2.value" }] },
      },
      tql: {
        text: `WITH pairs AS (SELECT LEAST(e.src, e.dst) AS x, GREATEST(e.src, e.dst) AS y, COUNT(*) AS n ${source(window)}
WHERE e.c1 = '3B' AND e.c2 = '3B' GROUP BY x, y)
SELECT COUNT(*) AS n ${source(window)} WHERE e.c1 = '3B' AND e.c2 = '3B'`,
        from: ["rows[0].n", "pairs.rows_total"],
      },
      expected() {
        const found = events(window).filter(({ classes }) => classes[0] === "3B" && classes[1] === "3B");
        return [found.length, new Set(found.map(({ src, dst }) => [src, dst].sort().join(" "))).size];
      },
    }),
    plan(`the hours from ${at}`, {
      plan: {
        steps: [
          step("s1", "graph_metric_timeseries", { metric: "edge_event_count", window, stride: "PT10M", where }),
          step("s2", "compute", { fn: "sum", input: { $ref: "s1.rows[*].value" } }),
        ],
        answer: {
          kind: "value",
          from: "s1.rows[0].value",
          also: [
            { kind: "interval", from: "s1.rows[1]" },
            { kind: "value", from: "s2.value" },
          ],
        },
      },
      tql: {
        text: `WITH series AS (CALL graph_metric_timeseries(metric => 'edge_event_count', stride => DURATION 'PT10M', where => {types: ['MET']}) ${during(window)})
SELECT SUM(b.value) AS total FROM series AS b`,
        from: ["series.rows[0].value", "series.rows[1]", "rows[0].total"],
      },
      expected() {
        const [first] = buckets(eventsOf("primaryschool"), window, 600_000_000n);
        const from = us(window.from) + 600_000_000n;
        return [first, { from: instant(from), to: instant(from + 600_000_000n) }, events(window).length];
      },
    }),
    plan(`whom 1613 met from ${at}`, {
      mentions: [{ id: "q1", uid: "1613" }],
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where: { ...where, src: { uids: ["1613"] } },
            group_by: [{ dim: "node", role: "dst" }],
            aggregates: [
              { fn: "count", as: "n" },
              { fn: "min", of: "at", as: "first" },
            ],
            order_by: [{ column: "first" }],
          }),
        ],
        answer: {
          kind: "entity_set",
          from: "s1.rows[*].dst",
          also: [
            { kind: "value", from: "s1.rows[0].first" },
            { kind: "count", from: "s1.rows_total" },
          ],
        },
      },
      tql: {
        text: `SELECT e.dst AS uid, COUNT(*) AS n, MIN(e.at) AS first ${source(window)} WHERE e.src = '1613' GROUP BY e.dst ORDER BY first`,
        from: ["rows[*].uid", "rows[0].first", "rows_total"],
      },
      expected() {
        const own = events(window).filter(({ src }) => src === "1613");
        const met = new Set(own.map(({ dst }) => dst));
        return [[...met], instant(own[0]!.us), met.size];
      },
      claims: () => [{ type: "value", cell: "s1.rows[0].first", about: ["q1"] }],
    }),
  ];
});

const night = plan("nobody met at night", {
  plan: {
    steps: [
      step("s1", "aggregate_events", {
        window: hours(20, 30),
        where,
        group_by: [{ dim: "node", role: "either" }],
        aggregates: [{ fn: "count", as: "n" }],
      }),
    ],
    answer: { kind: "count", from: "s1.events", also: [{ kind: "entity_set", from: "s1.rows[*].node" }] },
  },
  tql: {
    text: `WITH total AS (SELECT COUNT(*) AS n ${source(hours(20, 30))})
SELECT p.uid AS uid, COUNT(*) AS n FROM ENDPOINTS(MET) ${during(hours(20, 30))} AS p GROUP BY p.uid`,
    from: ["total.rows[0].n", "rows[*].uid"],
  },
  expected: () => [events(hours(20, 30)).length, []],
  claims: () => [{ type: "absence", list: "s1.rows" }],
});

const rush = [MORNING, SECOND].map((window) => {
  const counts = (): number[] => buckets(eventsOf("primaryschool"), window, 600_000_000n);
  return plan(`ten minutes in which more met than before, from ${window.from.slice(0, 13)}`, {
    plan: {
      steps: [
        step("s1", "burst_detection", {
          window,
          stride: "PT10M",
          w: 2,
          min_history: 2,
          method: "ratio",
          r: 1.2,
          where,
        }),
      ],
      answer: { kind: "count", from: "s1.rows_total", also: [{ kind: "interval", from: "s1.rows[0]" }] },
    },
    tql: {
      text: `CALL burst_detection(stride => DURATION 'PT10M', w => 2, min_history => 2, method => 'ratio', r => 1.2, where => {types: ['MET']}) ${during(window)}`,
      from: ["rows_total", "rows[0]"],
    },
    expected() {
      const all = counts();
      const flagged = all.flatMap((n, i) => (i >= 2 && n >= (1.2 * (all[i - 1]! + all[i - 2]!)) / 2 ? [i] : []));
      const from = us(window.from) + BigInt(flagged[0]!) * 600_000_000n;
      return [flagged.length, { from: instant(from), to: instant(from + 600_000_000n) }];
    },
    claims: () => [{ type: "temporal_pattern", pattern: "burst", step: "s1", row: "s1.rows[0].from", direction: "up" }],
  });
});

export const PRIMARYSCHOOL: readonly OraclePlan[] = [...perWindow, night, ...rush];
