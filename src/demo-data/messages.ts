// The demo's message list: who wrote to whom, and when, in an invented office over eight weeks of spring 2024.
// Deterministic from one seed and integer arithmetic alone, so that every machine sees the same list; knows nothing of the store.

/** One message. `id` counts from 1 in order of sending; `replyTo` is the id of the message it answers, or null. */
export interface Message {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** Microseconds since 1970-01-01T00:00:00Z; strictly increasing over the list. */
  readonly sentUs: bigint;
  readonly replyTo: number | null;
}

/** Six teams of ten: most messages stay inside one, so that news travels in bursts and leaks slowly. */
const TEAMS: readonly (readonly string[])[] = [
  ["ada", "alan", "amir", "anna", "arne", "aisha", "agnes", "akira", "alba", "anton"],
  ["bea", "ben", "bilal", "bo", "boris", "bruno", "britt", "basil", "bella", "birgit"],
  ["cai", "carl", "cem", "chiara", "chloe", "clara", "cosmo", "cyril", "celia", "conor"],
  ["dana", "dario", "david", "dean", "deniz", "diana", "dina", "dora", "duc", "dylan"],
  ["edda", "edgar", "ela", "elif", "eliot", "emil", "emma", "enzo", "erik", "eva"],
  ["fabio", "fady", "farah", "felix", "femi", "fiona", "flora", "frank", "freya", "finn"],
];
const PEOPLE = TEAMS.flat();

const SEED = 2024;
const MESSAGE_COUNT = 2_000;
const WEEKS = 8;
const FIRST_MONDAY_S = 1_709_510_400; // 2024-03-04T00:00:00Z
const DAY_S = 86_400;
const OPENS_AT_S = 8 * 3_600;
const OPEN_FOR_S = 10 * 3_600;
/** A thread ends here at the latest. */
const LONGEST_THREAD = 6;

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly sentS: number;
  readonly answers: Draft | null;
}

/** Mulberry32: 32-bit integers only, hence the same draws everywhere. Gives whole numbers in [0, bound). */
function draws(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

function teamOf(person: string): readonly string[] {
  return TEAMS.find((team) => team.includes(person)) ?? PEOPLE;
}

/** Someone else: mostly of the same team, now and then anyone. */
function otherThan(person: string, below: (bound: number) => number): string {
  const circle = below(100) < 80 ? teamOf(person) : PEOPLE;
  const others = circle.filter((name) => name !== person);
  return others[below(others.length)] as string;
}

/**
 * The whole list, {@link MESSAGE_COUNT} messages between sixty people, in order of sending.
 *
 * A thread begins in office hours on a weekday. Each message of it is answered with decreasing likelihood after a minute to
 * four hours; instead of an answer, the receiver may pass the news on to someone else.
 */
export function demoMessages(): Message[] {
  const below = draws(SEED);
  const drafts: Draft[] = [];
  const taken = new Set<number>();

  function send(from: string, to: string, notBeforeS: number, answers: Draft | null): Draft {
    let sentS = notBeforeS;
    while (taken.has(sentS)) sentS += 1; // no two at one second: the order of the list is the order in time
    taken.add(sentS);
    const draft = { from, to, sentS, answers };
    drafts.push(draft);
    return draft;
  }

  while (drafts.length < MESSAGE_COUNT) {
    const weekday = below(WEEKS) * 7 + below(5);
    const author = PEOPLE[below(PEOPLE.length)] as string;
    let latest = send(
      author,
      otherThan(author, below),
      FIRST_MONDAY_S + weekday * DAY_S + OPENS_AT_S + below(OPEN_FOR_S),
      null,
    );
    for (let length = 1; length < LONGEST_THREAD && drafts.length < MESSAGE_COUNT; length++) {
      const choice = below(100);
      const laterS = latest.sentS + 60 + below(4 * 3_600);
      if (choice < 50) latest = send(latest.to, latest.from, laterS, latest);
      else if (choice < 70) latest = send(latest.to, otherThan(latest.to, below), laterS, null);
      else break;
    }
  }

  drafts.sort((a, b) => a.sentS - b.sentS);
  const ids = new Map(drafts.map((draft, index) => [draft, index + 1]));
  return drafts.map((draft, index) => ({
    id: index + 1,
    from: draft.from,
    to: draft.to,
    sentUs: BigInt(draft.sentS) * 1_000_000n,
    replyTo: draft.answers === null ? null : (ids.get(draft.answers) ?? null),
  }));
}
