// Oracle plans over holders of offices, who were believed to hold them otherwise at other times.
import { leadersAt } from "./data.js";
import { during, type OraclePlan, step } from "./plan.js";

const NOW = 93;
const ANDERSSON = "Q4935873";

const plan = (name: string, rest: Omit<OraclePlan, "name" | "store">): OraclePlan => ({
  name: `world-leaders: ${name}`,
  store: "world-leaders",
  ...rest,
});

const terms = (tx: number, holder: string) => leadersAt(tx).filter(({ officeholder }) => officeholder === holder);
const startOf = (year: string): string => `${year.padStart(4, "0")}-01-01T00:00:00Z`;
const endOf = (year: string): string | null => (year === "" ? null : startOf(String(Number(year) + 1)));

/** The pin of a commit as a clause of TQL. */
const believedAt = (tx: number): string => `FOR TRANSACTION_TIME AS OF TX ${tx}`;
const termsBelieved = (tx: number): string =>
  `CALL version_history(kind => 'edge', belief => 'current', where => {types: ['HOLDS']}) ${believedAt(tx)}`;

const perPin = [20, 60, NOW].flatMap((tx): OraclePlan[] => {
  const pin = { as_of_tt: `tx:${tx}` };
  const believed = (): number => leadersAt(tx).length;
  return [
    plan(`terms believed at commit ${tx}`, {
      plan: {
        steps: [
          step("s1", "version_history", {
            ...pin,
            kind: "edge",
            belief: "current",
            where: { types: ["HOLDS"] },
            limit: 5,
          }),
        ],
        answer: { kind: "count", from: "s1.rows_total", also: [{ kind: "count", from: "s1.totals.current" }] },
      },
      tql: { text: termsBelieved(tx), from: ["rows_total", "totals.current"] },
      expected: () => [believed(), believed()],
    }),
    plan(`offices with that name at commit ${tx}`, {
      question: "Which office had the most terms, and who is Magdalena Andersson?",
      plan: {
        steps: [
          step("s1", "resolve_entities", { ...pin, query: "Magdalena Andersson", min_tier: "exact" }),
          step("s2", "scan", {
            ...pin,
            of: "edges",
            names: ["HOLDS"],
            columns: ["src", "dst", "valid_from", "valid_to"],
          }),
          step("s3", "select", {
            query: "SELECT e.dst, COUNT(*) AS n FROM e GROUP BY e.dst ORDER BY n DESC",
            tables: { e: { $ref: "s2.rows[*]" } },
          }),
        ],
        answer: { kind: "count", from: "s2.rows_total", also: [{ kind: "count", from: "s3.rows[0].n" }] },
      },
      tql: {
        text: `WITH who AS (CALL resolve_entities(query => 'Magdalena Andersson', min_tier => 'exact') ${believedAt(tx)}),
held AS (SELECT e.src AS src, e.dst AS dst FROM EDGES(HOLDS) ${believedAt(tx)} AS e)
SELECT h.dst AS office, COUNT(*) AS n FROM held AS h WHERE who.rows_total >= 0 GROUP BY h.dst ORDER BY n DESC`,
        from: ["held.rows_total", "rows[0].n"],
      },
      expected() {
        const counts = new Map<string, number>();
        for (const { position } of leadersAt(tx)) counts.set(position, (counts.get(position) ?? 0) + 1);
        return [believed(), Math.max(...counts.values())];
      },
      claims: () => (tx < NOW ? [] : [{ type: "entity", cell: "s1.rows[0].uid" }]),
    }),
  ];
});

