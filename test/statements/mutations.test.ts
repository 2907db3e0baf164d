// A thousand seeded mutations of valid statements: each gives an answer or a typed error that is not our own mistake, and soon.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, PalimpsestError } from "../../src/index.js";
import { Random } from "../support/random.js";
import { readCases } from "./case-file.js";
import { mutated } from "./mutate.js";
import { type SmallStore, smallStore } from "./stores.js";

const NAMES: readonly SmallStore[] = ["payments", "hospital", "oddities"];
const small = [...NAMES, "wrong"].flatMap((name) =>
  readCases(join(import.meta.dirname, "small", `${name}.tql`)).map(({ text, store }) => ({ text, store })),
);
const examples = readFileSync(join(import.meta.dirname, "../language/examples.tql"), "utf8")
  .split(/^--.*$/m)
  .map((text) => text.trim())
  .filter((text) => text !== "");
const statements = [...small, ...examples.map((text) => ({ text, store: "hospital" }))];
const texts = statements.map(({ text }) => text);

const SEEDS = 1000;
/** None of them has more to do than this, on a busy machine. */
const DEADLINE_MS = 10_000;

const stores = new Map<string, Database>();
beforeAll(async () => {
  for (const name of NAMES) stores.set(name, await smallStore(name));
});
afterAll(async () => {
  for (const db of stores.values()) await db.close();
});

it("a changed statement is answered or refused", async () => {
  const outcomes = { answered: 0, refused: 0, syntax: 0 };
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = new Random(seed);
    const { text, store } = random.pick(statements);
    const changed = mutated(text, texts, random);
    const error = await stores
      .get(store)!
      .query(changed, { params: { p: 1 }, deadlineMs: DEADLINE_MS })
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    if (error === null) outcomes.answered += 1;
    else {
      expect(error, `seed ${seed}: ${changed}`).toBeInstanceOf(PalimpsestError);
      const { code, message, cause } = error as PalimpsestError;
      expect(code, `seed ${seed}: ${changed}\n${message}\n${String(cause)}`).not.toMatch(/E_INTERNAL|E_CANCELLED/);
      outcomes[code === "E_SYNTAX" ? "syntax" : "refused"] += 1;
    }
  }
  expect(outcomes.answered).toBeGreaterThan(SEEDS / 40);
  expect(outcomes.refused).toBeGreaterThan(SEEDS / 10);
  expect(outcomes.syntax).toBeGreaterThan(SEEDS / 10);
});
