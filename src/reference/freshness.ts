// P6 fact_freshness: each fact about a subject with its age, weight and status, and the facts that contradict it.
// Which facts there are and which replace which is in freshness-facts; here they are weighed, ordered and shown.

import { compareFractions, type Fraction, fractionOf, rounded, toDouble } from "./exact-numbers.js";
import { EndJudge, passesContent, type Where } from "./filters.js";
import { conflictsOf, type Fact, factsAbout, shownSpan, supersedersOf } from "./freshness-facts.js";
import { floorDiv, formatInstant, parseInstant } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import type { Belief } from "./question.js";
import { compareInstants, compareTexts } from "./values.js";

const DAY = 86_400_000_000n;
const STATUSES = ["current", "superseded", "expired", "retracted", "future"] as const;
type Status = (typeof STATUSES)[number];

interface HalfLives {
  readonly default: number | null;
  readonly by_type: Readonly<Record<string, number | null>>;
}

interface Weighed {
  readonly fact: Fact;
  readonly status: Status;
  readonly supersededBy: Fact | null;
  readonly basis: bigint;
  readonly isConfirmed: boolean;
  /** In days. */
  readonly age: Fraction;
  readonly halfLife: number | null;
  readonly isOwnHalfLife: boolean;
}

/** The confirmation that a version carries, if it is an instant inside the fact and not after `at`. */
function confirmationOf(fact: Fact, at: bigint, prop: string | null): bigint | null {
  const begun = fact.versions.filter(({ validFrom }) => validFrom <= at);
  const props = begun.at(-1)?.props;
  const text = prop !== null && props !== undefined && Object.hasOwn(props, prop) ? props[prop] : null;
  if (typeof text !== "string") return null;
  try {
    const instant = parseInstant(text);
    return fact.from <= instant && instant <= at ? instant : null;
  } catch {
    return null; // any other text
  }
}

function statusOf(fact: Fact, at: bigint, isSuperseded: boolean): Status {
  if (fact.retracted !== null) return "retracted";
  if (fact.from > at) return "future";
  if (isSuperseded) return "superseded";
  return fact.to <= at ? "expired" : "current";
}

/** Age over half-life, which orders the facts of a status; null never decays. */
function decayOf({ age, halfLife }: Weighed): Fraction | null {
  if (halfLife === null) return null;
  const { num, den } = fractionOf(halfLife);
  return { num: age.num * den, den: age.den * num };
}

function compareWeighed(a: Weighed, b: Weighed): number {
  const order = STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status);
  if (order !== 0) return order;
  const [aDecay, bDecay] = [decayOf(a), decayOf(b)];
  if (aDecay === null || bDecay === null) {
    if (aDecay !== bDecay) return aDecay === null ? -1 : 1;
  } else if (compareFractions(aDecay, bDecay) !== 0) return compareFractions(aDecay, bDecay);
  return compareNewestFirst(a.fact, b.fact);
}

function compareNewestFirst(a: Fact, b: Fact): number {
  const identity = ({ edge }: Fact) => [edge.type, edge.dst, edge.key];
  return compareInstants(b.from, a.from) || compareTexts(identity(a), identity(b));
}

function weightOf(weighed: Weighed, at: bigint, digits: number): number | null {
  if (weighed.fact.from > at) return null;
  if (weighed.halfLife === null) return 1;
  return rounded(2 ** -(toDouble(weighed.age) / weighed.halfLife), digits);
}

export function factFreshness(belief: Belief, args: Args): Answer {
  const src = args.src as string;
  belief.requireUids([src]);
  const at = parseInstant(args.at);
  const types = args.types as readonly string[] | null;
  const where = args.where as Where;
  const functional = args.functional as readonly string[];
  const halfLives = args.half_life as HalfLives;
  const judge = new EndJudge(belief.believed, where, new Set([src]));
  const all = factsAbout(belief, src);

  const weighed = all
    .filter(({ edge }) => types === null || types.includes(edge.type))
    .filter((fact) => passesContent(fact.versions[0]!, where) && judge.passesEnds(fact.edge, fact.from))
    .map((fact): Weighed => {
      const superseders = supersedersOf(fact, all, at, functional);
      const status = statusOf(fact, at, superseders.length > 0);
      const confirmation = confirmationOf(fact, at, args.confirmed_prop as string | null);
      const basis = confirmation ?? fact.from;
      const isOwnHalfLife = Object.hasOwn(halfLives.by_type, fact.edge.type);
      return {
        fact,
        status,
        supersededBy: status === "superseded" ? superseders[0]! : null,
        basis,
        isConfirmed: confirmation !== null,
        age: args.age === "exact" ? { num: at - basis, den: DAY } : { num: floorDiv(at - basis, DAY), den: 1n },
        halfLife: isOwnHalfLife ? halfLives.by_type[fact.edge.type]! : halfLives.default,
        isOwnHalfLife,
      };
    });
  const shown = weighed
    .filter(({ status }) => (args.include as readonly string[]).includes(status))
    .sort(compareWeighed);

  // A group is the facts of one functional type; its number counts the types by their first shown row.
  const groups: string[] = [];
  const rows = shown.map((one): Row => {
    const { fact, status, supersededBy, basis, isConfirmed, halfLife, isOwnHalfLife } = one;
    const conflicts = conflictsOf(fact, all, at, functional);
    if (conflicts.length > 0 && !groups.includes(fact.edge.type)) groups.push(fact.edge.type);
    return {
      ...shownSpan(fact),
      status,
      weight: weightOf(one, at, args.digits as number),
      age_days: rounded(toDouble(one.age)),
      basis: formatInstant(basis),
      basis_kind: isConfirmed ? "confirmed" : "asserted",
      half_life: halfLife,
      half_life_from: isOwnHalfLife ? "type" : "default",
      superseded_by: supersededBy === null ? null : shownSpan(supersededBy),
      conflicts_total: conflicts.length,
      conflict_group: conflicts.length > 0 ? groups.indexOf(fact.edge.type) + 1 : null,
      ended_by: fact.retracted?.by ?? null,
      ended_reason: fact.retracted?.reason ?? null,
      ended_tx: fact.retracted?.tx ?? null,
    };
  });
  const conflicts = groups.flatMap((type, i) =>
    all
      .filter((fact) => fact.edge.type === type && conflictsOf(fact, all, at, functional).length > 0)
      .sort(compareNewestFirst)
      .map((fact): Row => ({ group: i + 1, ...shownSpan(fact) })),
  );
  const totals = Object.fromEntries(
    STATUSES.map((status) => [status, weighed.filter((one) => one.status === status).length]),
  );
  return {
    lists: [
      ["rows", rows],
      ["conflicts", conflicts],
    ],
    fields: { totals },
  };
}
