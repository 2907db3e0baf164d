// Oracle plans whose results hold the same numbers in many rows of two steps: what is said of one row must not be shown on
// the cell of another.
import { eventsOf } from "./data.js";
import { between, counted, during, inside, type OraclePlan, step, type Window } from "./plan.js";

const ROWS = 12;
const WEEKS: readonly (readonly [Window, Window])[] = [
  [between("2004-06-01", "2004-06-08"), between("2004-06-08", "2004-06-15")],
  [between("2004-07-05", "2004-07-12"), between("2004-09-01", "2004-09-08")],
];

const perSender = (id: string, window: Window, desc: boolean) =>
  step(id, "aggregate_events", {
    window,
    where: { types: ["MESSAGED"] },
    group_by: [{ dim: "node", role: "src" }],
    aggregates: [{ fn: "count", as: "n" }],
    order_by: [{ column: "n", desc }],
    limit: ROWS,
  });

const perSenderTql = (window: Window, desc: boolean): string =>
  `SELECT e.src AS src, COUNT(*) AS n FROM EVENTS(MESSAGED) ${during(window)} AS e GROUP BY e.src ORDER BY n ${desc ? "DESC" : "ASC"} LIMIT ${ROWS}`;

/** How many the account of each row sent, in the order of rows. */
function rowsOf(window: Window, isMostFirst: boolean): readonly number[] {
  const counts = [...counted(inside(eventsOf("collegemsg"), window).map(({ src }) => src)).values()];
  return counts.sort((a, b) => (isMostFirst ? b - a : a - b)).slice(0, ROWS);
}

export const EQUAL_CELLS: readonly OraclePlan[] = WEEKS.flatMap(([first, second]) =>
  [true, false].map(
    (isMostFirst): OraclePlan => ({
      name: `collegemsg: who sent ${isMostFirst ? "most" : "least"} from ${first.from.slice(0, 10)} and from ${second.from.slice(0, 10)}`,
      store: "collegemsg",
      plan: {
        steps: [perSender("s1", first, isMostFirst), perSender("s2", second, isMostFirst)],
        answer: {
          kind: "count",
          from: "s1.rows[0].n",
          also: [1, 2, 3].map((row) => ({ kind: "count", from: `s2.rows[${row}].n` })),
        },
      },
      tql: {
        text: `WITH later AS (${perSenderTql(second, isMostFirst)}) ${perSenderTql(first, isMostFirst)}`,
        from: ["rows[0].n", ...[1, 2, 3].map((row) => `later.rows[${row}].n`)],
      },
      expected: () => [rowsOf(first, isMostFirst)[0], ...rowsOf(second, isMostFirst).slice(1, 4)],
      claims: () =>
        ["s1", "s2"].flatMap((id) =>
          [0, 1, 2, 3, 4, 5].map((row) => ({
            type: "count",
            cell: `${id}.rows[${row}].n`,
            about: [`${id}.rows[${row}].src`],
          })),
        ),
    }),
  ),
);
