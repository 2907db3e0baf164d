// Oracle plans over messages of a college: counts, tops, sets, walks, motifs, series, changes and absences.
import { eventsOf, type FileEvent } from "./data.js";
import {
  arrivals,
  between,
  buckets,
  counted,
  DAY,
  during,
  earliest,
  inside,
  instant,
  nineDecimals,
  type OraclePlan,
  step,
  top,
  us,
  type Window,
} from "./plan.js";

const where = { types: ["MESSAGED"] };
const JUNE = between("2004-06-01", "2004-06-08");
const MAY = between("2004-05-01", "2004-05-08");
const JULY = between("2004-07-05", "2004-07-12");
const SEPTEMBER = between("2004-09-01", "2004-09-08");
const WEEKS: readonly (readonly [Window, string])[] = [
  [JUNE, "1598"],
  [JULY, "1713"],
  [SEPTEMBER, "1624"],
];
const events = (window: Window): readonly FileEvent[] => inside(eventsOf("collegemsg"), window);
const sent = (window: Window, src: string): readonly FileEvent[] => events(window).filter((each) => each.src === src);
const count = [{ fn: "count", as: "n" }];
const MESSAGED = "where => {types: ['MESSAGED']}";
/** Messages of a window as a source of TQL. */
const source = (window: Window): string => `FROM EVENTS(MESSAGED) ${during(window)} AS e`;
const senders = (window: Window): string =>
  `SELECT e.src AS account, COUNT(*) AS n ${source(window)} GROUP BY e.src ORDER BY n DESC`;
const countOf = (window: Window, src: string): string =>
  `SELECT COUNT(*) AS n ${source(window)} WHERE e.src = '${src}'`;
const bySender = [{ dim: "node", role: "src" }];
const mostFirst = [{ column: "n", desc: true }];

const plan = (name: string, rest: Omit<OraclePlan, "name" | "store">): OraclePlan => ({
  name: `collegemsg: ${name}`,
  store: "collegemsg",
  ...rest,
});

