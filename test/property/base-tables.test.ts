// Law 1 for the operators over base tables: on random stores the native core answers as the reference engine does,
// byte for byte, pages and errors included. case-count.ts says how many stores are tried.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { historyArguments, logArguments, refsOf, scanArguments } from "../support/random-calls.js";
import { randomBatches } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

type Fields = Record<string, unknown>;

const CALLS = 25;

function randomCall(random: Random, head: number, refs: readonly Fields[]): { op: string; args: Fields } {
  const op = random.pick(["scan", "scan", "entity_history", "version_history"]);
  const args =
    op === "scan"
      ? scanArguments(random, head)
      : op === "version_history"
        ? logArguments(random, head, refs)
        : historyArguments(random, refs);
  const pin = random.pick([null, null, `tx:${random.below(head + 1)}`]);
  return { op, args: { ...args, as_of_tt: pin, limit: random.pick([1, 2, 3, 7, 100]) } };
}

async function outcome(engine: OperatorEngine, op: string, args: Fields): Promise<Fields> {
  try {
    return (await callOperator(engine, op, args)) as unknown as Fields;
  } catch (error) {
    if (error instanceof PalimpsestError) return { error: error.code };
    throw error;
  }
}

/** Cursors of the main list and of the further one, as far as the page has them. */
function cursorsOf(envelope: Fields): string[] {
  const edges = envelope.edges as { cursor?: string | null } | null | undefined;
  return [envelope.cursor, edges?.cursor].filter((cursor): cursor is string => typeof cursor === "string");
}

/** Agreement on empty answers proves little: how many answers there were, and how many of them had rows. */
const seen = { answers: 0, withRows: 0, errors: 0 };

function note(envelope: Fields): void {
  if (envelope.error !== undefined) seen.errors += 1;
  else seen.answers += 1;
  if (((envelope.rows_total as number | null | undefined) ?? 0) > 0) seen.withRows += 1;
}

async function compareCall(native: CaseStore, reference: CaseStore, op: string, args: Fields, where: string) {
  const waiting: Fields[] = [args];
  for (let page = 0; page < 12 && waiting.length > 0; page += 1) {
    const asked = waiting.shift()!;
    const [ours, theirs] = [await outcome(native.engine, op, asked), await outcome(reference.engine, op, asked)];
    expect(canonicalJson(ours), `${where}: ${op} ${canonicalJson(asked)}`).toBe(canonicalJson(theirs));
    note(ours);
    waiting.push(...cursorsOf(ours).map((cursor) => ({ ...args, cursor })));
  }
}

async function compareStores(seed: number): Promise<void> {
  const random = new Random(seed);
  const [native, reference] = [await nativeCaseStore(), referenceCaseStore()];
  try {
    let head = 0;
    const refs: Fields[] = [];
    for (const { ops, txTime } of randomBatches(random, 10)) {
      const [ours, theirs] = await Promise.all(
        [native, reference].map((store) =>
          store.write(ops, txTime).catch((error: PalimpsestError) => ({ error: error.code })),
        ),
      );
      expect(ours, `seed ${seed}: ${canonicalJson(ops)}`).toEqual(theirs);
      if (!("tx" in ours!)) continue;
      head = ours.tx;
      refs.push(...refsOf(ops));
    }
    expect(await native.digest(), `seed ${seed}: digest`).toBe(await reference.digest());
    for (let i = 0; i < CALLS; i += 1) {
      const { op, args } = randomCall(random, head, refs);
      await compareCall(native, reference, op, args, `seed ${seed}, call ${i}`);
    }
  } finally {
    await native.close();
  }
}

describe("base tables on random stores", () => {
  const groups = Array.from({ length: Math.ceil(CASE_COUNT / 10) }, (_, i) => FIRST_SEED + i * 10);
  it.each(groups)("seeds from %i answer as the reference engine", { timeout: 120_000 }, async (first) => {
    for (let seed = first; seed < first + 10; seed += 1) await compareStores(seed);
  });

  it("had answers with rows", () => {
    expect(seen.withRows).toBeGreaterThan(seen.answers / 4);
    expect(seen.errors).toBeLessThan(seen.answers / 4);
  });
});
