// What `ask --trace` keeps, checked again: the same as it was written, however it is laid out; anything else differs. Every
// byte of several files is flipped, and what a hand changes and signs anew falls by the store.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgent, type Mode } from "../../src/agent/index.js";
import { checkKept, keptAnswer } from "../../src/cli/kept-answer.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { parseUnambiguous } from "../../src/contract/exact-json.js";
import type { JsonObject } from "../../src/contract/values.js";
import { type Database, PalimpsestError } from "../../src/index.js";
import { ModelServer } from "../agent/model-server.js";
import { PAYEES, QUESTION } from "../agent/payees.js";
import { paymentsStore } from "../agent/payments.js";
import { isReport, said } from "../agent/replies.js";
import { Random } from "../support/random.js";

const answer = {
  kind: "value",
  from: "s1.rows[0].dst",
  also: [
    { kind: "count", from: "s1.rows_total" },
    { kind: "entity_set", from: "s1.rows[*].dst" },
  ],
};
const REPORT = {
  text: "{c1} was paid the most, namely {c3} times. {q1} paid {c2} people. These are {c4}.",
  claims: [
    { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
    { id: "c2", type: "count", cell: "s1.rows_total", about: ["q1"] },
    { id: "c3", type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].dst"] },
    { id: "c4", type: "entity_set", cells: "s1.rows[*].dst", complete: true },
  ],
};
const TURNS: Readonly<Record<Exclude<Mode, "auto">, readonly object[]>> = {
  plan: [{ thought: "Group.", steps: [{ id: "s1", ...PAYEES }], answer }],
  loop: [{ call: PAYEES }, { finish: { answer } }],
};
let db: Database;
const kept = new Map<string, string>();
beforeAll(async () => {
  db = await paymentsStore();
  for (const mode of ["plan", "loop"] as const) {
    let taken = 0;
    const server = await ModelServer.start((asked) => said(isReport(asked) ? REPORT : TURNS[mode][taken++]));
    const agent = createAgent(db, { model: { base_url: server.url, capability: "text", retries: 0 }, mode });
    const result = await agent.ask(QUESTION);
    expect(result.answer.status).toBe("answered");
    kept.set(mode, keptAnswer(result, result.trace!));
    await server.stop();
  }
});
afterAll(() => db.close());

const check = (given: unknown) => checkKept(db, given as JsonObject, new AbortController().signal);
const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "same";
  } catch (error) {
    return error instanceof PalimpsestError ? error.code : String(error);
  }
};
const read = (mode: string): JsonObject => parseUnambiguous(kept.get(mode)!) as JsonObject;
/** With a digest that fits. */
const signed = ({ digest: _digest, ...content }: JsonObject): JsonObject => ({
  ...content,
  digest: createHash("sha256").update(canonicalJson(content)).digest("hex"),
});

describe.each(["plan", "loop"])("an answer of the mode %s that was kept", (mode) => {
  it("is the same, with other blanks and another order of keys, too", async () => {
    const file = read(mode);
    expect(await check(file)).toEqual({ traceDigest: (file.trace as JsonObject).trace_digest, claimCount: 4 });
    const backwards = Object.fromEntries(Object.entries(file).reverse());
    expect(await codeOf(() => check(parseUnambiguous(JSON.stringify(backwards, null, 2))))).toBe("same");
  });

  it("differs after a flip of any of its bytes, in any of its bits", async () => {
    const bytes = Buffer.from(kept.get(mode)!);
    const random = new Random(20_261_130);
    const file = read(mode);
    const missed: unknown[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << random.below(8);
      const code = await codeOf(() => {
        const given = parseUnambiguous(flipped.toString("utf8"));
        // The last digits of a time spent may be those of the same double.
        return canonicalJson(given) === canonicalJson(file) ? Promise.reject("same value") : check(given);
      });
      if (code === "same value") continue;
      if (!["E_STATE", "E_INVALID_ARG", "E_SCHEMA"].includes(code)) missed.push([at, code]);
    }
    expect(bytes.length).toBeGreaterThan(2_000);
    expect(missed).toEqual([]);
  });

  it.each<[string, (file: JsonObject) => void]>([
    ["a value of a claim", (file) => Object.assign((file.claims as JsonObject[])[1]!, { value: 4 })],
    ["a verdict", (file) => Object.assign((file.claims as JsonObject[])[0]!, { verdict: "supported_partial" })],
    ["a reason", (file) => Object.assign((file.claims as JsonObject[])[0]!, { reasons: ["tied"] })],
    ["a cell of a claim", (file) => Object.assign((file.claims as JsonObject[])[2]!, { cell: "s1.rows[1].n" })],
    ["a member of a set", (file) => Object.assign((file.claims as JsonObject[])[3]!, { value: ["bo", "cy"] })],
    ["what the question names", (file) => Object.assign(file, { mentions: [] })],
    ["whom the question names", (file) => Object.assign((file.mentions as JsonObject[])[0]!, { uid: "bo" })],
    [
      "a digest of a step",
      (file) => {
        const [step] = (file.trace as { steps: JsonObject[] }).steps;
        step!.result_digest = "0".repeat(64);
      },
    ],
    [
      "the plan",
      (file) => {
        const { plan } = file.trace as { plan: { steps: { args: JsonObject }[] } };
        plan.steps[0]!.args.limit = 2;
      },
    ],
  ])("falls by the store where %s was changed, though its digest fits", async (_, change) => {
    const file = read(mode);
    change(file);
    expect(await codeOf(() => check(signed(file)))).toBe("E_STATE");
  });

  it("is no trace of an answer without all of its parts", async () => {
    for (const part of ["claims", "mentions"]) {
      const { [part]: _, ...rest } = read(mode);
      expect(await codeOf(() => check(signed(rest)))).toBe("E_SCHEMA");
    }
  });

  it("has no claim of another form, though its digest fits", async () => {
    const [claim] = read(mode).claims as JsonObject[];
    const strange = [
      ...[null, 1, "c1", [], {}],
      ...[null, 3, "tied", {}, [1], undefined].map((reasons) => ({ ...claim, reasons })),
      ...[null, {}, undefined].map((verdict) => ({ ...claim, verdict })),
    ];
    for (const each of strange) {
      const file = { ...read(mode), claims: [claim!, each] } as JsonObject;
      expect(await codeOf(() => check(signed(file)))).toBe("E_SCHEMA");
    }
  });
});

it("a store that was corrected since answers as it was believed then", async () => {
  const other = await paymentsStore();
  await other.write([{ op: "assert_node", uid: "eve", labels: ["Person"], valid_from: "2020-01-01" }]);
  const checked = await checkKept(other, read("plan"), new AbortController().signal).catch((error) => error.details);
  // The times of commits are those of another day: the pin is another one.
  expect(checked).toMatchObject({ field: "ask_pin" });
  await other.close();
});