const perWeek = WEEKS.flatMap(([window, account]): OraclePlan[] => {
  const week = window.from.slice(0, 10);
  return [
    plan(`messages in the week of ${week}, and who sent the most`, {
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where,
            group_by: bySender,
            aggregates: count,
            order_by: mostFirst,
            limit: 3,
          }),
        ],
        answer: {
          kind: "count",
          from: "s1.events",
          also: [
            { kind: "value", from: "s1.rows[0].src" },
            { kind: "count", from: "s1.rows[0].n" },
            { kind: "count", from: "s1.rows_total" },
          ],
        },
      },
      tql: {
        text: `WITH total AS (SELECT COUNT(*) AS n ${source(window)}) ${senders(window)}`,
        from: ["total.rows[0].n", "rows[0].account", "rows[0].n", "rows_total"],
      },
      expected() {
        const counts = counted(events(window).map(({ src }) => src));
        return [events(window).length, ...top(counts), counts.size];
      },
      claims: () => [
        { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
        { type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].src"] },
        { type: "value", cell: "s1.rows[0].n", rank: { by: "n", side: "max" } },
      ],
    }),
    plan(`to whom the top sender of the week of ${week} wrote`, {
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where,
            group_by: bySender,
            aggregates: count,
            order_by: mostFirst,
            limit: 2,
          }),
          step("s2", "aggregate_events", {
            window,
            where: { ...where, src: { uids: [{ $ref: "s1.rows[0].src" }] } },
            group_by: [{ dim: "node", role: "dst" }],
            aggregates: count,
          }),
        ],
        answer: { kind: "entity_set", from: "s2.rows[*].dst", also: [{ kind: "count", from: "s2.rows_total" }] },
      },
      tql: {
        text: `WITH top AS (${senders(window)} LIMIT 2)
SELECT e.dst AS uid, COUNT(*) AS n ${source(window)} WHERE e.src = top.rows[0].account GROUP BY e.dst`,
        from: ["rows[*].uid", "rows_total"],
      },
      expected() {
        const [most] = top(counted(events(window).map(({ src }) => src)));
        const partners = new Set(sent(window, most).map(({ dst }) => dst));
        return [[...partners], partners.size];
      },
      claims: () => [
        { type: "count", cell: "s2.rows_total", about: ["s1.rows[0].src"] },
        { type: "count", cell: "s2.events", about: ["s1.rows[0].src"] },
      ],
    }),
    plan(`the longest silence of ${account} in the week of ${week}`, {
      mentions: [{ id: "q1", uid: account }],
      plan: {
        steps: [
          step("s1", "aggregate_events", {
            window,
            where: { ...where, src: { uids: [account] } },
            aggregates: [
              { fn: "max_gap", as: "silence" },
              { fn: "min", of: "at", as: "first" },
              { fn: "max", of: "at", as: "last" },
            ],
          }),
          step("s2", "compute", { fn: "diff", x: { $ref: "s1.rows[0].last" }, y: { $ref: "s1.rows[0].first" } }),
        ],
        answer: {
          kind: "value",
          from: "s1.rows[0].silence",
          also: [
            { kind: "value", from: "s1.rows[0].first" },
            { kind: "ordering", from: "s2.value" },
          ],
        },
      },
      tql: {
        text: `WITH own AS (SELECT MAX_GAP(e.at) AS silence, MIN(e.at) AS first, MAX(e.at) AS last ${source(window)} WHERE e.src = '${account}')
CALL compute(fn => 'diff', x => own.rows[0].last, y => own.rows[0].first)`,
        from: ["own.rows[0].silence", "own.rows[0].first", "value"],
      },
      expected() {
        const times = sent(window, account).map((each) => each.us);
        const gaps = times.slice(1).map((at, i) => at - times[i]!);
        const longest = -earliest(gaps.map((gap) => -gap));
        return [longest, instant(times[0]!), times.at(-1)! > times[0]! ? "after" : "equals"];
      },
      claims: () => [{ type: "value", cell: "s1.rows[0].silence", about: ["q1"] }],
    }),
    plan(`whom ${account} could reach in the week of ${week}`, {
      mentions: [{ id: "q1", uid: account }],
      plan: {
        steps: [step("s1", "temporal_reachability", { uid: account, window, where })],
        answer: {
          kind: "count",
          from: "s1.reached[0].count",
          also: [
            { kind: "entity_set", from: "s1.rows[*].uid" },
            { kind: "value", from: "s1.rows[0].arrival" },
          ],
        },
      },
      tql: {
        text: `CALL temporal_reachability(uid => '${account}', ${MESSAGED}) ${during(window)}`,
        from: ["reached[0].count", "rows[*].uid", "rows[0].arrival"],
      },
      expected() {
        const reached = arrivals(events(window), account);
        const first = earliest([...reached.values()]);
        return [reached.size, [...reached.keys()], instant(first)];
      },
      claims: () => [
        { type: "value", cell: "s1.rows[0].arrival", about: ["q1"] },
        { type: "count", cell: "s1.reached[0].count", about: ["q1"] },
      ],
    }),
  ];
});

const STEADY = between("2004-05-01", "2004-05-31");

