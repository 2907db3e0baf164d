// Traces of varied plans, damaged: every value of one is another, missing, twice or of another kind, and what a program can
// hand over that is no JSON. The check tells each apart or refuses it; only times are outside.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import { type Database, PalimpsestError, type Trace } from "../../src/index.js";
import { SEEDS } from "../support/case-count.js";
import { Random } from "../support/random.js";
import { PLANS, storeOfPlans } from "./varied-plans.js";

let db: Database;
const traces: Trace[] = [];
beforeAll(async () => {
  db = await storeOfPlans();
  for (const plan of PLANS) traces.push(await db.run(plan));
});
afterAll(() => db.close());

type Holder = JsonObject | JsonValue[];

/** Every member of every list and object, by who holds it. */
function members(value: JsonValue, found: [Holder, string | number][] = []): [Holder, string | number][] {
  if (typeof value !== "object" || value === null) return found;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    if (key === "ms") continue;
    found.push([value, key]);
    members((value as Record<string | number, JsonValue>)[key]!, found);
  }
  return found;
}

/** Another text: one character less, more, twice, or of another case. */
function bentText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const bent = random.pick([
    text.slice(0, at) + text.slice(at + 1),
    `${text.slice(0, at)}\u0000${text.slice(at)}`,
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at % Math.max(1, text.length)) ^ 1) + text.slice(at + 1),
    text.toUpperCase(),
    `${text} `,
  ]);
  return bent === text ? `${text}x` : bent;
}

function bent(value: JsonValue, random: Random): JsonValue {
  if (typeof value === "string") return bentText(value, random);
  if (typeof value === "number") return random.pick([value + 1, -value - 1, value + 2 ** -20, String(value)]);
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return random.pick([!value, null, Number(value)]);
  if (value === null) return random.pick<JsonValue>([false, 0, "", [], {}]);
  if (Array.isArray(value)) return random.pick<JsonValue>([[...value, null], {}, null, [value], value.length]);
  return random.pick<JsonValue>([{ ...value, "": null }, { ...value, ["__proto__"]: 1 }, [], null, [value]]);
}

function damage(trace: JsonObject, random: Random): string {
  const [holder, key] = random.pick(members(trace));
  const target = holder as Record<string | number, JsonValue>;
  const before = JSON.stringify(target);
  if (random.below(4) > 0) target[key] = bent(target[key]!, random);
  else if (!Array.isArray(holder)) delete holder[key as string];
  else if (random.below(2) === 0) holder.splice(key as number, 1);
  else holder.push(holder[key as number]!);
  return `${String(key)} of ${before.slice(0, 200)}`;
}

/** What the check says: the difference, the code of an error, or null. */
const said = (trace: unknown) =>
  db.check(trace).catch((error: unknown) => {
    if (error instanceof PalimpsestError && error.code !== "E_INTERNAL") return error.code;
    throw error;
  });

describe("a damaged trace", () => {
  it("is told apart or refused, wherever the damage is", async () => {
    for (const seed of SEEDS) {
      const random = new Random(seed);
      for (const [i, whole] of traces.entries()) {
        const trace = structuredClone(whole) as unknown as JsonObject;
        const what = damage(trace, random);
        expect(await said(trace), `seed ${seed}, plan ${i}: ${what}`).not.toBeNull();
      }
    }
  });

  it("is the same with other times, and refused with what is no time", async () => {
    const withTimes = (ms: unknown) => ({ ...traces[0]!, steps: traces[0]!.steps.map((step) => ({ ...step, ms })) });
    expect(await said(withTimes(1e9))).toBeNull();
    for (const ms of ["1", -1, Number.NaN, [], {}, undefined, () => 1]) {
      expect(await said(withTimes(ms)), String(ms)).toBe("E_SCHEMA");
    }
  });
});

