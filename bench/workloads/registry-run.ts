// What the workloads of the question registry share: every answer is checked whole, then every question is timed in turn, round by
// round, as a user calls: latest belief unless asked otherwise, first page of 100 rows, envelope and digest included.

import { answerOf, timedCall } from "../registry/ask.js";
import { callOf } from "../registry/calls.js";
import type { Judge } from "../registry/expected.js";
import { limitsOf } from "../registry/gates.js";
import { answerDigest, rowCount } from "../registry/normal-forms.js";
import type { Question, QuestionId } from "../registry/questions.js";
import type { Cell, Family, LoadFacts, SystemDocument } from "../runner/document.js";
import { atMost, type Figure, type Gate } from "../runner/figures.js";
import { describeCommit, describeMachine, describePackage } from "../runner/machine.js";
import { elapsedMs, measure, type RoundsTiming, withRound } from "../runner/measure.js";
import { megabytes, peakBytes, residentBytes } from "../runner/memory.js";
import type { Context } from "../runner/workload.js";
import { bytesUnder, type Database, open } from "../stores/database.js";

export interface Timed<Asked extends Question = Question> {
  readonly question: Asked;
  readonly rows: number;
  readonly digest: string;
  /** The first call of all, before the answer was read whole. */
  readonly first_ms: number;
  readonly timing: RoundsTiming;
}

export function wanted<Asked extends Question>({ only }: Context, questions: readonly Asked[]): Asked[] {
  return questions.filter(({ id }) => only === null || only.has(id));
}

/** Checks every answer, then times every question; throws with all wrong answers before anything is timed. */
export async function timeQuestions<Asked extends Question>(
  context: Context,
  db: Database,
  questions: readonly Asked[],
  judge: Judge<Asked>,
): Promise<Timed<Asked>[]> {
  const wrong: string[] = [];
  const checked: Omit<Timed<Asked>, "timing">[] = [];
  for (const question of wanted(context, questions)) {
    const first_ms = await elapsedMs(() => timedCall(db, callOf(question)));
    const answer = await answerOf(db, question);
    const difference = judge(question, answer);
    context.progress(`${question.id}: ${difference ?? "right"}`);
    if (difference !== null) wrong.push(`${question.id}: wrong answer at ${difference}`);
    checked.push({ question, rows: rowCount(answer), digest: answerDigest(answer), first_ms });
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));

  const timings = new Map<QuestionId, RoundsTiming>();
  for (let round = 0; round < context.rounds; round++) {
    for (const { question } of checked) {
      const call = callOf(question);
      const timing = await measure(() => timedCall(db, call));
      timings.set(question.id, withRound(timings.get(question.id), timing));
    }
    context.progress(`round ${round + 1} of ${context.rounds} timed`);
  }
  return checked.map((each) => ({ ...each, timing: timings.get(each.question.id) as RoundsTiming }));
}

/** The figure of a timed question, with what its timing says of the machine among the notes. */
export function figureOf(timed: Timed, name: string, gate: Gate | undefined, notes: Figure["notes"] = {}): Figure {
  const { digest, first_ms, rows, timing } = timed;
  const { median, p95, repetitions, least: _, ...machine } = timing;
  const value = { name, unit: "ms", value: median, p95, repetitions, gate };
  return { ...value, notes: { digest, rows, first_ms, ...machine, ...notes } };
}

export function gatedFigure(timed: Timed, scale: number): Figure {
  const { id } = timed.question;
  const limits = limitsOf(id, scale);
  const notes = limits === null ? {} : { goal_ms: limits.goal };
  return figureOf(
    timed,
    `${id} (${callOf(timed.question).op})`,
    limits === null ? undefined : atMost(limits.gate),
    notes,
  );
}

/** Opens a store, fills it, and says what that took; the generated data is garbage by then. */
export async function loaded(
  folder: string,
  scale: number,
  fill: (db: Database) => Promise<void>,
): Promise<{ db: Database; load: LoadFacts }> {
  const resident_before_mb = megabytes(residentBytes());
  const begun = performance.now();
  const db = await open(folder);
  await fill(db);
  const seconds = (performance.now() - begun) / 1e3;
  const load: LoadFacts = {
    seconds: Math.round(seconds * 1e3) / 1e3,
    events_per_s: Math.round(scale / seconds),
    durable: true,
    bytes_on_disk: bytesUnder(folder),
    resident_mb: megabytes(residentBytes()),
    resident_before_mb,
    peak_mb: megabytes(peakBytes()),
  };
  return { db, load };
}

function cellOf({ rows, digest, first_ms, timing }: Timed): Cell {
  const { median, p95, repetitions, least: _, ...machine } = timing;
  const timed = { median_ms: fourDecimals(median), p95_ms: fourDecimals(p95), repetitions };
  return { ...timed, rows, digest, agrees: true, first_ms: fourDecimals(first_ms), ...machine } as Cell;
}

function fourDecimals(milliseconds: number): number {
  return Math.round(milliseconds * 1e4) / 1e4;
}

export function documentOf(family: Family, scale: number, load: LoadFacts, timed: readonly Timed[]): SystemDocument {
  return {
    ...describePackage(),
    ...describeCommit(),
    machine: describeMachine(),
    scale,
    family,
    load,
    queries: Object.fromEntries(timed.map((each) => [each.question.id, cellOf(each)])),
    peak_mb_after_queries: megabytes(peakBytes()),
  };
}