const series = [STEADY, between("2004-06-01", "2004-07-01"), between("2004-07-01", "2004-07-31")].flatMap(
  (window): OraclePlan[] => {
    const month = window.from.slice(0, 7);
    const perDay = (): number[] => buckets(eventsOf("collegemsg"), window, DAY);
    const daily = step("s1", "graph_metric_timeseries", { metric: "edge_event_count", window, stride: "PT24H", where });
    const dailyTql = `CALL graph_metric_timeseries(metric => 'edge_event_count', stride => DURATION 'PT24H', ${MESSAGED}) ${during(window)}`;
    const signs = (values: readonly number[]): number =>
      values.flatMap((a, i) => values.slice(i + 1).map((b) => Math.sign(b - a))).reduce((a, b) => a + b, 0);
    const way = (values: readonly number[]): string => {
      const pairs = (values.length * (values.length - 1)) / 2;
      return 3 * signs(values) >= pairs ? "up" : 3 * signs(values) <= -pairs ? "down" : "flat";
    };
    return [
      plan(`the busiest day of ${month}`, {
        plan: {
          steps: [
            daily,
            step("s2", "compute", {
              fn: "sort",
              input: { $ref: "s1.rows[*]" },
              order: [{ field: "value", desc: true }],
            }),
          ],
          answer: { kind: "interval", from: "s2.rows[0]", also: [{ kind: "value", from: "s2.rows[0].value" }] },
        },
        tql: {
          text: `WITH days AS (${dailyTql})
SELECT d."from" AS "from", d."to" AS "to", d.value AS value FROM days AS d ORDER BY value DESC`,
          from: ["rows[0]", "rows[0].value"],
        },
        expected() {
          const days = perDay();
          const most = Math.max(...days);
          const from = us(window.from) + BigInt(days.indexOf(most)) * DAY;
          return [{ from: instant(from), to: instant(from + DAY) }, most];
        },
        claims() {
          const days = perDay();
          const isTie = days.filter((day) => day === Math.max(...days)).length > 1;
          const rank = isTie ? {} : { rank: { by: "value", side: "max" } };
          return [
            { type: "interval", from: "s2.rows[0].from", to: "s2.rows[0].to", ...rank },
            { type: "interval", from: "s1.rows[3].from", to: "s1.rows[3].to" },
          ];
        },
      }),
      plan(`days of ${month}, and which way they went`, {
        plan: { steps: [daily], answer: { kind: "count", from: "s1.n_buckets" } },
        tql: { text: dailyTql, from: ["n_buckets"] },
        expected: () => [perDay().length],
        claims() {
          const direction = way(perDay());
          return [{ type: "temporal_pattern", pattern: "trend", step: "s1", direction }];
        },
      }),
    ];
  },
);

const bursts = [3, 5].map((w) =>
  plan(`days that stand out from the ${w} before`, {
    plan: {
      steps: [
        step("s1", "burst_detection", {
          window: between("2004-05-01", "2004-07-01"),
          stride: "PT24H",
          w,
          min_history: w,
          method: "ratio",
          r: 1.5,
          where,
        }),
      ],
      answer: {
        kind: "interval",
        from: "s1.rows[0]",
        also: [
          { kind: "count", from: "s1.rows[0].value" },
          { kind: "count", from: "s1.rows_total" },
        ],
      },
    },
    tql: {
      text: `CALL burst_detection(stride => DURATION 'PT24H', w => ${w}, min_history => ${w}, method => 'ratio', r => 1.5, ${MESSAGED}) ${during(between("2004-05-01", "2004-07-01"))}`,
      from: ["rows[0]", "rows[0].value", "rows_total"],
    },
    expected() {
      const window = between("2004-05-01", "2004-07-01");
      const days = buckets(eventsOf("collegemsg"), window, DAY);
      const median = (values: readonly number[]): number => {
        const sorted = [...values].sort((a, b) => a - b);
        return (sorted[Math.floor((w - 1) / 2)]! + sorted[Math.ceil((w - 1) / 2)]!) / 2;
      };
      const flagged = days.flatMap((day, i) => (i >= w && day >= 1.5 * median(days.slice(i - w, i)) ? [i] : []));
      const from = us(window.from) + BigInt(flagged[0]!) * DAY;
      return [{ from: instant(from), to: instant(from + DAY) }, days[flagged[0]!], flagged.length];
    },
    claims: () => [
      { type: "temporal_pattern", pattern: "burst", step: "s1", row: "s1.rows[0].from" },
      { type: "temporal_pattern", pattern: "burst", step: "s1", row: "s1.rows[1].from", direction: "up" },
    ],
  }),
);

const perSender = (id: string, window: Window, src: string) =>
  step(id, "aggregate_events", { window, where: { ...where, src: { uids: [src] } }, aggregates: count });

