// The user's reference of the language as somebody who tries it finds it: every example runs over the store that the
// page makes, in the page's order and one session for each, and gives the rows or the refusal that stand behind it.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open, type QuerySession } from "../../src/index.js";

interface Example {
  readonly store: string;
  readonly text: string;
  /** Cells of the rows that the page shows; null: it shows none. */
  rows: unknown[][] | null;
  refusal: readonly [code: string, kind: string] | null;
}

const page = readFileSync(join(resolve(import.meta.dirname, "../.."), "grammar/TQL.md"), "utf8");

/** A statement ends its line with a semicolon; what is said of it stands in the lines behind. */
function examplesOf(store: string, block: string): Example[] {
  const examples: Example[] = [];
  let text = "";
  for (const line of block.trimEnd().split("\n")) {
    const said = /^--([=!]) (.*)$/.exec(line);
    if (said === null) {
      text += `${line}\n`;
      if (!line.endsWith(";")) continue;
      examples.push({ store, text: text.trimEnd(), rows: null, refusal: null });
      text = "";
      continue;
    }
    const example = examples.at(-1)!;
    if (said[1] === "=") example.rows = [...(example.rows ?? []), JSON.parse(`[${said[2]}]`)];
    else example.refusal = said[2]!.split(" ") as [string, string];
  }
  if (text !== "") throw new Error(`no semicolon behind ${text}`);
  return examples;
}

const examples = Array.from(page.matchAll(/^```tql (\w+)\n([\s\S]*?)^```$/gm), ([, store, block]) =>
  examplesOf(store!, block!),
).flat();
const mistakes = Array.from(page.matchAll(/^```tql-error\n([\s\S]*?)^```$/gm), ([, block]) => block!.trimEnd())
  .flatMap((block) => block.split("\n"))
  .map((line) => /^(.*?)\s+-- (E_\w+) (\w+) (\d+)$/.exec(line)!.slice(1) as [string, string, string, string]);

const cell = (value: unknown): unknown =>
  typeof value === "bigint" ? Number(value) : Array.isArray(value) ? value.map(cell) : value;

async function refusalOf(session: QuerySession, text: string): Promise<PalimpsestError> {
  try {
    await session.query(text);
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
    throw error;
  }
  throw new Error(`nothing was refused: ${text}`);
}

describe.each(["wards", "payments"])("the page's store %s", (store) => {
  let db: Database;
  let session: QuerySession;
  beforeAll(async () => {
    db = await open(":memory:");
    session = db.session({});
  });
  afterAll(async () => {
    await session.close();
    await db.close();
  });

  const own = examples.filter((example) => example.store === store);
  // One after the other and in one test: each sees what those before it wrote and set.
  it("gives what the page says", async () => {
    for (const { text, rows, refusal } of own) {
      if (refusal !== null) {
        const error = await refusalOf(session, text);
        expect([error.code, error.details?.kind], text).toEqual(refusal);
        expect(error.message.length, text).toBeGreaterThan(0);
        continue;
      }
      const answer = await session.query(text).then(undefined, (error: unknown) => {
        throw new Error(`${text}: ${error}`);
      });
      if (rows === null) continue;
      const names = answer.columns.map(({ name }) => name);
      expect(
        answer.rows.map((row) => names.map((name) => cell(row[name]))),
        text,
      ).toEqual(rows);
    }
  });
});

describe("the page", () => {
  it("shows rows or a refusal for most of its reads", () => {
    const reads = examples.filter(({ text }) => /^(SELECT|WITH|MATCH|CALL|SETTING)/.test(text));
    const told = reads.filter(({ rows, refusal }) => rows !== null || refusal !== null);
    expect(told.length).toBeGreaterThan(reads.length * 0.8);
  });

  it("tells of mistakes what db.query tells", async () => {
    const db = await open(":memory:");
    const session = db.session({});
    for (const [text, code, kind, column] of mistakes) {
      const { code: found, details, hint } = await refusalOf(session, text);
      expect([found, details?.kind, details?.column], text).toEqual([code, kind, Number(column)]);
      expect(hint?.length, text).toBeGreaterThan(0);
    }
    await session.close();
    await db.close();
  });
});
