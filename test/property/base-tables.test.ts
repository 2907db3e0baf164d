// Law 1 for the operators over base tables: on random stores the native core answers as the reference engine does,
// byte for byte, pages and errors included. PALIMPSEST_SEEDS sets how many stores are tried.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { coreCaseStore } from "../support/core-case-store.js";
import { Random } from "../support/random.js";
import {
  LABELS,
  NAMES,
  randomBatches,
  randomInstant,
  randomProjection,
  randomRef,
  randomWhere,
  randomWindow,
  TYPES,
} from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

type Fields = Record<string, unknown>;

const SEED_COUNT = Number(process.env.PALIMPSEST_SEEDS ?? 30);
const FIRST_SEED = Number(process.env.PALIMPSEST_FIRST_SEED ?? 1);
const CALLS = 25;

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  nodes: ["uid", "labels", "valid_from", "valid_to", "tx", "reason"],
  edges: ["src", "type", "dst", "key", "seq", "valid_from", "valid_to", "source"],
  events: ["src", "dst", "key", "at", "duration", "seq"],
  endpoints: ["uid", "other", "role", "at", "type"],
  versions: ["valid_from", "valid_to", "tx_from", "tx_to", "tx", "ended_by", "ended_reason"],
  commits: ["tx", "ingested", "operations", "tx_time"],
  buckets: ["bucket_from", "partial"],
};

function randomTx(random: Random, head: number): unknown {
  const pin = () => random.pick([`tx:${random.below(head + 1)}`, "2021-01-01T03:00:00Z", "2021-01-01T03:30:00Z"]);
  return random.pick<unknown>([
    null,
    { at: pin() },
    { window: { from: pin(), to: null } },
    { window: { from: null, to: pin() } },
  ]);
}

function scanArguments(random: Random, head: number): Fields {
  const of = random.pick(Object.keys(COLUMNS));
  const kind = of === "versions" ? random.pick(["node", "edge"]) : undefined;
  const isPlain = of === "commits" || of === "buckets";
  const own = of === "versions" ? [...COLUMNS.versions!, ...COLUMNS[`${kind}s`]!] : COLUMNS[of]!;
  const columns = [...random.some(own), ...(isPlain ? [] : random.some(NAMES).map((name) => `props.${name}`))];
  const window = { window: randomWindow(random), clamp: random.chance(1, 2) };
  const at = { at: randomInstant(random) };
  const valid =
    of === "commits"
      ? null
      : of === "events" || of === "endpoints" || of === "buckets"
        ? window
        : random.pick([null, window, at]);
  return {
    of,
    kind,
    valid,
    ...(random.chance(1, 2) || isPlain ? {} : { names: random.some([...TYPES, ...LABELS, "X"]) }),
    ...(of === "versions" ? { tx: randomTx(random, head) } : {}),
    ...(of === "buckets" ? { stride: random.pick(["PT10S", "PT24H", "P5Y", "P20M", "P400Y"]) } : {}),
    ...(random.chance(1, 3) ? {} : { columns }),
    where: randomWhere(random),
  };
}

/** Mostly something that was written. */
const anyRef = (random: Random, refs: readonly Fields[]): Fields =>
  refs.length === 0 || random.chance(1, 8) ? randomRef(random) : random.pick(refs);

/** What the operations of a batch name. */
function refsOf(ops: readonly Fields[]): Fields[] {
  return ops.flatMap(({ op, uid, src, type, dst, key }) =>
    op === "assert_node" ? [{ uid }] : op === "assert_edge" ? [{ uid: src }, { src, type, dst, key }] : [],
  );
}

function historyArguments(random: Random, refs: readonly Fields[]): Fields {
  const ref = anyRef(random, refs);
  return {
    ref,
    window: randomWindow(random),
    include_edges: ref.uid !== undefined && random.chance(2, 3),
    where: randomWhere(random),
  };
}

function logArguments(random: Random, head: number, refs: readonly Fields[]): Fields {
  const tx = randomTx(random, head) as { window?: unknown } | null;
  return {
    kind: random.pick(["node", "edge", "both", "both"]),
    ref: random.chance(1, 3) ? anyRef(random, refs) : null,
    window: randomWindow(random),
    tx_window: tx?.window ?? null,
    belief: random.pick(["current", "superseded", "all"]),
    ended_by: random.chance(1, 3) ? random.some(["overwritten", "retracted", "corrected"]) : null,
    where: randomWhere(random),
    props: randomProjection(random),
  };
}

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
  const [native, reference] = [coreCaseStore(), referenceCaseStore()];
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
  const groups = Array.from({ length: Math.ceil(SEED_COUNT / 10) }, (_, i) => FIRST_SEED + i * 10);
  it.each(groups)("seeds from %i answer as the reference engine", { timeout: 120_000 }, async (first) => {
    for (let seed = first; seed < first + 10; seed += 1) await compareStores(seed);
  });

  it("had answers with rows", () => {
    expect(seen.withRows).toBeGreaterThan(seen.answers / 4);
    expect(seen.errors).toBeLessThan(seen.answers / 4);
  });
});
