// Oracle plans about shapes in time over messages of a college: trends, days that stand out, and messages that came close
// together, of all accounts and of one. All three are judged here by their definitions, over counts of the file.
import { eventsOf } from "./data.js";
import { between, buckets, DAY, during, nineDecimals, type OraclePlan, step, type Window } from "./plan.js";

/** Months, each with an account that sent most of its messages on one day. */
const MONTHS: readonly (readonly [Window, string])[] = [
  [between("2004-05-01", "2004-05-31"), "1434"],
  [between("2004-06-01", "2004-07-01"), "1556"],
  [between("2004-07-01", "2004-07-31"), "3"],
  [between("2004-09-01", "2004-10-01"), "1866"],
];
const STRIDES = [
  ["PT24H", DAY],
  ["PT12H", DAY / 2n],
] as const;
const SHARES = [25, 50, 75, 90] as const;

const all = (): boolean => true;
type Filter = (src: string) => boolean;

const countsOf = (window: Window, width: bigint, passes: Filter): number[] =>
  buckets(
    eventsOf("collegemsg").filter(({ src }) => passes(src)),
    window,
    width,
  );

/** Up where the later of two is greater in two of three pairs more than it is less, and so on (Mann and Kendall). */
function trendOf(values: readonly number[]): string {
  const signs = values.flatMap((a, i) => values.slice(i + 1).map((b) => Math.sign(b - a)));
  const sum = signs.reduce((total, sign) => total + sign, 0);
  return 3 * sum >= signs.length ? "up" : 3 * sum <= -signs.length ? "down" : "flat";
}

/** Positions that lie three deviations above the mean of the ten before them, at least three of which there must be. */
function burstsOf(values: readonly number[]): readonly number[] {
  return values.flatMap((value, i) => {
    const before = values.slice(Math.max(0, i - 10), i);
    if (before.length < 3 || value - mean(before) < 1) return [];
    const spread = Math.sqrt(mean(before.map((each) => (each - mean(before)) ** 2)));
    const isAbove = spread === 0 ? value > mean(before) : nineDecimals((value - mean(before)) / spread) >= 3;
    return isAbove ? [i] : [];
  });
}
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Positions with so large a share of all in a bucket at most half as wide as that share of the window. */
const concentratedAt = (values: readonly number[], share: number): readonly number[] => {
  const total = values.reduce((a, b) => a + b, 0);
  const isNarrow = 200 <= share * values.length;
  return values.flatMap((n, i) => (total > 0 && isNarrow && 100 * n >= share * total ? [i] : []));
};

const series = (id: string, window: Window, stride: string, src: string | null) =>
  step(id, "graph_metric_timeseries", {
    metric: "edge_event_count",
    window,
    stride,
    where: { types: ["MESSAGED"], ...(src === null ? {} : { src: { uids: [src] } }) },
  });

const seriesTql = (window: Window, stride: string, src: string | null): string =>
  `CALL graph_metric_timeseries(metric => 'edge_event_count', stride => DURATION '${stride}', where => {types: ['MESSAGED']${src === null ? "" : `, src: {uids: ['${src}']}`}}) ${during(window)}`;

interface Seen {
  readonly id: string;
  readonly values: readonly number[];
}

function claimsOf({ id, values }: Seen): readonly object[] {
  const row = (i: number): string => `${id}.rows[${i}].from`;
  const pattern = (name: string, more: object) => ({ type: "temporal_pattern", pattern: name, step: id, ...more });
  return [
    pattern("trend", { direction: trendOf(values) }),
    ...burstsOf(values).map((i) => pattern("burst", { row: row(i) })),
    ...SHARES.flatMap((share) =>
      concentratedAt(values, share).map((i) => pattern("concentration", { row: row(i), share })),
    ),
  ];
}

export const SHAPES: readonly OraclePlan[] = MONTHS.flatMap(([window, account]) =>
  STRIDES.map(([stride, width]): OraclePlan => {
    const seen = (): readonly [Seen, Seen] => [
      { id: "s1", values: countsOf(window, width, all) },
      { id: "s2", values: countsOf(window, width, (src) => src === account) },
    ];
    const sumOf = ({ values }: Seen): number => values.reduce((a, b) => a + b, 0);
    return {
      name: `collegemsg: shapes of ${window.from.slice(0, 7)} by ${stride}, of all and of ${account}`,
      store: "collegemsg",
      mentions: [{ id: "q1", uid: account }],
      plan: {
        steps: [
          series("s1", window, stride, null),
          series("s2", window, stride, account),
          step("s3", "compute", { fn: "sum", input: { $ref: "s1.rows[*].value" } }),
          step("s4", "compute", { fn: "sum", input: { $ref: "s2.rows[*].value" } }),
        ],
        answer: { kind: "value", from: "s3.value", also: [{ kind: "value", from: "s4.value" }] },
      },
      tql: {
        text: `WITH messages AS (${seriesTql(window, stride, null)}),
own AS (${seriesTql(window, stride, account)}),
own_sum AS (CALL compute(fn => 'sum', input => own.rows[*].value))
CALL compute(fn => 'sum', input => messages.rows[*].value)`,
        from: ["value", "own_sum.value"],
      },
      expected: () => seen().map(sumOf),
      claims: () => seen().flatMap(claimsOf),
    };
  }),
);
