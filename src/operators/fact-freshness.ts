// P6: how fresh each fact about a subject is at an instant, whether it still holds, and what replaced it.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import {
  double,
  EDGE_IDENTITY,
  EdgeSpan,
  ENDED_BY,
  instant,
  int,
  listOf,
  oneOf,
  orNull,
  text,
  VALID_TIME,
} from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  Instant,
  nullable,
  setOf,
  Uid,
  Where,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { declareOperator, type StoreScript } from "./declaration.js";
import type { Statistics } from "./engine.js";
import { at, S2, txTime, whole, wholeList } from "./example-stores.js";

const MOST_NAMES = 256;
const STATUS_MEANINGS = {
  current: "it holds at the instant and nothing replaced it",
  superseded: "a later fact replaced it: of a functional type any of the same subject, else one of the same edge",
  expired: "it has stopped to hold",
  retracted: "it is believed no more",
  future: "it begins after the instant",
};
const STATUSES = Object.keys(STATUS_MEANINGS);
const Days = nullable(Type.Number({ exclusiveMinimum: 0 }));
// Any name is a type's, one with line ends too.
const DaysByType = Type.Record(Type.String({ pattern: "^" }), Days, {
  additionalProperties: false,
  maxProperties: MOST_NAMES,
});
const TypeNames = setOf(Type.String(), { maxItems: MOST_NAMES });

const day = (date: string): string => `${date}T00:00:00Z`;
const edge = (src: string, type: string, dst: string, from: string, to: string | null, props = {}): JsonObject => ({
  op: "assert_edge",
  src,
  type,
  dst,
  props,
  valid_from: day(from),
  valid_to: to === null ? null : day(to),
});
const COMPANY: StoreScript = {
  batches: [
    {
      txTime: txTime(1),
      ops: [
        edge("TechCorp", "HAS_CEO", "Alice", "2021-01-15", "2023-11-17"),
        edge("TechCorp", "HAS_CEO", "Bob", "2023-11-17", "2023-11-19"),
        edge("TechCorp", "HAS_CEO", "Charlie", "2023-11-19", "2023-11-21"),
        edge("TechCorp", "HAS_CEO", "Bob", "2023-11-21", null),
        edge("TechCorp", "FOUNDED_IN", "San Francisco", "2010-05-01", null),
      ],
    },
  ],
};
const PLACES: StoreScript = {
  batches: [
    {
      txTime: txTime(1),
      ops: [
        edge("ship", "LIES_IN", "Rome", "2020-01-01", null, { seen: "2020-03-01" }),
        edge("ship", "LIES_IN", "Oslo", "2020-02-01", null),
      ],
    },
  ],
};

const DEFAULTS = {
  types: null,
  half_life: { default: 365, by_type: {} },
  functional: [],
  confirmed_prop: null,
  age: "whole_days",
  digits: 9,
  include: ["current", "expired", "superseded"],
};
const span = (src: string, type: string, dst: string, valid_from: string, valid_to: string | null): JsonObject => ({
  src,
  type,
  dst,
  key: "",
  valid_from,
  valid_to,
});
const ceo = (dst: string, from: string, to: string | null): JsonObject =>
  span("TechCorp", "HAS_CEO", dst, day(from), to === null ? null : day(to));
const ALICE = ceo("Alice", "2021-01-15", "2023-11-17");
const BOB_FIRST = ceo("Bob", "2023-11-17", "2023-11-19");
const CHARLIE = ceo("Charlie", "2023-11-19", "2023-11-21");
const BOB_AGAIN = ceo("Bob", "2023-11-21", null);

/** A row of a fact that nothing was said of but its age and weight. */
const fact = (edgeSpan: JsonObject, status: string, age_days: number, weight: number, more: JsonObject = {}) => ({
  ...edgeSpan,
  status,
  weight,
  age_days,
  basis: edgeSpan.valid_from!,
  basis_kind: "asserted",
  half_life: 365,
  half_life_from: "default",
  superseded_by: null,
  conflicts_total: 0,
  conflict_group: null,
  ended_by: null,
  ended_reason: null,
  ended_tx: null,
  ...more,
});
const totals = (counts: JsonObject): JsonObject => ({
  current: 0,
  superseded: 0,
  expired: 0,
  retracted: 0,
  future: 0,
  ...counts,
});
const count = (description: string) => int(description, "facts");

const isAsked = (type: string, types: readonly string[] | null): boolean => types === null || types.includes(type);

