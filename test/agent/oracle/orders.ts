// Oracle plans about order in time: first messages of accounts, messages within days, days among themselves, and terms of
// office by Allen's relations. Every relation is computed here, from the definition, over the events of the files.
import { eventsOf, leadersAt } from "./data.js";
import { between, counted, DAY, during, inside, instant, type OraclePlan, step, us, type Window } from "./plan.js";

/** [from, to); null: for ever. */
interface Spell {
  readonly from: bigint;
  readonly to: bigint | null;
}

const isEarlier = (a: bigint | null, b: bigint | null): boolean => a !== null && (b === null || a < b);

/** The one of Allen's thirteen relations that holds, as each is defined. */
function allen(a: Spell, b: Spell): string {
  const [starts, ends] = [a.from === b.from, a.to === b.to];
  if (isEarlier(a.to, b.from)) return "before";
  if (a.to === b.from) return "meets";
  if (isEarlier(b.to, a.from)) return "after";
  if (b.to === a.from) return "met_by";
  if (starts && ends) return "equals";
  if (starts) return isEarlier(a.to, b.to) ? "starts" : "started_by";
  if (ends) return a.from > b.from ? "finishes" : "finished_by";
  if (a.from < b.from) return isEarlier(a.to, b.to) ? "overlaps" : "contains";
  return isEarlier(a.to, b.to) ? "during" : "overlapped_by";
}

const pairsBelow = (count: number): readonly (readonly [number, number])[] =>
  Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    Array.from({ length: count - i - 1 }, (_, k) => [i, i + k + 1] as const),
  );

const MOST = 5;
const where = { types: ["MESSAGED"] };
/** Messages of a window as a source of TQL. */
const source = (window: Window): string => `FROM EVENTS(MESSAGED) ${during(window)} AS e`;

interface Sender {
  readonly src: string;
  readonly times: readonly bigint[];
}

/** Who sent most in a window, the most first, equal ones by code point. */
function senders(window: Window): readonly Sender[] {
  const events = inside(eventsOf("collegemsg"), window);
  const counts = [...counted(events.map(({ src }) => src))];
  return counts
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([src]) => ({ src, times: events.filter((each) => each.src === src).map((each) => each.us) }));
}

const firsts = [
  between("2004-06-01", "2004-06-08"),
  between("2004-07-05", "2004-07-12"),
  between("2004-09-01", "2004-09-08"),
].map(
  (window): OraclePlan => ({
    name: `collegemsg: who of the busiest of ${window.from.slice(0, 10)} wrote first`,
    store: "collegemsg",
    plan: {
      steps: [
        step("s1", "aggregate_events", {
          window,
          where,
          group_by: [{ dim: "node", role: "src" }],
          aggregates: [
            { fn: "count", as: "n" },
            { fn: "min", of: "at", as: "first" },
            { fn: "max", of: "at", as: "last" },
          ],
          order_by: [{ column: "n", desc: true }],
          limit: MOST,
        }),
        step("s2", "compute", { fn: "diff", x: { $ref: "s1.rows[0].first" }, y: { $ref: "s1.rows[1].first" } }),
      ],
      answer: { kind: "ordering", from: "s2.value", also: [{ kind: "value", from: "s1.rows[1].last" }] },
    },
    tql: {
      text: `WITH busiest AS (SELECT e.src AS src, COUNT(*) AS n, MIN(e.at) AS first, MAX(e.at) AS last ${source(window)} GROUP BY e.src ORDER BY n DESC LIMIT ${MOST})
CALL compute(fn => 'diff', x => busiest.rows[0].first, y => busiest.rows[1].first)`,
      from: ["value", "busiest.rows[1].last"],
    },
    expected() {
      const [a, b] = senders(window);
      const [first, second] = [a!.times[0]!, b!.times[0]!];
      return [first < second ? "before" : first > second ? "after" : "equals", instant(b!.times.at(-1)!)];
    },
    claims() {
      const found = senders(window);
      return pairsBelow(MOST).flatMap(([i, j]) => {
        const ends = (k: number): readonly [bigint, bigint] => [found[k]!.times[0]!, found[k]!.times.at(-1)!];
        return (["first", "last"] as const).map((name, at) => {
          const [a, b] = [ends(i)[at]!, ends(j)[at]!];
          const [left, right] = [i, j].map((k) => ({ at: `s1.rows[${k}].${name}`, of: `s1.rows[${k}].src` }));
          return { type: "ordering", a: left, b: right, relation: a < b ? "before" : a > b ? "after" : "equals" };
        });
      });
    },
  }),
);

const DAYS = between("2004-05-10", "2004-05-18");

