// Statements over small stores: rows counted by hand, and wrong ones with code, kind, place and hint.
// The files of cases are TQL; what each line of remarks means stands in case-file.ts.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, PalimpsestError } from "../../src/index.js";
import { ask } from "./ask.js";
import { readCases } from "./case-file.js";
import { type SmallStore, smallStore } from "./stores.js";

const FOLDER = join(import.meta.dirname, "small");
const cases = ["payments", "hospital", "oddities", "elements", "wrong"].flatMap((name) =>
  readCases(join(FOLDER, `${name}.tql`)),
);
const stores = new Map<string, Database>();

beforeAll(async () => {
  for (const { store } of cases) if (!stores.has(store)) stores.set(store, await smallStore(store as SmallStore));
});
afterAll(async () => {
  for (const db of stores.values()) await db.close();
});

async function failureOf(run: () => Promise<unknown>): Promise<PalimpsestError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
    throw error;
  }
  throw new Error("the statement ran");
}

describe("statements over small stores", () => {
  it("are many", () => {
    expect(cases.filter(({ wrong }) => wrong === null).length).toBeGreaterThanOrEqual(120);
    expect(cases.filter(({ wrong }) => wrong !== null).length).toBeGreaterThanOrEqual(60);
  });

  for (const one of cases.filter(({ wrong }) => wrong === null)) {
    it(one.title, async () => {
      const { rows, columns, operators, notices } = one.expected;
      const asked = await ask(stores.get(one.store)!, one);
      expect(asked.rows).toEqual(rows);
      if (columns !== null) expect(asked.columns).toEqual(columns);
      if (operators !== null) expect(asked.operators).toEqual(operators);
      if (notices !== null) expect(asked.notices).toEqual(notices);
    });
  }
});

describe("wrong statements", () => {
  for (const { title, store, text, params, wrong } of cases.filter((one) => one.wrong !== null)) {
    it(title, async () => {
      const { code, kind, place, hint } = wrong!;
      const error = await failureOf(async () => stores.get(store)!.query(text, { params }));
      expect(error.code).toBe(code);
      if (kind !== null) expect(error.details.kind).toBe(kind);
      if (place !== null) expect({ line: error.details.line, column: error.details.column }).toEqual(place);
      expect(error.hint).toContain(hint);
    });
  }
});