export const factFreshness = declareOperator({
  name: "fact_freshness",
  aliases: [],
  version: 1,
  summary: "How fresh each fact about a subject is at an instant, whether it still holds, and what replaced it.",
  doc: `A fact is a spell of an edge that leaves the subject, or an interval that was believed of one and is no more. Its
age counts from its beginning, or from the instant in \`confirmed_prop\`; its weight halves with every half-life. Of a
\`functional\` type only one object is meant to hold at a time: a fact that began later supersedes, and facts that hold
together with different objects conflict. Nothing superseded stands above something current. \`totals\` counts the facts
of every status, shown or not; \`where\` and \`types\` choose facts, but whatever is believed can supersede.`,
  args: closed({
    src: described(Uid, "the node whose facts are asked for"),
    types: described(withDefault(nullable(TypeNames), null), "types of its facts; null: all"),
    at: described(Instant, "the instant of the question"),
    half_life: described(
      withDefault(
        closed({
          default: described(withDefault(Days, 365), "days for types that have none of their own; null: no decay"),
          by_type: described(withDefault(DaysByType, {}), "days by type; null: no decay"),
        }),
        {},
      ),
      "days in which a weight halves",
    ),
    functional: described(withDefault(TypeNames, []), "types of which a subject has one object at a time"),
    confirmed_prop: described(
      withDefault(nullable(Type.String()), null),
      "property that holds the instant of the last confirmation; null: age counts from the beginning",
    ),
    age: described(
      withDefault(choice({ whole_days: "full days", exact: "with parts of a day" }), "whole_days"),
      "how age is counted",
    ),
    digits: described(withDefault(Type.Integer({ minimum: 1, maximum: 9 }), 9), "decimals of `weight`"),
    include: described(
      withDefault(setOf(choice(STATUS_MEANINGS), { maxItems: 64 }), ["current", "superseded", "expired"]),
      "the statuses to show as rows",
    ),
    where: described(withDefault(Where, {}), "which facts are shown"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(
      closed({
        ...EDGE_IDENTITY,
        ...VALID_TIME,
        status: oneOf(STATUSES, "how the fact stands at the instant"),
        weight: orNull(double("what halves with every half-life of age; null for a fact that begins later")),
        age_days: double("from the basis to the instant", { unit: "days" }),
        basis: instant("what the age counts from"),
        basis_kind: oneOf(["confirmed", "asserted"], "whether that is a confirmation or the fact's beginning"),
        half_life: orNull(double("of the fact's type; null: it never decays", { unit: "days" })),
        half_life_from: oneOf(["type", "default"], "which argument gave it"),
        superseded_by: orNull(described(EdgeSpan, "the fact that replaced it")),
        conflicts_total: count("facts that hold together with this one and contradict it"),
        conflict_group: orNull(int("the number of their group", "1")),
        ended_by: orNull(ENDED_BY),
        ended_reason: orNull(text("reason given by the operation that ended belief in it")),
        ended_tx: orNull(int("commit that ended belief in it", "1")),
      }),
    ),
    conflicts: listOf(
      closed({ group: int("number of the group, by its first row", "1"), ...EDGE_IDENTITY, ...VALID_TIME }),
      "the facts of every group that a row belongs to",
    ),
    totals: closed({
      current: count("facts that hold"),
      superseded: count("facts that others replaced"),
      expired: count("facts that stopped"),
      retracted: count("facts believed no more"),
      future: count("facts that begin later"),
    }),
  }),
  lists: [
    {
      field: "rows",
      order: "status, age over half-life ascending, valid_from descending, type, dst, key",
      key: ["src", "type", "dst", "key", "valid_from"],
    },
    {
      field: "conflicts",
      order: "group, valid_from descending, type, dst, key",
      key: ["group", "src", "type", "dst", "key", "valid_from"],
    },
  ],
  subjects: { paths: ["src"], introduces: true },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Facts of one edge and status begin at different instants, so the order has no ties.",
  errors: [
    { code: "E_NOT_FOUND", when: "src is not known at the pin", args: { src: "nobody", at: at(0) } },
    {
      code: "E_SCHEMA",
      when: "a half-life is not above 0",
      args: { src: "a", at: at(0), half_life: { by_type: { R: 0 } } },
    },
  ],
  cost(args, statistics) {
    const shares = [...statistics.typeShares()];
    const asked = shares.filter(([type]) => isAsked(type, args.types) && isAsked(type, args.where.types));
    const share = args.types === null && args.where.types === null ? 1 : asked.reduce((sum, [, part]) => sum + part, 0);
    const versions = Math.ceil(statistics.degree(args.src) * Math.min(1, share));
    // A version is read, sorted, made part of a fact, and that is judged.
    return { rows: versions, steps: 4 * versions };
  },
  suggest: (args, statistics: Statistics, fits) => {
    const types = [...statistics.typeShares().keys()].filter((type) => isAsked(type, args.types)).slice(0, 64);
    const fitting = types.find((type) => fits({ types: [type] }));
    if (fitting === undefined) return [];
    return [{ args_patch: { types: [fitting] }, why: `ask for the type ${JSON.stringify(fitting)} alone` }];
  },
  examples: [
    {
      title: "who leads the company, a day after the change",
      store: COMPANY,
      args: { src: "TechCorp", types: ["HAS_CEO"], functional: ["HAS_CEO"], digits: 4, at: "2023-11-18" },
      envelope: whole(
        "fact_freshness",
        1,
        { ...DEFAULTS, src: "TechCorp", types: ["HAS_CEO"], functional: ["HAS_CEO"], digits: 4, at: day("2023-11-18") },
        [fact(BOB_FIRST, "current", 1, 0.9981), fact(ALICE, "superseded", 1037, 0.1396, { superseded_by: BOB_FIRST })],
        { conflicts: wholeList([]), totals: totals({ current: 1, superseded: 1, future: 2 }) },
      ),
    },
    {
      title: "and when all is over",
      store: COMPANY,
      args: { src: "TechCorp", types: ["HAS_CEO"], functional: ["HAS_CEO"], digits: 4, at: "2023-12-01" },
      envelope: whole(
        "fact_freshness",
        1,
        { ...DEFAULTS, src: "TechCorp", types: ["HAS_CEO"], functional: ["HAS_CEO"], digits: 4, at: day("2023-12-01") },
        [
          fact(BOB_AGAIN, "current", 10, 0.9812),
          fact(CHARLIE, "superseded", 12, 0.9775, { superseded_by: BOB_AGAIN }),
          fact(BOB_FIRST, "superseded", 14, 0.9738, { superseded_by: CHARLIE }),
          fact(ALICE, "superseded", 1050, 0.1362, { superseded_by: BOB_FIRST }),
        ],
        { conflicts: wholeList([]), totals: totals({ current: 1, superseded: 3 }) },
      ),
    },
    {
      title: "where a company was founded never grows old",
      store: COMPANY,
      args: { src: "TechCorp", types: ["FOUNDED_IN"], half_life: { by_type: { FOUNDED_IN: null } }, at: "2023-12-01" },
      envelope: whole(
        "fact_freshness",
        1,
        {
          ...DEFAULTS,
          src: "TechCorp",
          types: ["FOUNDED_IN"],
          half_life: { default: 365, by_type: { FOUNDED_IN: null } },
          at: day("2023-12-01"),
        },
        [
          fact(span("TechCorp", "FOUNDED_IN", "San Francisco", day("2010-05-01"), null), "current", 4962, 1, {
            half_life: null,
            half_life_from: "type",
          }),
        ],
        { conflicts: wholeList([]), totals: totals({ current: 1 }) },
      ),
    },
    {
      title: "what stopped, and what was taken back",
      store: S2,
      args: { src: "b", at: at(90), include: ["expired", "retracted"] },
      envelope: whole(
        "fact_freshness",
        5,
        { ...DEFAULTS, src: "b", at: at(90), include: ["expired", "retracted"] },
        [
          fact(span("b", "S", "c", at(20), at(70)), "expired", 0, 1),
          fact(span("b", "S", "c", at(70), null), "retracted", 0, 1, { ended_by: "retracted", ended_tx: 4 }),
        ],
        { conflicts: wholeList([]), totals: totals({ expired: 1, retracted: 1 }) },
      ),
    },
    {
      title: "two places at once, one of them confirmed later",
      store: PLACES,
      args: {
        src: "ship",
        at: "2020-03-11",
        functional: ["LIES_IN"],
        confirmed_prop: "seen",
        age: "exact",
        half_life: { default: 10 },
      },
      envelope: whole(
        "fact_freshness",
        1,
        {
          ...DEFAULTS,
          src: "ship",
          at: day("2020-03-11"),
          functional: ["LIES_IN"],
          confirmed_prop: "seen",
          age: "exact",
          half_life: { default: 10, by_type: {} },
        },
        [
          fact(span("ship", "LIES_IN", "Oslo", day("2020-02-01"), null), "current", 39, 0.066985841, {
            half_life: 10,
            conflicts_total: 1,
            conflict_group: 1,
          }),
          fact(span("ship", "LIES_IN", "Rome", day("2020-01-01"), null), "superseded", 10, 0.5, {
            half_life: 10,
            basis: day("2020-03-01"),
            basis_kind: "confirmed",
            superseded_by: span("ship", "LIES_IN", "Oslo", day("2020-02-01"), null),
            conflicts_total: 1,
            conflict_group: 1,
          }),
        ],
        {
          conflicts: wholeList([
            { group: 1, ...span("ship", "LIES_IN", "Oslo", day("2020-02-01"), null) },
            { group: 1, ...span("ship", "LIES_IN", "Rome", day("2020-01-01"), null) },
          ]),
          totals: totals({ current: 1, superseded: 1 }),
        },
      ),
    },
  ],
});