/** Something put in the place of an argument that is null, of a list, of an object, and of the whole. */
function withStrange(strange: unknown): unknown[] {
  const inArguments = structuredClone(traces[0]!) as unknown as { steps: { args: Record<string, unknown> }[] };
  const { args } = inArguments.steps[0]!;
  const nulls = Object.keys(args).filter((key) => args[key] === null);
  expect(nulls.length).toBeGreaterThan(0);
  for (const key of nulls) args[key] = strange;
  const inList = structuredClone(traces[0]!) as unknown as { answer: { also: unknown[] } };
  inList.answer.also.push(strange);
  return [inArguments, inList, { ...traces[0]!, steps: strange }, { ...traces[0]!, answer: strange }, strange];
}

describe("what is no JSON in a trace", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  let deep: unknown = null;
  for (let i = 0; i < 100_000; i += 1) deep = [deep];
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error("a trap");
      },
      ownKeys: () => {
        throw new Error("a trap");
      },
    },
  );
  it.each([
    ["a symbol", Symbol("s")],
    ["a function", () => null],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["bytes", new Uint8Array(3)],
    ["a cycle", cyclic],
    ["depth", deep],
    ["not a number", Number.NaN],
    ["a lone surrogate", "\ud800"],
    ["a holed list", new Array(1000)],
    ["a proxy that throws", throwing],
  ])("%s is told apart or refused", async (_, strange) => {
    for (const trace of withStrange(strange)) expect(await said(trace)).not.toBeNull();
  });

  it("a getter that throws is E_SCHEMA", async () => {
    const trace = Object.defineProperty({ ...traces[0]! }, "answer", {
      enumerable: true,
      get: () => {
        throw new Error("a trap");
      },
    });
    await expect(db.check(trace)).rejects.toMatchObject({ code: "E_SCHEMA" });
  });
});

describe("a check that cannot run to its end", () => {
  it("says so, and not that the trace is another", async () => {
    await expect(db.check(traces[0], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "E_CANCELLED" });
    await expect(db.check(traces[0], { ceilings: { steps: 1 } })).rejects.toMatchObject({ code: "E_COST" });
  });
});

describe("the row keys of an answer", () => {
  const answerOf = async (steps: readonly JsonObject[], answer: JsonObject) =>
    (await db.run({ steps, answer })).answer!;

  it("name each row that stands in it, in its order", async () => {
    const reach = { id: "r", op: "temporal_reachability", args: { uid: "a" } };
    const snapshot = { id: "n", op: "snapshot_subgraph", args: { seeds: ["a"], at: "2020-01-01T00:00:10Z", hops: 2 } };
    const answer = await answerOf([reach, snapshot], {
      kind: "entity_set",
      from: "r.rows[*].uid",
      also: [
        { kind: "value", from: "r.rows[1].arrival" },
        { kind: "count", from: "r.rows_total" },
        { kind: "entity_set", from: "n.nodes.rows[*].uid" },
      ],
    });
    // By hand: from a one reaches b, then c; at second 10 a is tied to b alone.
    expect(answer.row_keys).toEqual({
      columns: ["of", "uid"],
      rows: [
        ["a", "b"],
        ["a", "c"],
      ],
    });
    expect(answer.also.map(({ row_keys }) => row_keys)).toEqual([
      { columns: ["of", "uid"], rows: [["a", "c"]] },
      null,
      { columns: ["uid"], rows: [["a"], ["b"]] },
    ]);
  });

  it("are those of the slice, and none where a table is of single fields or nothing names the rows", async () => {
    const sliced = { id: "r", op: "temporal_reachability", args: { uid: "a" }, slice: [1, 1] };
    const table = await answerOf([sliced], { kind: "table", from: "r", columns: [{ from: "arrival", as: "at" }] });
    expect(table.row_keys).toEqual({ columns: ["of", "uid"], rows: [["a", "c"]] });
    const fields = await answerOf([sliced], { kind: "table", from: "r", columns: [{ from: "rows_total", as: "n" }] });
    expect(fields).toMatchObject({ rows: [{ n: 2 }], row_keys: null });
    const scan = { id: "e", op: "scan", args: { of: "events" } };
    expect((await answerOf([scan], { kind: "table", from: "e" })).row_keys).toBeNull();
  });
});