const others: readonly OraclePlan[] = [
  ...WEEKS.map(([window, account], i) => {
    const earlier = [MAY, JUNE, JULY][i]!;
    return plan(`what ${account} sent in the week of ${window.from.slice(0, 10)} and in an earlier one`, {
      mentions: [{ id: "q1", uid: account }],
      plan: {
        steps: [
          perSender("s1", earlier, account),
          perSender("s2", window, account),
          step("s3", "compute", { fn: "diff", x: { $ref: "s2.rows[0].n" }, y: { $ref: "s1.rows[0].n" } }),
        ],
        answer: { kind: "value", from: "s3.value", also: [{ kind: "count", from: "s2.rows[0].n" }] },
      },
      tql: {
        text: `WITH earlier AS (${countOf(earlier, account)}), later AS (${countOf(window, account)})
CALL compute(fn => 'diff', x => later.rows[0].n, y => earlier.rows[0].n)`,
        from: ["value", "later.rows[0].n"],
      },
      expected: () => {
        const [before, after] = [sent(earlier, account).length, sent(window, account).length];
        return [Math.sign(after - before), after];
      },
      claims: () => [{ type: "count", cell: "s2.rows[0].n", about: ["q1"] }],
    });
  }),
  plan("who was silent in the week of June and active in that of September", {
    plan: {
      steps: [
        step("s1", "aggregate_events", { window: SEPTEMBER, where, group_by: bySender, aggregates: count }),
        step("s2", "aggregate_events", { window: JUNE, where, group_by: bySender, aggregates: count }),
        step("s3", "compute", {
          fn: "difference",
          input: { $ref: "s1.rows[*].src" },
          other: { $ref: "s2.rows[*].src" },
        }),
        step("s4", "compute", { fn: "count", input: { $ref: "s3.rows[*]" } }),
      ],
      answer: { kind: "entity_set", from: "s3.rows[*].value", also: [{ kind: "count", from: "s4.value" }] },
    },
    tql: {
      text: `SELECT e.src AS uid ${source(SEPTEMBER)} EXCEPT SELECT e.src ${source(JUNE)}`,
      from: ["rows[*].uid", "rows_total"],
    },
    expected() {
      const june = new Set(events(JUNE).map(({ src }) => src));
      const only = new Set(events(SEPTEMBER).map(({ src }) => src));
      for (const src of june) only.delete(src);
      return [[...only], only.size];
    },
  }),
  plan("nothing from 1598 to itself", {
    question: "How often did 1598 write to itself?",
    plan: {
      steps: [
        step("s1", "aggregate_events", {
          window: JUNE,
          where: { ...where, src: { uids: ["1598"] }, dst: { uids: ["1598"] } },
          group_by: bySender,
          aggregates: count,
        }),
        step("s2", "scan", {
          of: "events",
          names: ["MESSAGED"],
          valid: { window: JUNE },
          where: { src: { uids: ["1598"] }, dst: { uids: ["1598"] } },
          columns: ["src", "at"],
        }),
      ],
      answer: {
        kind: "count",
        from: "s1.events",
        also: [
          { kind: "entity_set", from: "s1.rows[*].src" },
          { kind: "count", from: "s2.rows_total" },
        ],
      },
    },
    tql: {
      text: `WITH senders AS (SELECT e.src AS uid, COUNT(*) AS n ${source(JUNE)} WHERE e.src = '1598' AND e.dst = '1598' GROUP BY e.src),
own AS (SELECT e.src AS uid, e.at AS at ${source(JUNE)} WHERE e.src = '1598' AND e.dst = '1598')
SELECT COUNT(*) AS n ${source(JUNE)} WHERE e.src = '1598' AND e.dst = '1598'`,
      from: ["rows[0].n", "senders.rows[*].uid", "own.rows_total"],
    },
    expected: () => [events(JUNE).filter(({ src, dst }) => src === dst && src === "1598").length, [], 0],
    claims: () => [
      { type: "absence", list: "s1.rows" },
      { type: "absence", cell: "s1.rows_total" },
      { type: "absence", list: "s2.rows" },
    ],
  }),
  plan("returned messages within ten minutes on one day", {
    plan: {
      steps: [
        step("s1", "count_temporal_motifs", {
          motif: "a>b,b>a",
          delta: "PT10M",
          window: between("2004-09-01", "2004-09-04"),
          where,
        }),
      ],
      answer: { kind: "count", from: "s1.count", also: [{ kind: "count", from: "s1.events" }] },
    },
    tql: {
      text: `CALL count_temporal_motifs(motif => 'a>b,b>a', delta => DURATION 'PT10M', ${MESSAGED}) ${during(between("2004-09-01", "2004-09-04"))}`,
      from: ["count", "events"],
    },
    expected() {
      const day = events(between("2004-09-01", "2004-09-04"));
      let pairs = 0;
      for (const [i, a] of day.entries()) {
        for (const b of day.slice(i + 1)) {
          if (a.src === b.dst && a.dst === b.src && a.src !== a.dst && b.us - a.us <= 600_000_000n) pairs += 1;
        }
      }
      return [pairs, day.length];
    },
    claims: () => [{ type: "count", cell: "s1.rows[0].count" }],
  }),
  plan("the longest chain on three days", {
    plan: {
      steps: [step("s1", "longest_temporal_chain", { window: between("2004-09-01", "2004-09-04"), where })],
      answer: {
        kind: "count",
        from: "s1.length",
        also: [{ kind: "value", from: "s1.span" }],
      },
    },
    tql: {
      text: `CALL longest_temporal_chain(${MESSAGED}) ${during(between("2004-09-01", "2004-09-04"))}`,
      from: ["length", "span"],
    },
    expected() {
      const day = events(between("2004-09-01", "2004-09-04"));
      const longest = new Array<number>(day.length).fill(1);
      for (let i = day.length - 1; i >= 0; i -= 1) {
        for (let j = i + 1; j < day.length; j += 1) {
          if (day[j]!.src !== day[i]!.dst || day[j]!.us <= day[i]!.us) continue;
          longest[i] = Math.max(longest[i]!, 1 + longest[j]!);
        }
      }
      // Of several the one whose events come first, one after the other.
      const most = Math.max(...longest);
      const first = longest.indexOf(most);
      let last = first;
      for (let left = most - 1; left > 0; left -= 1) {
        const { dst, us: at } = day[last]!;
        last = day.findIndex((each, j) => j > last && each.src === dst && each.us > at && longest[j] === left);
      }
      return [most, day[last]!.us - day[first]!.us];
    },
    claims: () => [
      { type: "interval", from: "s1.departure", to: "s1.arrival" },
      { type: "ordering", a: { at: "s1.departure" }, b: { at: "s1.arrival" }, relation: "before" },
    ],
  }),
  plan("the share of the top sender of June", {
    question: "Which share of the messages did 1598 send?",
    plan: {
      steps: [
        perSender("s1", JUNE, "1598"),
        step("s2", "aggregate_events", { window: JUNE, where, aggregates: count }),
        step("s3", "compute", { fn: "ratio", x: { $ref: "s1.rows[0].n" }, y: { $ref: "s2.rows[0].n" } }),
      ],
      answer: { kind: "value", from: "s3.value" },
    },
    tql: {
      text: `WITH own AS (${countOf(JUNE, "1598")}), every AS (SELECT COUNT(*) AS n ${source(JUNE)})
CALL compute(fn => 'ratio', x => own.rows[0].n, y => every.rows[0].n)`,
      from: ["value"],
    },
    expected: () => [nineDecimals(sent(JUNE, "1598").length / events(JUNE).length)],
  }),
  plan("the top sender of June by a select", {
    plan: {
      steps: [
        step("s1", "scan", { of: "events", names: ["MESSAGED"], valid: { window: JUNE }, columns: ["src", "dst"] }),
        step("s2", "select", {
          query: "SELECT e.src AS account, COUNT(*) AS n FROM e GROUP BY e.src ORDER BY n DESC",
          tables: { e: { $ref: "s1.rows[*]" } },
        }),
      ],
      answer: { kind: "count", from: "s2.rows[0].n", also: [{ kind: "value", from: "s2.rows[0].account" }] },
    },
    tql: {
      text: `SELECT u.src AS account, COUNT(*) AS n FROM (SELECT e.src AS src, e.dst AS dst ${source(JUNE)}) AS u
GROUP BY u.src ORDER BY n DESC`,
      from: ["rows[0].n", "rows[0].account"],
    },
    expected: () => [...top(counted(events(JUNE).map(({ src }) => src)))].reverse(),
    claims: () => [{ type: "entity", cell: "s2.rows[0].account", rank: { by: "n", side: "max" } }],
  }),
];

export const COLLEGEMSG: readonly OraclePlan[] = [...perWeek, ...series, ...bursts, ...others];