const days: OraclePlan = {
  name: "collegemsg: a message among the days of a week, and the days among themselves",
  store: "collegemsg",
  plan: {
    steps: [
      step("s1", "graph_metric_timeseries", { metric: "edge_event_count", window: DAYS, stride: "PT24H", where }),
      step("s2", "aggregate_events", {
        window: DAYS,
        where,
        aggregates: [
          { fn: "min", of: "at", as: "first" },
          { fn: "max", of: "at", as: "last" },
        ],
      }),
      step("s3", "compute", { fn: "diff", x: { $ref: "s2.rows[0].first" }, y: { $ref: "s2.rows[0].last" } }),
    ],
    answer: { kind: "ordering", from: "s3.value", also: [{ kind: "count", from: "s1.n_buckets" }] },
  },
  tql: {
    text: `WITH days AS (CALL graph_metric_timeseries(metric => 'edge_event_count', stride => DURATION 'PT24H', where => {types: ['MESSAGED']}) ${during(DAYS)}),
ends AS (SELECT MIN(e.at) AS first, MAX(e.at) AS last ${source(DAYS)})
CALL compute(fn => 'diff', x => ends.rows[0].first, y => ends.rows[0].last)`,
    from: ["value", "days.n_buckets"],
  },
  expected: () => ["before", 8],
  claims() {
    const events = inside(eventsOf("collegemsg"), DAYS);
    const day = (i: number): Spell => ({
      from: us(DAYS.from) + BigInt(i) * DAY,
      to: us(DAYS.from) + BigInt(i + 1) * DAY,
    });
    const row = (i: number) => ({ from: `s1.rows[${i}].from`, to: `s1.rows[${i}].to` });
    const ofDays = [...pairsBelow(5), [4, 3], [5, 3], [7, 0]].map(([i, j]) => ({
      type: "ordering",
      a: row(i!),
      b: row(j!),
      relation: allen(day(i!), day(j!)),
    }));
    const ofMessages = [
      ["first", events[0]!.us],
      ["last", events.at(-1)!.us],
    ].flatMap(([name, at]) =>
      [0, 1, 6, 7].map((i) => ({
        type: "ordering",
        a: { at: `s2.rows[0].${name as string}` },
        b: row(i),
        relation: allen({ from: at as bigint, to: (at as bigint) + 1n }, day(i)),
      })),
    );
    return [...ofDays, ...ofMessages];
  },
};

const NOW = 93;
const ELIZABETH = "Q9682";
const CHARLES = "Q43274";

interface Term extends Spell {
  readonly dst: string;
}

/** The terms of a holder, by their beginning, then by office. */
function termsOf(holder: string): readonly Term[] {
  const yearUs = (year: number): bigint => us(`${year}-01-01T00:00:00Z`);
  return leadersAt(NOW)
    .filter(({ officeholder }) => officeholder === holder)
    .map(({ position, start_year, end_year }) => ({
      dst: position,
      from: yearUs(Number(start_year)),
      to: end_year === "" ? null : yearUs(Number(end_year) + 1),
    }))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.dst < b.dst ? -1 : 1));
}

const termSteps = (first: number, holder: string) => [
  step(`s${first}`, "scan", {
    of: "edges",
    names: ["HOLDS"],
    where: { src: { uids: [holder] } },
    columns: ["src", "dst", "valid_from", "valid_to"],
    as_of_tt: `tx:${NOW}`,
  }),
  step(`s${first + 1}`, "compute", {
    fn: "sort",
    input: { $ref: `s${first}.rows[*]` },
    order: [{ field: "valid_from" }, { field: "dst" }],
  }),
];

const termsTql = (holder: string): string =>
  `SELECT r.src AS src, r.dst AS dst, r.valid_from AS valid_from, r.valid_to AS valid_to FROM EDGES(HOLDS) FOR TRANSACTION_TIME AS OF TX ${NOW} AS r WHERE r.src = '${holder}' ORDER BY valid_from, dst`;

const crowns: OraclePlan = {
  name: "world-leaders: how the terms of two monarchs lie in time",
  store: "world-leaders",
  mentions: [ELIZABETH, CHARLES].map((uid, i) => ({ id: `q${i + 1}`, uid })),
  plan: {
    steps: [...termSteps(1, ELIZABETH), ...termSteps(3, CHARLES)],
    answer: {
      kind: "interval",
      from: "s2.rows[0]",
      also: [
        { kind: "count", from: "s1.rows_total" },
        { kind: "entity_set", from: "s4.rows[*].dst" },
      ],
    },
  },
  tql: {
    text: `WITH his AS (${termsTql(CHARLES)}) ${termsTql(ELIZABETH)}`,
    from: ["rows[0]", "rows_total", "his.rows[*].dst"],
  },
  expected() {
    const [first] = termsOf(ELIZABETH);
    const span = { from: instant(first!.from), to: first!.to === null ? null : instant(first!.to) };
    return [span, termsOf(ELIZABETH).length, termsOf(CHARLES).map(({ dst }) => dst)];
  },
  claims() {
    const [hers, his] = [termsOf(ELIZABETH), termsOf(CHARLES)];
    const row = (id: string, i: number) => ({ from: `${id}.rows[${i}].valid_from`, to: `${id}.rows[${i}].valid_to` });
    const span = (id: string, i: number) => ({ ...row(id, i), of: `${id}.rows[${i}].dst` });
    const amongHers = pairsBelow(7).map(([i, j]) => ({
      type: "ordering",
      a: span("s2", 2 * i),
      b: span("s2", 2 * j),
      relation: allen(hers[2 * i]!, hers[2 * j]!),
    }));
    const withHis = [0, 3, 6, 9].flatMap((i) =>
      [0, 2].flatMap((j) => [
        { type: "ordering", a: span("s2", i), b: row("s4", j), relation: allen(hers[i]!, his[j]!) },
        { type: "ordering", a: row("s4", j), b: span("s2", i), relation: allen(his[j]!, hers[i]!) },
      ]),
    );
    return [...amongHers, ...withHis];
  },
};

export const ORDERS: readonly OraclePlan[] = [...firsts, days, crowns];