const term = (name: string, tx: number): OraclePlan =>
  plan(`the term of Andersson as believed ${name}`, {
    mentions: [{ id: "q1", uid: ANDERSSON }],
    plan: {
      steps: [
        step("s1", "fact_freshness", {
          src: ANDERSSON,
          types: ["HOLDS"],
          at: "2022-06-01T00:00:00Z",
          as_of_tt: `tx:${tx}`,
        }),
        step("s2", "scan", {
          of: "edges",
          names: ["HOLDS"],
          where: { src: { uids: [ANDERSSON] } },
          as_of_tt: `tx:${tx}`,
        }),
      ],
      answer: {
        kind: "interval",
        from: "s1.rows[0]",
        also: [
          { kind: "value", from: "s1.rows[0].dst" },
          { kind: "count", from: "s2.rows_total" },
        ],
      },
    },
    tql: {
      text: `WITH fact AS (CALL fact_freshness(src => '${ANDERSSON}', types => ['HOLDS'], at => TIMESTAMP '2022-06-01T00:00:00Z') ${believedAt(tx)})
SELECT e.dst AS dst FROM EDGES(HOLDS) ${believedAt(tx)} AS e WHERE e.src = '${ANDERSSON}'`,
      from: ["fact.rows[0]", "fact.rows[0].dst", "rows_total"],
    },
    expected() {
      const [row] = terms(tx, ANDERSSON);
      return [{ from: startOf(row!.start_year), to: endOf(row!.end_year) }, row!.position, terms(tx, ANDERSSON).length];
    },
    claims: () => [
      { type: "interval", from: "s1.rows[0].valid_from", to: "s1.rows[0].valid_to", about: ["q1"] },
      { type: "entity", cell: "s1.rows[0].dst", about: ["q1"] },
    ],
  });

const believedThen = (from: number, to: number): OraclePlan =>
  plan(`terms believed at commit ${from} and at ${to}`, {
    plan: {
      steps: [
        ...[from, to].map((tx, i) =>
          step(`s${i + 1}`, "version_history", {
            as_of_tt: `tx:${tx}`,
            kind: "edge",
            belief: "current",
            where: { types: ["HOLDS"] },
            limit: 5,
          }),
        ),
        step("s3", "compute", { fn: "diff", x: { $ref: "s2.rows_total" }, y: { $ref: "s1.rows_total" } }),
      ],
      answer: { kind: "value", from: "s3.value" },
    },
    tql: {
      text: `WITH a AS (${termsBelieved(from)}), b AS (${termsBelieved(to)})
CALL compute(fn => 'diff', x => b.rows_total, y => a.rows_total)`,
      from: ["value"],
    },
    expected: () => [Math.sign(leadersAt(to).length - leadersAt(from).length)],
  });

const AFTER = { from: "2021-06-01T00:00:00Z", to: "2022-12-01T00:00:00Z" };
const taken = `FROM EVENTS(HOLDS) ${during(AFTER)} AS e WHERE e.src = '${ANDERSSON}'`;

const after = plan("nobody takes an office after the data", {
  question: `Which offices did ${ANDERSSON} take after the data, and how many?`,
  plan: {
    steps: [
      step("s1", "aggregate_events", {
        where: { types: ["HOLDS"], src: { uids: [ANDERSSON] } },
        window: AFTER,
        group_by: [{ dim: "node", role: "dst" }],
        aggregates: [{ fn: "count", as: "n" }],
      }),
    ],
    answer: { kind: "count", from: "s1.events", also: [{ kind: "entity_set", from: "s1.rows[*].dst" }] },
  },
  tql: {
    text: `WITH total AS (SELECT COUNT(*) AS n ${taken}) SELECT e.dst AS uid, COUNT(*) AS n ${taken} GROUP BY e.dst`,
    from: ["total.rows[0].n", "rows[*].uid"],
  },
  expected() {
    const begun = terms(NOW, ANDERSSON).filter(({ start_year: year }) => {
      const begins = Date.parse(startOf(year));
      return begins >= Date.parse(AFTER.from) && begins < Date.parse(AFTER.to);
    });
    return [begun.length, begun.map(({ position }) => position)];
  },
  claims: () => [{ type: "absence", list: "s1.rows" }],
});

export const WORLD_LEADERS: readonly OraclePlan[] = [
  ...perPin,
  term("now", NOW),
  believedThen(20, 60),
  believedThen(60, NOW),
  believedThen(1, NOW),
  after,
];
