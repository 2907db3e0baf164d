// Asks one statement of a case and gives what the case can be compared with.
import type { Database } from "../../src/index.js";
import type { StatementCase } from "./case-file.js";

/** Cells as JSON would give them: a bigint beyond 2^53 stands as its digits with an n behind. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    return BigInt.asIntN(54, value) === value ? Number(value) : `${value}n`;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

export interface Asked {
  readonly columns: readonly string[];
  readonly rows: readonly unknown[][];
  readonly operators: readonly string[];
  readonly notices: readonly string[];
}

export async function ask(db: Database, { text, params }: StatementCase): Promise<Asked> {
  const answer = await db.query(text, { params });
  const names = answer.columns.map(({ name }) => name);
  return {
    columns: answer.columns.map(({ name, type }) => `${name}:${type}`),
    rows: answer.rows.map((row) => names.map((name) => plain(row[name]))),
    operators: answer.plan!.steps.map(({ op }) => op),
    notices: answer.notices.map(({ code }) => code),
  };
}
